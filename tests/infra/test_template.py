"""What an operator relies on: safe tables, kept logs without secrets, durations as parameters."""

import re
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.infra.conftest import of_type
from wordle_tools.packaging.template import Template
from wordle_tools.project import ROOT


@pytest.mark.parametrize(
    ("parameter", "seconds"),
    [("TurnSeconds", 30), ("IntroSeconds", 6), ("GraceSeconds", 60), ("SettleSeconds", 1)],
)
def test_the_clocks_of_the_game_are_parameters_with_the_rules_as_defaults(
    template: Template, parameter: str, seconds: int
) -> None:
    """R1.3, R3.2, R3.8, R7.2."""
    assert template["Parameters"][parameter]["Default"] == seconds
    assert template["Parameters"][parameter]["MinValue"] == 1


def test_tables_are_protected_recoverable_encrypted_and_outlive_the_stack(
    template: Template,
) -> None:
    tables = of_type(template, "AWS::DynamoDB::Table")

    assert len(tables) == 6
    for table in tables.values():
        properties = table["Properties"]
        assert table["DeletionPolicy"] == table["UpdateReplacePolicy"] == "Retain"
        assert properties["DeletionProtectionEnabled"] == {"Ref": "DeletionProtection"}
        assert properties["PointInTimeRecoverySpecification"]["PointInTimeRecoveryEnabled"]
        assert properties["SSESpecification"]["SSEEnabled"]
        assert properties["BillingMode"] == "PAY_PER_REQUEST"
        assert properties["TimeToLiveSpecification"] == {
            "AttributeName": "expires_at",
            "Enabled": True,
        }


def test_logs_are_kept_for_a_set_time(template: Template) -> None:
    groups = of_type(template, "AWS::Logs::LogGroup")

    assert groups
    for group in groups.values():
        assert group["Properties"]["RetentionInDays"] == {"Ref": "LogRetentionDays"}
    assert template["Globals"]["Function"]["LoggingConfig"]["LogGroup"]["Ref"] in groups


def test_the_access_log_holds_nothing_that_a_client_could_put_a_token_into(
    template: Template,
) -> None:
    settings = template["Resources"]["Api"]["Properties"]["AccessLogSettings"]["Fn::If"][1]
    logged = set(re.findall(r"\$context\.([\w.]+)", settings["Format"]))

    assert logged == {
        "requestId",
        "requestTimeEpoch",
        "eventType",
        "routeKey",
        "status",
        "connectionId",
        "identity.sourceIp",
        "error.message",
        "integrationStatus",
        "integrationErrorMessage",
        "integrationLatency",
    }
    assert settings["Format"].count("$") == len(logged)


def test_the_gateway_does_not_log_what_messages_say(template: Template) -> None:
    settings = template["Resources"]["Api"]["Properties"]["DefaultRouteSettings"]

    assert settings["DataTraceEnabled"] is False
    assert settings["ThrottlingRateLimit"] == {"Ref": "MessagesPerSecond"}
    assert settings["ThrottlingBurstLimit"] == {"Ref": "MessageBurst"}


def test_every_connection_passes_the_authorizer_also_without_a_token(template: Template) -> None:
    auth = template["Resources"]["Api"]["Properties"]["Auth"]

    assert auth == {
        "AuthType": "CUSTOM",
        "AuthArn": {"Ref": "AuthorizeFunction.Alias"},
        "IdentitySource": [],
    }


def test_the_signing_key_is_made_at_deployment_and_told_nowhere(template: Template) -> None:
    generated = template["Resources"]["SigningKeys"]["Properties"]["GenerateSecretString"]

    assert generated["SecretStringTemplate"] == '{"current": "k1"}'
    assert generated["GenerateStringKey"] == "k1"
    assert generated["PasswordLength"] == 64
    assert "SigningKeys" not in str(template["Outputs"])


def test_calls_are_traced(template: Template) -> None:
    assert template["Globals"]["Function"]["Tracing"] == "Active"
    for machine in of_type(template, "AWS::Serverless::StateMachine").values():
        assert machine["Properties"]["Tracing"] == {"Enabled": True}


def test_the_deployed_packages_are_the_tested_ones() -> None:
    tested = pins(ROOT / "requirements" / "dev.txt")
    deployed = pins(ROOT / "layers" / "third_party" / "requirements.txt")

    assert deployed
    assert deployed.items() <= tested.items()


def pins(file: Path) -> dict[str, str]:
    return dict(re.findall(r"^([\w.-]+)==(\S+)", file.read_text(encoding="utf-8"), re.MULTILINE))


def test_the_runtime_on_aws_gets_every_package(template: Template) -> None:
    """A package may be left out on a Python for which it has no wheels, but not there."""
    runtime = template["Globals"]["Function"]["Runtime"].removeprefix("python")
    environment = {"python_version": runtime, "python_full_version": f"{runtime}.0"}
    pinned = (ROOT / "layers" / "third_party" / "requirements.txt").read_text(encoding="utf-8")
    requirements = [Requirement(line) for line in pinned.splitlines() if line and line[0] != " "]

    left_out = [one for one in requirements if one.marker and not one.marker.evaluate(environment)]

    assert "badwords-py" in {one.name for one in requirements}
    assert left_out == []
