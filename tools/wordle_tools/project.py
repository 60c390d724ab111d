"""Where things stand in the repository; the tools run from a checkout, they are never deployed."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEMPLATE = ROOT / "infra" / "template.yaml"
BUILD = ROOT / ".build"
