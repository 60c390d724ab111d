"""Asks each service whether the resources of a stack are there; the emulator's CloudFormation says
of nearly everything that it was created.

A new type of resource in the template needs its line here: what nobody asks for counts as missing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from botocore.exceptions import ClientError

from wordle_tools.local_cloud.clients import Clients


@dataclass(frozen=True, slots=True)
class Resource:
    """A resource of a stack, as CloudFormation lists it."""

    type: str
    physical_id: str


def missing(clients: Clients, resources: Mapping[str, Resource]) -> list[str]:
    """The logical ids, sorted, of resources that their service does not know."""
    ask = _questions(clients, resources)
    return sorted(name for name, resource in resources.items() if not _is_there(ask, resource))


def _is_there(ask: Mapping[str, Callable[[str], object]], resource: Resource) -> bool:
    question = ask.get(resource.type)
    try:
        return question is not None and bool(question(resource.physical_id))
    except ClientError:
        return False


def _questions(
    clients: Clients, resources: Mapping[str, Resource]
) -> dict[str, Callable[[str], object]]:
    """By resource type, what its service is asked; false and errors mean that it is missing."""
    alarms = clients("cloudwatch")
    apis = clients("apigatewayv2")
    dynamodb = clients("dynamodb")
    events = clients("events")
    functions = clients("lambda")
    iam = clients("iam")
    logs = clients("logs")
    secrets = clients("secretsmanager")
    settings = clients("ssm")
    states = clients("stepfunctions")
    api = next(
        (found.physical_id for found in resources.values() if found.type.endswith("V2::Api")), ""
    )
    return {
        "AWS::ApiGatewayV2::Api": lambda id_: apis.get_api(ApiId=id_),
        "AWS::ApiGatewayV2::Authorizer": lambda id_: apis.get_authorizer(
            ApiId=api, AuthorizerId=id_
        ),
        "AWS::ApiGatewayV2::Integration": lambda id_: apis.get_integration(
            ApiId=api, IntegrationId=id_
        ),
        "AWS::ApiGatewayV2::Route": lambda id_: apis.get_route(
            ApiId=api, RouteId=id_.rsplit("/", 1)[-1]
        ),
        "AWS::ApiGatewayV2::Stage": lambda id_: apis.get_stage(ApiId=api, StageName=id_),
        "AWS::CloudWatch::Alarm": lambda id_: alarms.describe_alarms(AlarmNames=[id_])[
            "MetricAlarms"
        ],
        "AWS::CloudWatch::Dashboard": lambda id_: alarms.get_dashboard(DashboardName=id_)[
            "DashboardBody"
        ],
        "AWS::DynamoDB::Table": lambda id_: dynamodb.describe_table(TableName=id_),
        "AWS::Events::Rule": lambda id_: events.list_targets_by_rule(Rule=id_)["Targets"],
        "AWS::IAM::ManagedPolicy": lambda id_: iam.get_policy(PolicyArn=id_),
        "AWS::IAM::Role": lambda id_: iam.get_role(RoleName=id_),
        "AWS::Lambda::Alias": lambda id_: functions.get_function(FunctionName=id_),
        "AWS::Lambda::Function": lambda id_: functions.get_function(FunctionName=id_)[
            "Configuration"
        ]["CodeSize"],
        "AWS::Lambda::LayerVersion": lambda id_: functions.get_layer_version_by_arn(Arn=id_),
        # A permission has no name of its own to ask for; the gateway calls without it would show.
        "AWS::Lambda::Permission": lambda id_: id_,
        "AWS::Lambda::Version": lambda id_: functions.get_function(FunctionName=id_),
        "AWS::Logs::LogGroup": lambda id_: logs.describe_log_groups(logGroupNamePrefix=id_)[
            "logGroups"
        ],
        "AWS::SSM::Parameter": lambda id_: settings.get_parameter(Name=id_),
        "AWS::SecretsManager::Secret": lambda id_: secrets.describe_secret(SecretId=id_),
        "AWS::StepFunctions::StateMachine": lambda id_: states.describe_state_machine(
            stateMachineArn=id_
        )["definition"],
    }
