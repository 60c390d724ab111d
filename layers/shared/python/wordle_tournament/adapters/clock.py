"""The machine's clock."""

import random
import time
from datetime import UTC, datetime

_FIRST_PAUSE_SECONDS = 0.02
_LONGEST_PAUSE_SECONDS = 0.3


class SystemClock:
    """Tells the machine's time and really waits."""

    def now(self) -> datetime:
        """Tell the time in whole milliseconds of UTC, rounded down."""
        now = datetime.now(UTC)
        return now.replace(microsecond=now.microsecond // 1000 * 1000)

    def pause(self, attempt: int) -> None:
        """Wait up to 20 ms, twice as long with each attempt, never more than 300 ms.

        Every length up to that is equally likely, so that rivals who met once do not meet again.
        """
        longest = min(_LONGEST_PAUSE_SECONDS, _FIRST_PAUSE_SECONDS * 2**attempt)
        time.sleep(random.uniform(0, longest))
