"""The certificates that functions trust: those of AWS, and no others."""

import re
import ssl
import zipfile
from pathlib import Path
from typing import Any

import botocore

from wordle_tools.packaging.build import build_for_this_machine
from wordle_tools.packaging.template import Template, sources
from wordle_tools.project import ROOT, TEMPLATE

LAYER = ROOT / "layers/shared"
BUNDLE = LAYER / "python/amazon-roots.pem"

# https://www.amazontrust.com/repository
OF_AWS = {
    "Amazon Root CA 1",
    "Amazon Root CA 2",
    "Amazon Root CA 3",
    "Amazon Root CA 4",
    "Starfield Services Root Certificate Authority - G2",
}


def certificates(path: Path) -> dict[str, bytes]:
    """The certificates in a file by the common name of their subject."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(path)
    described: list[Any] = context.get_ca_certs()
    subjects = [dict(part[0] for part in one["subject"]) for one in described]
    contents = context.get_ca_certs(binary_form=True)
    return {
        subject["commonName"]: content
        for subject, content in zip(subjects, contents, strict=True)
        if "commonName" in subject
    }


def test_functions_trust_all_roots_of_aws_and_no_others() -> None:
    assert certificates(BUNDLE).keys() == OF_AWS
    assert len(re.findall("BEGIN CERTIFICATE", BUNDLE.read_text())) == len(OF_AWS)


def test_the_roots_are_those_that_the_sdk_trusts() -> None:
    sdk = certificates(Path(botocore.__file__).with_name("cacert.pem"))
    assert certificates(BUNDLE).items() <= sdk.items()


def test_functions_are_given_the_file_where_the_built_layer_has_it(
    template: Template, tmp_path: Path
) -> None:
    """A layer is unpacked into /opt; a name that leads nowhere would let no call through."""
    given = template["Globals"]["Function"]["Environment"]["Variables"]["AWS_CA_BUNDLE"]
    layer = [one for one in sources(template, TEMPLATE.parent) if one.logical_id == "SharedLayer"]
    (artefact,) = build_for_this_machine(layer, tmp_path).values()
    with zipfile.ZipFile(artefact) as unpacked:
        assert unpacked.read(given.removeprefix("/opt/")) == BUNDLE.read_bytes()
