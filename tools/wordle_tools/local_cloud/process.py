"""Starts and stops the emulator."""

from __future__ import annotations

import http.client
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Self

from wordle_tools.local_cloud.clients import CREDENTIALS
from wordle_tools.local_cloud.data_folder import DataFolder
from wordle_tools.local_cloud.errors import LocalCloudError
from wordle_tools.local_cloud.settings import HOST, REGION

_SERVICES = (
    "apigateway,cloudformation,dynamodb,events,iam,lambda,logs,monitoring,s3,secretsmanager,"
    "ssm,states,sts"
)
_FUNCTION_SITE = Path(__file__).with_name("function_site")
_START_SECONDS = 60
_STOP_SECONDS = 30


class EmulatorProcess:
    """One emulator on a port of this machine, with a folder that lives as long as it does."""

    def __init__(self, port: int, data: DataFolder | None) -> None:
        self._socket = _listening_socket(port)
        self.port: int = self._socket.getsockname()[1]
        self.url = f"http://{HOST}:{self.port}"
        self.folder = Path(tempfile.mkdtemp(prefix="wordle-tournament-"))
        self.log = self.folder / "emulator.log"
        self.log.touch()
        # Kept open: what it said at its end can be read when the folder is gone.
        self._log = self.log.open("rb")
        self.function_log = self.folder / "functions.log"
        self.function_log.touch()
        self._process = self._start(data)
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def wait_until_ready(self) -> None:
        """Return when requests are answered; raise LocalCloudError if that does not come."""
        give_up = time.monotonic() + _START_SECONDS
        while not _answers(self.port):
            if self._process.poll() is not None:
                raise LocalCloudError(
                    f"The emulator ended as soon as it started: {self.last_words()}"
                )
            if time.monotonic() > give_up:
                raise LocalCloudError(f"The emulator is not ready after {_START_SECONDS} seconds.")
            time.sleep(0.02)

    def wait_until_ended(self) -> None:
        """Return when the process is gone, which nobody asked it to be."""
        self._process.wait()

    def stop(self) -> None:
        """End it and all its functions; its folder is gone afterwards, its state kept if asked."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            self._process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._log.close()
        # The emulator has that done too, for when nobody is here any more.
        while self.folder.exists():
            shutil.rmtree(self.folder, ignore_errors=True)

    def _start(self, data: DataFolder | None) -> subprocess.Popen[bytes]:
        number = self._socket.fileno()
        with self.log.open("ab") as log, ExitStack() as handed_over:
            passed = [number]
            if data is not None:
                # The folder stays locked as long as the emulator may write to it.
                handed_over.callback(os.close, data.lock)
                passed.append(data.lock)
            return subprocess.Popen(
                [
                    *(sys.executable, "-m", "wordle_tools.local_cloud.emulator"),
                    *(str(number), str(self.folder)),
                ],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                pass_fds=passed,
                # Ctrl-C at a terminal reaches the parent alone, which then stops this in order.
                start_new_session=True,
                env=self._environment(data),
                cwd=self.folder,
            )

    def _environment(self, data: DataFolder | None) -> dict[str, str]:
        """All of it also reaches every function."""
        persistence = {} if data is None else {"PERSIST_STATE": "1", "STATE_DIR": str(data.state)}
        return {
            **CREDENTIALS,
            "PATH": os.environ.get("PATH", os.defpath),
            "PYTHONPATH": str(_FUNCTION_SITE),
            "PYTHONUTF8": "1",
            "TMPDIR": str(self.folder),
            "HOME": str(self.folder),
            "AWS_DEFAULT_REGION": REGION,
            "AWS_ENDPOINT_URL": self.url,
            "AWS_EC2_METADATA_DISABLED": "true",
            "FUNCTION_LOG": str(self.function_log),
            "AUTH": "true",
            "BIND_HOST": HOST,
            "GATEWAY_PORT": str(self.port),
            "SERVICES": _SERVICES,
            "IOT_MTLS_ENABLED": "0",
            "SFTP_ENABLED": "0",
            "LAMBDA_ASYNC_RETRY_BASE_SECONDS": "1",
            # It looks for containers of its own to remove. There are none.
            "DOCKER_HOST": f"unix://{self.folder}/no-docker",
            **persistence,
        }

    def last_words(self) -> str:
        """The last line that the emulator has written."""
        self._log.seek(0)
        lines = self._log.read().decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "it said nothing")


def _listening_socket(port: int) -> socket.socket:
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise LocalCloudError(f"Port {port} cannot be used: {error.strerror}.") from error
    return listening


def _answers(port: int) -> bool:
    connection = http.client.HTTPConnection(HOST, port, timeout=5)
    try:
        connection.request("GET", "/_ministack/ready")
        return connection.getresponse().status == http.HTTPStatus.OK
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
