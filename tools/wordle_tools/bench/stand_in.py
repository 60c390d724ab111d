"""DynamoDB and API Gateway for one duel: `python -m wordle_tools.bench.stand_in` prints its URL.

It answers over a real socket, in a process of its own, so that functions do all that they do for
AWS, but for TLS, and the time that answering takes is not theirs. What is put is kept; updates are
answered, but not kept, so that every guess finds the same turn. It ends with its standard input.
"""

import json
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar

Item = dict[str, Any]


class _Answers(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # Answers go out in one piece: in two, the second would wait for the client's thanks.
    wbufsize = -1
    kept: ClassVar[Item] = {}
    seen: ClassVar[list[str]] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        target = self.headers.get("X-Amz-Target")
        if target is None:
            self._answer("PostToConnection", {})
        else:
            operation = target.rpartition(".")[2]
            self._answer(operation, self._do(operation, json.loads(body)))

    def do_GET(self) -> None:
        """Tell what was asked since the last time."""
        seen = [*self.seen]
        self.seen.clear()
        self._send(seen)

    def log_message(self, *_: object) -> None:
        """Write nothing."""

    def _do(self, operation: str, request: dict[str, Any]) -> dict[str, Any]:
        match operation:
            case "PutItem":
                self.kept.update(request["Item"])
                return {}
            case "GetItem":
                return {"Item": self.kept}
            case "UpdateItem":
                return {"Attributes": self.kept | _assigned(request)}
        raise ValueError(operation)

    def _answer(self, operation: str, answer: object) -> None:
        self.seen.append(operation)
        self._send(answer)

    def _send(self, answer: object) -> None:
        content = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/x-amz-json-1.0")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)


def _assigned(request: dict[str, Any]) -> Item:
    """Read what an update of the form `SET a = b, c = d` assigns."""
    assignments = request["UpdateExpression"].removeprefix("SET ").split(", ")
    pairs = (assignment.split(" = ") for assignment in assignments)
    names, values = request["ExpressionAttributeNames"], request["ExpressionAttributeValues"]
    return {names[name]: values[value] for name, value in pairs}


def serve() -> None:
    """Serve until the standard input ends."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Answers)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    sys.stdin.read()
    server.shutdown()


if __name__ == "__main__":
    serve()
