"""`blockdyn mcp`: recorded calls of an agent, as lines of JSON, to a server in a process of its own."""

from __future__ import annotations

import base64
import json
import math
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("mcp")
pytestmark = pytest.mark.xdist_group("mcp")


class Agent:
    """A client that sends one request after another."""

    def __init__(self, folder: Path, *options: str) -> None:
        command = [sys.executable, "-m", "blockdyn", "mcp", *options]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=folder, text=True, encoding="utf-8"
        )
        self.count = 0
        about = {
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "a", "version": "1"},
        }
        self.about = self.send("initialize", about)
        self._write({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def _write(self, message: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def send(self, method: str, params: Any) -> Any:
        self.count += 1
        self._write({"jsonrpc": "2.0", "id": self.count, "method": method, "params": params})
        assert self.process.stdout is not None
        for line in self.process.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.count:
                return answer.get("result", answer.get("error"))
        raise AssertionError("the server has ended")

    def close(self) -> None:
        """End standard input, after which the server ends."""
        self.process.communicate(timeout=30)
        assert self.process.returncode == 0

    def call(self, tool: str, **arguments: Any) -> Any:
        """The answer of a tool: what it holds by name, or its pictures."""
        answer = self.send("tools/call", {"name": tool, "arguments": arguments})
        if "structuredContent" in answer:
            return answer["structuredContent"]
        if len(answer["content"]) > 1 or answer["isError"]:
            return answer["content"]
        return json.loads(answer["content"][0]["text"])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("agent")


@pytest.fixture(scope="module")
def agent(folder: Path) -> Iterator[Agent]:
    agent = Agent(folder, "--write", str(folder))
    yield agent
    agent.close()


LOOP = """\
blockdyn: 1
blocks:
  reference: {type: Step, time: 0.0}
  error: {type: Sum, signs: "+-"}
  gain: {type: Gain, k: 4}
  motor: {type: TransferFunction, num: [1], den: [0.5, 1]}
wires:
  - reference -> error[1]
  - error -> gain => motor
  - motor -> error[2]
log: [motor]
simulate: {stop: 5}
"""


def test_a_loop_from_nothing_in_eight_calls(agent: Agent, folder: Path) -> None:
    assert "TransferFunction" in str(agent.call("find_blocks", words="transfer function"))
    assert "num" in agent.call("explain_block", name="TransferFunction")["text"]
    wrong = agent.call("check", diagram=LOOP)
    assert {error["line"] for error in wrong["errors"]} >= {9, 10}
    fixed = agent.call("fix", diagram=LOOP)
    assert fixed["errors"] == []
    run = agent.call("run", diagram=fixed["text"], samples=2)
    assert run["final"]["motor.y"] == pytest.approx(4 / 5, rel=1e-4)  # k / (1 + k)
    rise = {"rise": {"rise_time": "motor", "target": 0.8}}
    measured = agent.call("measure", diagram=fixed["text"], measures=rise)
    assert measured["measures"]["rise"] == pytest.approx(
        0.1 * math.log(9), rel=1e-4
    )  # the loop lags by 0.1 s
    axes, figure = {"gain.k": [1, 3]}, {"final": {"final": "motor"}}
    table = agent.call("sweep", diagram=fixed["text"], axes=axes, measures=figure)["table"]
    assert table["final"] == pytest.approx([1 / 2, 3 / 4], rel=1e-3)
    assert agent.call("write", file="loop.yaml", diagram=fixed["text"]) == {"written": "loop.yaml"}
    assert (folder / "loop.yaml").read_text() == fixed["text"]


def test_models_and_pictures(agent: Agent) -> None:
    text = LOOP.replace("r[1]", "r[0]").replace("r[2]", "r[1]").replace("=>", "->")
    model = agent.call("linearize", diagram=text, inputs=["reference"], outputs=["motor"])
    assert model["poles"] == [[pytest.approx(-10.0), 0.0]]
    assert "inf" in agent.call("margins", diagram=text, loop="error")["margins"]  # a loop of first order
    answer, picture = agent.call("run", diagram=text, plot=True)
    assert json.loads(answer["text"])["complete"]
    assert base64.b64decode(picture["data"])[:4] == b"\x89PNG"
    assert "<svg" in agent.call("draw", diagram=text, format="svg")["svg"]


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("check", {"diagram": "../../etc/passwd"}),
        ("run", {"diagram": "/etc/passwd"}),
        ("run", {"diagram": "nul\0"}),
        ("run", {"diagram": "blockdyn: 1\nblocks:\n  f: {type: Function, function: 'os:abort'}\n"}),
        ("run", {"diagram": "blockdyn: 1\nblocks:\n  f: {type: FMU, file: motor.fmu}\n"}),
        ("run", {"diagram": "a: &a [*a]\n"}),
        ("write", {"file": "../out.yaml", "diagram": "quadrotor"}),
        ("write", {"file": "out.py", "diagram": "quadrotor"}),
        ("write", {"file": "out.yaml", "diagram": "blockdyn: 1\nblocks: {}\n"}),
        ("measure", {"diagram": "quadrotor", "measures": {"a": {"system": "rm"}}}),
        ("sweep", {"diagram": "two-tanks", "axes": {"nothing": [1]}, "measures": {}}),
        ("explain_block", {"name": "../x"}),
    ],
)
def test_what_is_refused_has_a_type_and_a_message(
    agent: Agent, folder: Path, tool: str, arguments: dict[str, Any]
) -> None:
    before = sorted(folder.iterdir())
    errors = agent.call(tool, **arguments)["errors"]
    assert all(error["type"] and error["message"] for error in errors)
    assert errors
    assert sorted(folder.iterdir()) == before


def test_wrong_arguments_and_tools_are_errors_of_the_protocol(agent: Agent) -> None:
    assert "diagram" in agent.call("run", diagram=5)[0]["text"]
    assert agent.send("tools/call", {"name": "delete", "arguments": {}})


def test_without_consent_there_is_no_tool_that_writes(tmp_path: Path) -> None:
    reader = Agent(tmp_path)
    tools = {tool["name"] for tool in reader.send("tools/list", {})["tools"]}
    assert {"check", "fix", "run"} <= tools
    assert "write" not in tools
    reader.close()
