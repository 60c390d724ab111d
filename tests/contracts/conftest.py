"""The stores that are held to one contract: in memory, and on an emulated DynamoDB."""

import json
import threading
from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import boto3
import botocore.session
import pytest
from botocore.loaders import Loader, create_loader
from moto import mock_aws
from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
from werkzeug.serving import make_server

from wordle_tools.packaging.template import load_template
from wordle_tools.project import TEMPLATE
from wordle_tournament.adapters.dynamodb import DynamoStore, Tables
from wordle_tournament.adapters.memory import MemoryStore
from wordle_tournament.adapters.memory_outside import MemoryClock
from wordle_tournament.ports.store import Store

if TYPE_CHECKING:
    from _typeshed.wsgi import StartResponse, WSGIEnvironment
    from mypy_boto3_dynamodb import DynamoDBClient

TABLES = Tables(
    players="Players",
    rooms="Rooms",
    tournaments="Tournaments",
    duels="Duels",
    groups="Groups",
    results="Results",
)


@dataclass(frozen=True)
class Request:
    """A request to DynamoDB as it goes out."""

    operation: str
    arguments: dict[str, Any]


@dataclass(frozen=True)
class Dynamo:
    """A store on an emulated DynamoDB, and a plain client that looks over its shoulder.

    `requests` are those that the store has sent, repeated ones included.
    """

    store: DynamoStore
    client: "DynamoDBClient"
    requests: list[Request]


@pytest.fixture
def clock() -> MemoryClock:
    return MemoryClock()


@pytest.fixture(scope="session")
def loader() -> Loader:
    """Parsed descriptions of the API, which would otherwise be parsed for every test."""
    return create_loader()


@pytest.fixture(scope="session")
def shapes() -> dict[str, dict[str, Any]]:
    """The keys and indexes that the template gives the tables."""
    resources = load_template(TEMPLATE)["Resources"]
    parts = ("KeySchema", "AttributeDefinitions", "GlobalSecondaryIndexes")
    return {
        table: {
            part: definition
            for part, definition in resources[f"{table}Table"]["Properties"].items()
            if part in parts
        }
        for table in asdict(TABLES).values()
    }


@pytest.fixture(scope="session")
def plain_client(loader: Loader) -> "DynamoDBClient":
    """A client for the emulator inside this process."""
    return boto3.Session(botocore_session=new_session(loader)).client(
        "dynamodb", endpoint_url="https://dynamodb.eu-central-1.amazonaws.com"
    )


@pytest.fixture
def session(loader: Loader, monkeypatch: pytest.MonkeyPatch) -> botocore.session.Session:
    """A session that cannot reach any account."""
    monkeypatch.delenv("AWS_ENDPOINT_URL", raising=False)
    return new_session(loader)


@pytest.fixture
def requests(session: botocore.session.Session) -> list[Request]:
    """The requests sent in the session from now on."""
    sent: list[Request] = []

    def note(**event: Any) -> None:
        request = event["request"]
        operation = request.headers["X-Amz-Target"].decode().rpartition(".")[2]
        sent.append(Request(operation, json.loads(request.body)))

    session.register("before-send.dynamodb", note)
    return sent


@pytest.fixture
def dynamo(
    session: botocore.session.Session,
    requests: list[Request],
    clock: MemoryClock,
    plain_client: "DynamoDBClient",
    shapes: Mapping[str, dict[str, Any]],
) -> Iterator[Dynamo]:
    """DynamoDB inside this process: for one thread at a time."""
    with mock_aws():
        create_tables(plain_client, shapes)
        yield Dynamo(DynamoStore(TABLES, clock, session), plain_client, requests)


@pytest.fixture(params=["memory", "dynamodb"])
def store(request: pytest.FixtureRequest) -> Store:
    if request.param == "memory":
        return MemoryStore()
    dynamo: Dynamo = request.getfixturevalue("dynamo")
    return dynamo.store


@pytest.fixture(scope="session")
def dynamodb_url() -> Iterator[str]:
    """DynamoDB behind a socket, for many threads: it serves one request after another.

    So does DynamoDB for one item; moto alone would lose updates.
    """
    app = DomainDispatcherApplication(create_backend_app)
    turn = threading.Lock()

    def serve(environ: "WSGIEnvironment", start_response: "StartResponse") -> Iterable[bytes]:
        with turn, closing(app(environ, start_response)) as body:
            return list(body)

    server = make_server("127.0.0.1", 0, serve, threaded=True)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def served(
    dynamodb_url: str,
    loader: Loader,
    shapes: Mapping[str, dict[str, Any]],
    clock: MemoryClock,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[DynamoStore]:
    """A store for many threads."""
    monkeypatch.setenv("AWS_ENDPOINT_URL", dynamodb_url)
    client = boto3.Session(botocore_session=new_session(loader)).client("dynamodb")
    create_tables(client, shapes)
    yield DynamoStore(TABLES, clock, new_session(loader))
    for table in asdict(TABLES).values():
        client.delete_table(TableName=table)


@pytest.fixture(params=["memory", "dynamodb"])
def shared_store(request: pytest.FixtureRequest) -> Store:
    """A store for many threads."""
    if request.param == "memory":
        return MemoryStore()
    served: DynamoStore = request.getfixturevalue("served")
    return served


def new_session(loader: Loader) -> botocore.session.Session:
    session = botocore.session.get_session()
    session.register_component("data_loader", loader)
    session.set_credentials("nobody", "nothing")
    session.set_config_variable("region", "eu-central-1")
    return session


def create_tables(client: "DynamoDBClient", shapes: Mapping[str, dict[str, Any]]) -> None:
    for table, shape in shapes.items():
        client.create_table(TableName=table, BillingMode="PAY_PER_REQUEST", **shape)
