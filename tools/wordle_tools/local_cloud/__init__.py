"""The local cloud: the same template as on AWS, deployed to an emulator on this machine."""

from wordle_tools.local_cloud.cloud import LocalCloud, local_cloud
from wordle_tools.local_cloud.errors import LocalCloudError
from wordle_tools.local_cloud.settings import Durations

__all__ = ["Durations", "LocalCloud", "LocalCloudError", "local_cloud"]
