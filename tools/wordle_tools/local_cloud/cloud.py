"""A local cloud from its start to its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from websockets.exceptions import WebSocketException
from websockets.sync.client import connect

from wordle_tools.local_cloud.clients import Clients
from wordle_tools.local_cloud.data_folder import DataFolder
from wordle_tools.local_cloud.deployment import Deployment, deploy
from wordle_tools.local_cloud.errors import LocalCloudError
from wordle_tools.local_cloud.process import EmulatorProcess
from wordle_tools.local_cloud.settings import HOST, Durations
from wordle_tools.project import BUILD, TEMPLATE

_STAGE = "play"
_EXECUTE_API = "_aws/execute-api"


@dataclass(frozen=True, slots=True)
class LocalCloud:
    """A cloud that runs and takes connections."""

    url: str
    """Where clients connect: `ws://…`."""
    management_url: str
    """Where messages to connections are sent."""
    clients: Clients
    deployment: Deployment
    function_log: Path
    """What functions log; gone when the cloud is."""
    emulator_log: Path
    process: EmulatorProcess
    parameters: Mapping[str, str]

    def update(self, template: Path = TEMPLATE, **changes: str) -> None:
        """Deploy again, perhaps another template or with other parameters, while people play."""
        deploy(self.clients, template, BUILD / "local", {**self.parameters, **changes})


@contextmanager
def local_cloud(
    durations: Durations,
    *,
    port: int = 0,
    data_folder: Path | None = None,
    template: Path = TEMPLATE,
    progress: Callable[[str], None] = lambda _: None,
) -> Iterator[LocalCloud]:
    """Run the template on this machine, port 0 meaning a free one.

    With a data folder, what players have done outlives an orderly end; without one nothing does.
    Raises LocalCloudError when it cannot start.
    """
    data = None if data_folder is None else DataFolder(data_folder)
    with EmulatorProcess(port, data) as process:
        progress(f"Logs of functions: {process.function_log}")
        process.wait_until_ready()
        progress("Deploying the template…")
        clients = Clients(process.url)
        parameters = _parameters(durations, process.url)
        deployment = deploy(clients, template, BUILD / "local", parameters)
        path = f"{_EXECUTE_API}/{deployment.outputs['ApiId']}/{_STAGE}"
        cloud = LocalCloud(
            url=f"ws://{HOST}:{process.port}/{path}",
            management_url=f"{process.url}/{path}",
            clients=clients,
            deployment=deployment,
            function_log=process.function_log,
            emulator_log=process.log,
            process=process,
            parameters=parameters,
        )
        _prove_that_clients_can_connect(cloud)
        yield cloud


def _parameters(durations: Durations, endpoint: str) -> dict[str, str]:
    return {
        "StageName": _STAGE,
        "TurnSeconds": str(durations.turn_seconds),
        "IntroSeconds": str(durations.intro_seconds),
        "GraceSeconds": str(durations.grace_seconds),
        "SettleSeconds": str(durations.settle_seconds),
        "PushEndpointBase": f"{endpoint}/{_EXECUTE_API}",
        "DeletionProtection": "false",
    }


def _prove_that_clients_can_connect(cloud: LocalCloud) -> None:
    try:
        with connect(cloud.url, open_timeout=60):
            pass
    except (OSError, WebSocketException) as error:
        raise LocalCloudError(
            f"Deployed, but nobody can connect, {error}: {cloud.process.last_words()}"
        ) from error
