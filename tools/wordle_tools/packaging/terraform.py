"""Terraform's module held against the template: `python -m wordle_tools.packaging.terraform FILE`.

The file is what `hcl2tojson` makes of the module.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from wordle_tools.packaging.template import Template, load_template
from wordle_tools.project import TEMPLATE

_STACK = '"aws_cloudformation_stack"'
_NAMES = {"RoleName", "ManagedPolicyName", "PolicyName", "UserName", "GroupName"}


def deviations(module: Mapping[str, Any], template: Template) -> list[str]:
    """Tell what the stack of the module leaves out, or asks for, that the template does not."""
    (stack,) = (kinds[_STACK] for kinds in module["resource"] if _STACK in kinds)
    ((_, properties),) = stack.items()
    given = {_bare(capability) for capability in properties["capabilities"]}
    found = [f"capability {name}" for name in sorted(given ^ needed_capabilities(template))]
    parameters = properties["parameters"]
    if isinstance(parameters, Mapping):
        unknown = {_bare(name) for name in parameters} - template["Parameters"].keys()
        found += [f"parameter {name}" for name in sorted(unknown)]
    outputs = {_bare(name) for name in re.findall(r"outputs\[([^]]+)\]", str(module["output"]))}
    return found + [f"output {name}" for name in sorted(outputs - template["Outputs"].keys())]


def needed_capabilities(template: Template) -> set[str]:
    """What CloudFormation wants to be told before it creates the template's stack."""
    resources = [
        resource
        for resource in template["Resources"].values()
        if resource["Type"].startswith("AWS::IAM::")
    ]
    named = any(_NAMES & resource.get("Properties", {}).keys() for resource in resources)
    expanded = {"CAPABILITY_AUTO_EXPAND"} if "Transform" in template else set()
    return {"CAPABILITY_NAMED_IAM" if named else "CAPABILITY_IAM"} | expanded


def _bare(text: str) -> str:
    return text.replace("\\", "").strip('"')


def main(path: str) -> int:
    """Print every deviation; the status is 1 if there is any."""
    module = json.loads(Path(path).read_text(encoding="utf-8"))
    found = deviations(module, load_template(TEMPLATE))
    for deviation in found:
        print(f"infra/terraform and the template differ in: {deviation}", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
