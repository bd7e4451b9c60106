"""Random use of the studio keeps comments and scenes, undo leads back, and no kill loses an edit."""

from __future__ import annotations

import json
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from blockdyn.cli.studio import Types
from blockdyn.diagrams.yaml import loads
from blockdyn.diagrams.yaml.editing import DiagramText
from blockdyn.pages.studio import Studio
from blockdyn.pages.studio_draft import Draft

from .judge import Judge, say

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

FILE = """\
# a loop, first comment
blockdyn: 1   # version
name: loop
parameters:
  k: 2.0  # gain of the loop

blocks:  # what it consists of
  reference: {type: Constant, value: 1.0}  # set point
  error: {type: Sum, signs: "+-"}
  # the controller
  controller: {type: Gain, k: =k}   # proportional
  plant:
    type: Integrator   # of order 1
    initial: 0.5
wires:
  - reference -> error[0]   # forward
  - error -> controller -> plant  # the chain
  - plant -> error[1]       # feedback
# below the wires
simulate: {stop: 1.0}  # s
log: [plant, controller]
view:
  error: [100, 50]
  controller: [200, 50]  # here
"""
WAIT = 60.0  # s for an answer, on a machine that has other work
ACTIONS = 10  # of a sequence, at most 15: a fresh reading of the text checks one in three
CHECKED = 1 / 3
WINDOW = 4  # messages under way when the server is killed
CHAIN = 5  # servers, each started where the last one was killed
BURST = 16  # messages of a server that is killed among them
LATE = 0.02  # s, the longest time from an answer to the kill: some edits
PROGRESS = 50  # sequences from one report of the memory to the next
GROWTH = 0.05  # of the memory between a third of the run and its end
COMMENT = re.compile(r"(?:^|(?<=\s))#.*$", re.MULTILINE)
DROPS = {"remove_block", "disconnect"}  # edits that remove lines with their comments
WORDS = ("gain 3", "gain k", "1/(s+2)", "5", "+-", "limiter", "z/(z-0.5)", "pid kp=2 ki=0.5", "nonsense")
EDITS = (
    "add", "add", "wire", "cut", "place", "rename", "group", "group", "dissolve", "remove", "set", "write",
    "paste", "look", "look",
)  # fmt: skip
OTHERS = ("insert", "insert", "layout", "undo", "undo", "redo", "text", "text", "damage", "save")
KINDS = (*EDITS, *EDITS, *OTHERS)
Message = dict[str, Any]


# ---- random actions ----


class Hand:
    """Draws messages that a page would send for a text."""

    def __init__(self, random: Random) -> None:
        self.random, self.count = random, 0

    def draw(self, state: Message) -> Message:
        """The next message, for the state that the page shows."""
        self.count += 1
        kind = self.random.choice(KINDS)
        text = state["text"]
        if kind in ("undo", "redo", "save"):
            return {"type": kind}
        if kind == "text":
            return {"type": "text", "text": self._typed(text), "continues": self.random.random() < 0.3}
        if kind == "damage":
            return {"type": "text", "text": f"{text}log{self.count}: [plant\n"}
        try:
            document = DiagramText(text)
        except Exception:  # noqa: BLE001  a damaged text is mended by undo
            return {"type": "undo"}
        level = self.random.choice(subsystems(document))
        if kind == "layout":
            return {"type": "layout", "level": level, "names": None}
        wires = wires_of(document, level)
        if kind == "insert":
            at = [self.random.randrange(500), self.random.randrange(300)]
            wire = self.random.choice(wires) if wires and self.random.random() < 0.5 else None
            words = self.random.choice(WORDS)
            return {"type": "insert", "words": words, "at": at, "wire": wire, "level": level}
        edit = self._edit(kind, document, level, wires)
        return {"type": "edit", "edits": [edit], "level": level}

    def _typed(self, text: str) -> str:
        lines = text.splitlines(keepends=True)
        place = self.random.randrange(len(lines) + 1)
        if self.random.random() < 0.5:
            lines.insert(place, f"# note {self.count}\n")
        elif place < len(lines):
            lines[place] = re.sub(r"\b\d+\.\d+", f"{self.random.uniform(0.1, 9.0):.3f}", lines[place])
        return "".join(lines)

    def _edit(self, kind: str, document: DiagramText, level: str, wires: list[list[str]]) -> list[Any]:
        """An edit of a level, which the studio may refuse."""
        random, number = self.random, self.count
        types = types_of(document, level)
        names = list(types) or ["nobody"]
        inner = [name for name in names if types.get(name) not in ("Inport", "Outport")] or ["nobody"]
        gains = [name for name in names if types.get(name) == "Gain"] or ["nobody"]
        if kind == "add":
            entry = random.choice([{"type": "Gain", "k": 2.5}, {"type": "Integrator"}, {"type": "Sum"}])
            return ["add_block", f"n{number}", entry]
        if kind == "wire":
            return ["connect", random.choice(names), random.choice(names)]
        if kind == "cut" and wires:
            return ["disconnect", *random.choice(wires)]
        if kind == "rename":
            return ["rename_block", random.choice(names), f"r{number}"]
        if kind == "look":
            size = random.choice([None, [random.randint(10, 90), random.randint(10, 90)]])
            at = [random.randrange(500), random.randrange(300)]
            change = random.choice([["turn", random.randrange(4)], ["resize", size]])
            return [change[0], random.choice(names), *at, change[1]]
        if kind == "group":
            members = random.sample(inner, random.randint(1, min(3, len(inner))))
            return ["make_subsystem", f"s{number}", *members]
        if kind == "dissolve":
            groups = [name for name in names if types.get(name) == "Subsystem"]
            return ["dissolve_subsystem", random.choice(groups or ["nobody"])]
        if kind == "remove":
            return ["remove_block", random.choice([name for name in inner if name[0] in "np"] or inner)]
        if kind == "set":
            return ["set_parameter", f"{random.choice(gains)}.k", round(random.uniform(-3.0, 3.0), 2)]
        if kind == "write":
            typed = random.choice(["1e-3", "3.0", "=2 * k", "", "x:", "[1, 2]"])
            return ["write", f"{random.choice(gains)}.k", typed]
        if kind == "paste":
            return ["paste", f"p{number}: {{type: Gain, k: 1}}  # pasted {number}\n", 20, 20]
        return ["place", random.choice(names), random.randrange(500), random.randrange(300)]


def types_of(document: DiagramText, level: str) -> dict[str, str]:
    """The type of each block of a subsystem."""
    section = document.part((*document.level(level), "blocks"))
    entries = section.entries if section is not None else {}
    kinds = {name: entry.node.entries.get("type") for name, entry in entries.items()}
    return {name: str(kind.node.value) for name, kind in kinds.items() if kind is not None}


def wires_of(document: DiagramText, level: str) -> list[list[str]]:
    """The first two ends of each wire of a subsystem that is written as a chain."""
    section = document.part((*document.level(level), "wires"))
    chains = [item.value for item in (section.items if section is not None else ())]
    ends = [[end.strip() for end in chain.split("->")] for chain in chains if isinstance(chain, str)]
    return [pair[:2] for pair in ends if len(pair) > 1 and "," not in pair[1]]


def subsystems(document: DiagramText, level: str = "") -> list[str]:
    """The paths of all levels whose blocks are in the text."""
    paths = [level]
    section = document.part((*document.level(level), "blocks"))
    for name, entry in (section.entries if section is not None else {}).items():
        if "diagram" in entry.node.entries:
            paths += subsystems(document, f"{level}/{name}" if level else name)
    return paths


# ---- a server ----


class Socket:
    """A page's socket, and the last state that came by it."""

    def __init__(self, connection: ClientConnection) -> None:
        self.connection, self.number = connection, 0
        self.state = Message()
        self.ask({"type": "open"})

    def send(self, message: Message) -> int:
        """Send a message; its number is in the answer."""
        self.number += 1
        self.connection.send(json.dumps({**message, "id": self.number}))
        return self.number

    def receive(self) -> Message:
        """The next message of the server."""
        message: Message = json.loads(self.connection.recv(timeout=WAIT))
        if message["type"] == "state":
            self.state = message
        return message

    def answer(self, number: int) -> Message:
        """The answer to a message, after all that came before it."""
        while (message := self.receive()).get("answers") != number:
            pass
        return message

    def ask(self, message: Message) -> Message:
        """Send a message and wait for its answer."""
        return self.answer(self.send(message))

    def settle(self) -> None:
        """Take what is under way: an unknown message is answered after it."""
        self.ask({"type": "settle"})


class Server:
    """`blockdyn studio` of a file, as a process."""

    def __init__(self, file: Path) -> None:
        command = [sys.executable, "-m", "blockdyn", "studio", str(file), "--no-browser"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().split()[-1]

    @contextmanager
    def socket(self) -> Iterator[Socket]:
        """A socket as a page opens it."""
        origin: Any = self.url.rsplit("/", 2)[0]
        address = f"{self.url.replace('http', 'ws', 1)}socket"
        with connect(
            address, origin=origin, max_size=None, compression=None, open_timeout=WAIT
        ) as connection:
            yield Socket(connection)

    def kill(self) -> None:
        """End the process at once."""
        self.process.send_signal(signal.SIGKILL)

    def end(self) -> None:
        """Kill the process and wait for its end."""
        self.kill()
        self.process.communicate()

    def memory(self) -> float:
        """Resident memory in MB; 0 where the system has no /proc."""
        with suppress(OSError):
            status = Path(f"/proc/{self.process.pid}/status").read_text()
            match = re.search(r"^VmRSS:\s+(\d+) kB", status, re.MULTILINE)
            return float(match[1]) / 1e3 if match else 0.0
        return 0.0


# ---- sequences of actions in two browsers ----


def fuzz_studio(count: int, seed: int) -> int:
    """Use one server `count` times, each time from the file and back; the exit status."""
    judge = Judge(limit=WAIT)
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "loop.yaml"
        file.write_text(FILE, encoding="utf-8")
        server, early = Server(file), 0.0
        try:
            with server.socket() as one, server.socket() as two:
                for number in range(count):
                    if number == count // 3:
                        early = server.memory()
                    if number % PROGRESS == PROGRESS - 1:
                        say(f"{number + 1} sequences: {server.memory():.1f} MB in the server")
                    use = Sequence(one, two, file, Random(f"{seed}/{number}"))
                    judge.run(f"studio {seed}/{number}", use.run, lambda use=use: use.story())
                    judge.outcomes.update(use.tally)
                    if use.broken:
                        break
            late = server.memory()
        finally:
            server.end()
    say(f"memory of the server: {early:.1f} MB after a third, {late:.1f} MB at the end")
    if count >= 300 and late > (1.0 + GROWTH) * early:
        judge.failures += 1
        say("the memory of the server grows")
    return judge.report()


class Sequence:
    """Random actions by two browsers on one file, then undo to the start."""

    def __init__(self, one: Socket, two: Socket, file: Path, random: Random) -> None:
        self.pages, self.file, self.random = (one, two), file, random
        self.hand, self.sent = Hand(random), list[Message]()
        self.tally: Counter[str] = Counter()
        self.broken = True  # until it has ended well

    def run(self) -> str:
        """All actions with their checks."""
        for _ in range(self.random.randint(ACTIONS // 2, ACTIONS * 3 // 2)):
            self._act()
            if self.random.random() < CHECKED:
                self._check_scenes()
        self._check_scenes()
        page = self.pages[0]
        while page.state["undo"]:
            page.ask({"type": "undo"})
        for each in self.pages:
            each.settle()
            assert each.state["text"] == FILE, "undo does not lead to the text of the file"
        page.ask({"type": "save"})
        assert self.file.read_bytes() == FILE.encode(), "the file is not what it was"
        self.broken = False
        return "sequence"

    def story(self) -> str:
        """What was sent, and the text."""
        sent = "\n".join(json.dumps(message)[:300] for message in self.sent)
        return f"{sent}\n{self.pages[0].state['text']}"

    def _act(self) -> None:
        page, other = self.random.sample(self.pages, 2)
        before = page.state
        message = self.hand.draw(before)
        late = self.random.random() < 0.1 and message["type"] in ("edit", "text")
        version = before["version"]
        if self.random.random() < 0.2 and "level" in message:
            page.ask({"type": "enter", "level": message["level"]})
        if late:  # the other browser is first
            other.ask({"type": "edit", "version": version, "edits": [["place", "plant", 7, self.hand.count]]})
        self.sent.append(message)
        answer = page.ask({**message, "version": version})
        for each in self.pages:
            each.settle()
        name = message["edits"][0][0] if message["type"] == "edit" else message["type"]
        self.tally[f"{name}{' refused' * (answer['type'] != 'state')}"] += 1
        one, two = (each.state for each in self.pages)
        assert (one["text"], one["version"]) == (two["text"], two["version"]), "two browsers differ"
        unchanged = name in DROPS or name in ("text", "undo", "redo") or message.get("wire")
        gone = Counter(COMMENT.findall(before["text"])) - Counter(COMMENT.findall(one["text"]))
        assert unchanged or not gone, f"comments are gone after {message}: {gone}"
        if answer["type"] == "error" and not late:
            assert one["text"] == before["text"], "a refused edit has changed the text"

    def _check_scenes(self) -> None:
        """The scenes are those of a studio that reads the text for the first time."""
        for page in self.pages:
            state = page.state
            if state["stale"]:
                continue
            draft = Draft(self.file.with_name("fresh.yaml"), state["text"])
            draft.path = self.file  # which messages name
            studio = Studio(draft, Types())
            page_like = studio.join(lambda _message: None)
            page_like.level = state["level"]
            fresh = json.loads(json.dumps(studio.state(page_like)))
            assert placeless(state["scene"]) == placeless(fresh["scene"]), "another scene than the text's"
            for key in ("errors", "level", "name"):
                assert state[key] == fresh[key], f"{key}: {state[key]}, and of the text {fresh[key]}"
            if not state["level"] and not state["errors"]:
                check_diagram(state)


def placeless(scene: Message | None) -> Message | None:
    """A scene without places, which automatic layout may give in another way."""
    if scene is None:
        return None
    blocks = [{key: value for key, value in block.items() if key not in "xy"} for block in scene["blocks"]]
    return {**scene, "blocks": blocks}


def check_diagram(state: Message) -> None:
    """The text is loaded as the diagram that the scene shows."""
    diagram, scene = loads(state["text"]), state["scene"]
    assert list(diagram.blocks) == [block["name"] for block in scene["blocks"]], "other blocks"
    wires = {(str(wire.source), str(wire.destination)) for wire in diagram.wires}
    assert wires == {(wire["source"], wire["destination"]) for wire in scene["wires"]}, "other wires"
    places = {block["name"]: (block["x"], block["y"]) for block in scene["blocks"]}
    for name, place in diagram.positions.items():
        at = place["at"] if isinstance(place, dict) else place
        assert places[name] == tuple(at), f"{name} is in another place"


# ---- kills ----


def fuzz_kills(count: int, seed: int) -> int:
    """Kill `count` servers among edits, most of them started where the last one ended; the exit status."""
    judge = Judge(limit=WAIT)
    with tempfile.TemporaryDirectory() as name:
        file = Path(name) / "studio" / "loop.yaml"
        for number in range(count):
            if number % CHAIN == 0:
                shutil.rmtree(file.parent, ignore_errors=True)
                file.parent.mkdir()
                file.write_text(FILE, encoding="utf-8")
            kill = Kill(file, Path(name) / str(number), Random(f"{seed}/{number}"))
            judge.run(f"kills {seed}/{number}", kill.run, lambda kill=kill: kill.story())
            judge.outcomes.update(kill.tally)
    return judge.report()


class Kill:
    """A server that is killed among edits, and a studio without a server that gets the same messages.

    The second one has the text and the file after each message; the first one must leave one of them, not
    before the last message that it has answered.
    """

    def __init__(self, file: Path, copy: Path, random: Random) -> None:
        self.file, self.random, self.tally = file, random, Counter[str]()
        shutil.copytree(file.parent, copy)
        self.twin = Draft(copy / file.name)
        self.texts, self.files = [self.twin.text], [self.twin.path.read_bytes()]
        self.answered = self.sent = 0

    def run(self) -> str:
        """Send, kill and look at what is left."""
        messages = self._play()
        server = Server(self.file)
        try:
            with suppress(ConnectionClosed), server.socket() as socket:
                assert socket.state["text"] == self.texts[0], "the next server has another text"
                self._send(server, socket, messages)
        finally:
            server.end()
        content = self.file.read_bytes()
        window = slice(self.answered, self.sent + 1)
        assert content in self.files[window], "the file has a content that nobody saved"
        text = Draft(self.file).text
        assert text in self.texts[window], "the next studio has lost an edit"
        self.tally["messages answered"] += self.answered
        self.tally["messages under way"] += self.sent - self.answered
        unsaved = text != content.decode()
        return f"killed with {'unsaved' if unsaved else 'saved'} text"

    def story(self) -> str:
        """What was expected, and what was left."""
        window = slice(self.answered, self.sent + 1)
        folder = {path.name: path.read_bytes() for path in self.file.parent.iterdir()}
        return f"one of {self.texts[window]!r}\nleft: {folder!r}"

    def _play(self) -> list[Message]:
        """Messages with their versions, as the twin takes them."""
        studio, hand = Studio(self.twin, Types()), Hand(self.random)
        viewer = studio.join(lambda _message: None)
        messages = []
        for _ in range(BURST):
            message = {**hand.draw({"text": self.twin.text}), "version": self.twin.version}
            studio.heard(viewer, message)
            messages.append(message)
            self.texts.append(self.twin.text)
            self.files.append(self.twin.path.read_bytes())
        return messages

    def _send(self, server: Server, socket: Socket, messages: list[Message]) -> None:
        """Send messages until the server is gone."""
        fatal, numbers = self.random.randrange(1, BURST), list[int]()
        timer = threading.Timer(self.random.uniform(0.0, LATE), server.kill)
        while self.answered < BURST:
            while self.sent < min(BURST, self.answered + WINDOW):
                numbers.append(socket.send(messages[self.sent]))
                self.sent += 1
            socket.answer(numbers[self.answered])
            self.answered += 1
            if self.answered == fatal:
                timer.start()
        timer.join()
