"""One local cloud with short rounds for all tests of this folder."""

from collections.abc import Iterator

import pytest

from wordle_tools.local_cloud import Durations, LocalCloud, local_cloud

SHORT = Durations(turn_seconds=3, intro_seconds=1, grace_seconds=3)


@pytest.fixture(scope="session")
def cloud() -> Iterator[LocalCloud]:
    with local_cloud(SHORT) as running:
        yield running
