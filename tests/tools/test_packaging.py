"""Artefacts are reproducible, hold what is used, and are not built twice."""

import importlib.util
import shutil
import sys
import zipfile
from pathlib import Path

import pytest

from wordle_tools.packaging.archive import (
    build_once,
    compile_in_place,
    content_hash,
    drop_other_archives,
    folder_files,
)
from wordle_tools.packaging.build import (
    LambdaRuntime,
    build_for_lambda,
    build_for_this_machine,
    unpack_for_lambda,
)
from wordle_tools.packaging.sizes import LARGEST_UNPACKED, report, too_large
from wordle_tools.packaging.template import (
    Kind,
    Source,
    granted_services,
    load_template,
    relocated,
    sources,
)

TEMPLATE = """
Globals:
  Function:
    Runtime: python3.13
    Architectures: [arm64]
Resources:
  PingFunction:
    Type: AWS::Serverless::Function
    Properties:
      CodeUri: ../functions/ping
      Role: !GetAtt Role.Arn
  SharedLayer:
    Type: AWS::Serverless::LayerVersion
    Properties:
      ContentUri: ../layers/shared
  Clock:
    Type: AWS::Serverless::StateMachine
    Properties:
      DefinitionUri: clock.asl.json
  Table:
    Type: AWS::DynamoDB::Table
"""
UNCHECKED_HASH = 1


@pytest.fixture
def template_file(tmp_path: Path) -> Path:
    file = tmp_path / "infra" / "template.yaml"
    file.parent.mkdir()
    file.write_text(TEMPLATE, encoding="utf-8")
    return file


@pytest.fixture
def layer(tmp_path: Path) -> Source:
    package = tmp_path / "layer" / "python" / "package"
    (package / "__pycache__").mkdir(parents=True)
    (package / "__init__.py").write_text("NAME = 'it'\n", encoding="utf-8")
    (package / "__pycache__" / "stale.pyc").write_bytes(b"stale")
    (tmp_path / "layer" / "Makefile").write_text("build:\n", encoding="utf-8")
    return Source("SharedLayer", Kind.LAYER, tmp_path / "layer")


def test_services_are_those_of_which_any_function_is_granted_an_action() -> None:
    statement = {"Effect": "Allow", "Action": ["dynamodb:GetItem", "dynamodb:Query"]}
    inline = {"Statement": [{"Effect": "Allow", "Action": "states:StartExecution"}]}
    others = {"Statement": [{"Effect": "Allow", "Action": "lambda:InvokeFunction"}]}
    template = {
        "Resources": {
            "Policy": {
                "Type": "AWS::IAM::ManagedPolicy",
                "Properties": {"PolicyDocument": {"Statement": [statement]}},
            },
            "Guess": {
                "Type": "AWS::Serverless::Function",
                "Properties": {"Policies": [{"Ref": "Policy"}, inline]},
            },
            "Clock": {
                "Type": "AWS::Serverless::StateMachine",
                "Properties": {"Policies": [others]},
            },
        }
    }

    assert granted_services(template) == {"dynamodb", "states"}


def test_the_template_tells_what_it_takes_from_the_repository(template_file: Path) -> None:
    folder = template_file.parent

    assert sources(load_template(template_file), folder) == [
        Source("PingFunction", Kind.FUNCTION, folder / "../functions/ping"),
        Source("SharedLayer", Kind.LAYER, folder / "../layers/shared"),
        Source("Clock", Kind.STATE_MACHINE, folder / "clock.asl.json"),
    ]


def test_a_relocated_template_differs_in_its_locations_alone(template_file: Path) -> None:
    template = load_template(template_file)
    elsewhere = {"PingFunction": "ping.zip", "SharedLayer": "shared.zip", "Clock": "clock.json"}

    moved = relocated(template, elsewhere)

    assert moved["Resources"]["PingFunction"]["Properties"] == {
        "CodeUri": "ping.zip",
        "Role": {"Fn::GetAtt": ["Role", "Arn"]},
    }
    back = {"PingFunction": "../functions/ping", "SharedLayer": "../layers/shared"}
    assert relocated(moved, {**back, "Clock": "clock.asl.json"}) == template


def test_the_runtime_is_the_one_that_the_template_states(template_file: Path) -> None:
    runtime = LambdaRuntime.of(load_template(template_file))

    assert (runtime.python, runtime.architecture) == ("3.13", "arm64")


def test_an_artefact_holds_sources_and_their_code_but_no_caches(
    layer: Source, tmp_path: Path
) -> None:
    (archive,) = build_for_this_machine([layer], tmp_path / "build").values()

    with zipfile.ZipFile(archive) as content:
        assert content.namelist() == [
            "python/package/__init__.py",
            f"python/package/__pycache__/__init__.{sys.implementation.cache_tag}.pyc",
        ]


def test_of_a_layer_only_what_python_looks_at_is_taken(layer: Source, tmp_path: Path) -> None:
    (first,) = build_for_this_machine([layer], tmp_path / "build").values()
    (layer.path / "notes").mkdir()
    (layer.path / "notes" / "secret.txt").touch()
    (layer.path / "dangling").symlink_to("nowhere")

    (second,) = build_for_this_machine([layer], tmp_path / "build").values()

    assert second == first


def test_the_same_sources_make_the_same_bytes(layer: Source, tmp_path: Path) -> None:
    (first,) = build_for_this_machine([layer], tmp_path / "one").values()
    (second,) = build_for_this_machine([layer], tmp_path / "another").values()

    assert first.name == second.name
    assert first.read_bytes() == second.read_bytes()


@pytest.mark.parametrize("interpreter", [None, sys.executable])
def test_a_clone_at_another_place_makes_the_same_bytes(
    layer: Source, tmp_path: Path, interpreter: str | None
) -> None:
    clone = tmp_path / "some" / "other" / "place"
    shutil.copytree(layer.path, clone)
    runtime = LambdaRuntime("3.13", "arm64", frozenset(), interpreter)

    (here,) = build_for_lambda([layer], tmp_path / "one", runtime).values()
    elsewhere = Source(layer.logical_id, layer.kind, clone)
    (there,) = build_for_lambda([elsewhere], tmp_path / "another", runtime).values()

    assert here.name == there.name
    assert here.read_bytes() == there.read_bytes()


def test_only_the_archives_of_the_last_build_stay(layer: Source, tmp_path: Path) -> None:
    folder = tmp_path / "build"
    build_for_this_machine([layer], folder)
    (layer.path / "python" / "package" / "__init__.py").write_text("NAME = 'other'\n")
    current = build_for_this_machine([layer], folder).values()
    (folder / "template.json").touch()

    drop_other_archives(folder, current)

    assert {*folder.iterdir()} == {*current, folder / "template.json"}


def test_unchanged_sources_are_not_built_again(layer: Source, tmp_path: Path) -> None:
    (first,) = build_for_this_machine([layer], tmp_path / "build").values()
    first.write_bytes(b"left as it is")

    (second,) = build_for_this_machine([layer], tmp_path / "build").values()

    assert second.read_bytes() == b"left as it is"


def test_changed_sources_make_another_artefact(layer: Source, tmp_path: Path) -> None:
    (first,) = build_for_this_machine([layer], tmp_path / "build").values()
    (layer.path / "python" / "package" / "__init__.py").write_text("NAME = 'other'\n")

    (second,) = build_for_this_machine([layer], tmp_path / "build").values()

    assert second != first


def test_packages_of_others_are_left_to_the_environment_on_this_machine(tmp_path: Path) -> None:
    layer = tmp_path / "third_party"
    layer.mkdir()
    (layer / "requirements.txt").write_text("boto3==1.0\n", encoding="utf-8")

    artefacts = build_for_this_machine(
        [Source("ThirdPartyLayer", Kind.LAYER, layer)], tmp_path / "build"
    )

    with zipfile.ZipFile(artefacts["ThirdPartyLayer"]) as content:
        assert content.namelist() == []


def test_compiled_code_is_used_whatever_the_time_of_its_source(tmp_path: Path) -> None:
    source = tmp_path / "module.py"
    source.write_text("NAME = 'compiled'\n", encoding="utf-8")
    compile_in_place(tmp_path)
    compiled = Path(importlib.util.cache_from_source(str(source)))

    assert int.from_bytes(compiled.read_bytes()[4:8], "little") == UNCHECKED_HASH
    assert str(tmp_path).encode() not in compiled.read_bytes()


def test_names_and_bytes_of_files_are_told_apart(tmp_path: Path) -> None:
    for folder, name, text in (("a", "xy", "z"), ("b", "x", "yz")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / name).write_text(text, encoding="utf-8")

    hashes = {content_hash(folder_files(tmp_path / it), tmp_path / it) for it in ("a", "b")}

    assert len(hashes) == 2


def test_a_folder_without_content_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="nothing to package"):
        folder_files(tmp_path)


def test_a_build_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    def fail(content: Path) -> None:
        (content / "half").touch()
        raise RuntimeError

    with pytest.raises(RuntimeError):
        build_once(tmp_path / "build" / "it.zip", fail)

    assert list((tmp_path / "build").iterdir()) == []


def test_one_layer_is_built_into_a_folder_for_those_who_have_another_build(
    layer: Source, tmp_path: Path
) -> None:
    runtime = LambdaRuntime("3.13", "arm64", frozenset(), interpreter=sys.executable)

    unpack_for_lambda([layer], "SharedLayer", tmp_path / "build", runtime, tmp_path / "built")

    built = {file.name for file in (tmp_path / "built").rglob("*") if file.is_file()}
    assert built == {"__init__.py", f"__init__.{sys.implementation.cache_tag}.pyc"}


def archive_of(path: Path, size: int) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("content", bytes(size))
    return path


@pytest.mark.parametrize(("size", "refused"), [(LARGEST_UNPACKED - 3, False), (2**28, True)])
def test_what_counts_is_the_largest_function_with_all_layers(
    tmp_path: Path, size: int, refused: bool
) -> None:
    artefacts = {
        "Shared": archive_of(tmp_path / "shared.zip", size),
        "One": archive_of(tmp_path / "one.zip", 3),
        "Two": archive_of(tmp_path / "two.zip", 2),
    }
    kinds = {"Shared": Kind.LAYER, "One": Kind.FUNCTION, "Two": Kind.FUNCTION}

    assert too_large(artefacts, kinds) is refused
    assert "of what AWS allows" in report(artefacts, kinds)
