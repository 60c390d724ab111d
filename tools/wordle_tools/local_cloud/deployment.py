"""Deploys the template to the emulator, as CloudFormation on AWS would be asked to."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from botocore.exceptions import ClientError

from wordle_tools.local_cloud.clients import Clients
from wordle_tools.local_cloud.completion import complete
from wordle_tools.local_cloud.errors import LocalCloudError
from wordle_tools.local_cloud.existence import Resource, missing
from wordle_tools.local_cloud.settings import REGION, STACK
from wordle_tools.packaging.build import build_for_this_machine
from wordle_tools.packaging.template import Template, load_template, relocated, sources

if TYPE_CHECKING:
    from mypy_boto3_cloudformation import CloudFormationClient

_ARTEFACTS = f"{STACK}-artefacts"
_DEPLOY_SECONDS = 120


@dataclass(frozen=True, slots=True)
class Deployment:
    """What stands after a deployment: outputs by name, physical ids by logical id."""

    outputs: Mapping[str, str]
    resources: Mapping[str, str]


def deploy(
    clients: Clients, template_path: Path, build: Path, parameters: Mapping[str, str]
) -> Deployment:
    """Build, upload, create or update the stack, and see that everything is there.

    Raises LocalCloudError naming what failed.
    """
    try:
        return _deploy(clients, template_path, build, parameters)
    except (ClientError, OSError) as error:
        raise LocalCloudError(f"The deployment failed: {error}") from error


def _deploy(
    clients: Clients, template_path: Path, build: Path, parameters: Mapping[str, str]
) -> Deployment:
    template = load_template(template_path)
    artefacts = build_for_this_machine(sources(template, template_path.parent), build)
    url = _upload(clients, template, artefacts)
    cloudformation: CloudFormationClient = clients("cloudformation")
    _apply(cloudformation, url, parameters)
    outputs = _wait(cloudformation)
    resources = _resources(cloudformation)
    if absent := missing(clients, resources):
        raise LocalCloudError(f"Deployed, but not there: {', '.join(absent)}.")
    complete(clients, template, resources)
    physical_ids = {name: resource.physical_id for name, resource in resources.items()}
    return Deployment(outputs, physical_ids)


def _upload(clients: Clients, template: Template, artefacts: Mapping[str, Path]) -> str:
    s3 = clients("s3")
    with suppress(s3.exceptions.BucketAlreadyOwnedByYou):
        s3.create_bucket(
            Bucket=_ARTEFACTS, CreateBucketConfiguration={"LocationConstraint": REGION}
        )
    # Named by content: CloudFormation takes what lies at the same place as unchanged.
    keys: dict[Path, str] = {}
    for path in set(artefacts.values()):
        content = path.read_bytes()
        keys[path] = f"{sha256(content).hexdigest()}{path.suffix}"
        s3.put_object(Bucket=_ARTEFACTS, Key=keys[path], Body=content)
    locations = {
        logical_id: {"Bucket": _ARTEFACTS, "Key": keys[path]}
        for logical_id, path in artefacts.items()
    }
    body = json.dumps(relocated(template, locations))
    s3.put_object(Bucket=_ARTEFACTS, Key="template.json", Body=body.encode())
    return f"{s3.meta.endpoint_url}/{_ARTEFACTS}/template.json"


def _apply(
    cloudformation: CloudFormationClient, template_url: str, parameters: Mapping[str, str]
) -> None:
    arguments: dict[str, Any] = {
        "StackName": STACK,
        "TemplateURL": template_url,
        "Parameters": [
            {"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()
        ],
        "Capabilities": ["CAPABILITY_IAM", "CAPABILITY_AUTO_EXPAND"],
    }
    if not _stack_exists(cloudformation):
        cloudformation.create_stack(**arguments)
        return
    try:
        cloudformation.update_stack(**arguments)
    except ClientError as error:
        # CloudFormation has no code of its own for a stack that is as it should be.
        if not error.response["Error"]["Message"].startswith("No updates"):
            raise


def _stack_exists(cloudformation: CloudFormationClient) -> bool:
    summaries = cloudformation.list_stacks()["StackSummaries"]
    return any(
        stack["StackName"] == STACK and stack["StackStatus"] != "DELETE_COMPLETE"
        for stack in summaries
    )


def _wait(cloudformation: CloudFormationClient) -> dict[str, str]:
    give_up = time.monotonic() + _DEPLOY_SECONDS
    while time.monotonic() < give_up:
        stack = cloudformation.describe_stacks(StackName=STACK)["Stacks"][0]
        if stack["StackStatus"] in ("CREATE_COMPLETE", "UPDATE_COMPLETE"):
            return {out["OutputKey"]: out["OutputValue"] for out in stack.get("Outputs", [])}
        if not stack["StackStatus"].endswith("IN_PROGRESS"):
            raise LocalCloudError(f"The deployment failed: {_first_failure(cloudformation)}.")
        time.sleep(0.1)
    raise LocalCloudError(f"The deployment is not done after {_DEPLOY_SECONDS} seconds.")


def _first_failure(cloudformation: CloudFormationClient) -> str:
    pages = cloudformation.get_paginator("describe_stack_events").paginate(StackName=STACK)
    failures = [
        event
        for page in pages
        for event in page["StackEvents"]
        if event["ResourceStatus"].endswith("FAILED")
    ]
    first = min(failures, key=lambda event: event["Timestamp"], default=None)
    if first is None:
        return "no event says why"
    return f"{first['LogicalResourceId']}: {first.get('ResourceStatusReason', 'no reason given')}"


def _resources(cloudformation: CloudFormationClient) -> dict[str, Resource]:
    pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=STACK)
    return {
        resource["LogicalResourceId"]: Resource(
            resource["ResourceType"], resource.get("PhysicalResourceId", "")
        )
        for page in pages
        for resource in page["StackResourceSummaries"]
    }
