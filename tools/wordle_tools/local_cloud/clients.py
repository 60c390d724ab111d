"""SDK clients that speak to one emulator, whatever the environment says about AWS."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import boto3

from wordle_tools.local_cloud.settings import REGION

# Not secret: it opens nothing but the emulator, which takes it from anybody on this machine.
CREDENTIALS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}


@dataclass(frozen=True, slots=True)
class Clients:
    """Makes clients with every right, by the name that the SDK gives a service."""

    endpoint: str

    def __call__(self, service: str, endpoint: str | None = None) -> Any:
        """A client of the service, at the emulator or at an endpoint of its own."""
        # The stubs know each service by its literal name only.
        session: Any = boto3.Session()
        return session.client(
            service,
            endpoint_url=endpoint or self.endpoint,
            region_name=REGION,
            aws_access_key_id=CREDENTIALS["AWS_ACCESS_KEY_ID"],
            aws_secret_access_key=CREDENTIALS["AWS_SECRET_ACCESS_KEY"],
        )
