"""Does by API what the emulator's CloudFormation leaves undone of the template."""

from __future__ import annotations

from collections.abc import Mapping

from wordle_tools.local_cloud.clients import Clients
from wordle_tools.local_cloud.existence import Resource
from wordle_tools.packaging.template import Template

_TTL_ATTRIBUTE = "expires_at"
_ALIAS = "live"


def complete(clients: Clients, template: Template, resources: Mapping[str, Resource]) -> None:
    """Let items expire, bound the roles of functions, publish the state machines."""
    _set_time_to_live(clients, resources)
    _bound_functions(clients, template, resources)
    _publish_state_machines(clients, resources)


def _set_time_to_live(clients: Clients, resources: Mapping[str, Resource]) -> None:
    dynamodb = clients("dynamodb")
    for resource in resources.values():
        if resource.type == "AWS::DynamoDB::Table":
            dynamodb.update_time_to_live(
                TableName=resource.physical_id,
                TimeToLiveSpecification={"Enabled": True, "AttributeName": _TTL_ATTRIBUTE},
            )


def _bound_functions(
    clients: Clients, template: Template, resources: Mapping[str, Resource]
) -> None:
    iam = clients("iam")
    boundary = resources[template["Globals"]["Function"]["PermissionsBoundary"]["Ref"]]
    for name, resource in resources.items():
        if resource.type == "AWS::IAM::Role" and name.endswith("FunctionRole"):
            iam.put_role_permissions_boundary(
                RoleName=resource.physical_id, PermissionsBoundary=boundary.physical_id
            )


def _publish_state_machines(clients: Clients, resources: Mapping[str, Resource]) -> None:
    states = clients("stepfunctions")
    for resource in resources.values():
        if resource.type == "AWS::StepFunctions::StateMachine":
            machine = resource.physical_id
            published = states.publish_state_machine_version(stateMachineArn=machine)
            version = published["stateMachineVersionArn"]
            routing = [{"stateMachineVersionArn": version, "weight": 100}]
            try:
                states.update_state_machine_alias(
                    stateMachineAliasArn=f"{machine}:{_ALIAS}", routingConfiguration=routing
                )
            except states.exceptions.ResourceNotFound:
                states.create_state_machine_alias(name=_ALIAS, routingConfiguration=routing)
