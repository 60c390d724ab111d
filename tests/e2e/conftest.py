"""One local cloud with short rounds for all tests of this folder."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from wordle_tools.local_cloud import Durations, LocalCloud, local_cloud

SHORT = Durations(turn_seconds=3, intro_seconds=1, grace_seconds=3)


PATIENCE_SECONDS = 600
"""What a test of this folder may take where the machine is busy."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == Path(__file__).parent:
            item.add_marker(pytest.mark.timeout(PATIENCE_SECONDS))


@pytest.fixture(scope="session")
def cloud() -> Iterator[LocalCloud]:
    with local_cloud(SHORT) as running:
        yield running
