"""The studio edits one diagram in browsers: its text is the model, every change an edit of the text."""

from __future__ import annotations

import time as clock
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from threading import Thread
from typing import Any, Protocol

from ..base.errors import BlockdynError
from ..base.yaml.positions import Node
from ..blocks.contract.block import Block
from ..diagrams.model.diagram import Diagram
from ..diagrams.yaml.completion import Names, complete
from ..diagrams.yaml.editing import DiagramText
from ..diagrams.yaml.errors import EditError
from ..diagrams.yaml.fixes import fix_text, proposals
from ..diagrams.yaml.grouping import unused_name
from ..diagrams.yaml.source import Source, Trust
from .serving import Send
from .studio_draft import Draft, FileConflict, apply_edits, by_place, merged, on_wire
from .studio_runs import Browser, LiveSession, run_reading, work_on
from .studio_scene import Canvas, Message, Reading, Scene, describe_error, free_layout, read, size_of_block

MOST_BLOCKS = 500  # that are remembered, of all texts so far, and four times those of the text
LEVELS = 32  # subsystems whose automatic places are remembered, the last ones shown
USUAL = (50.0, 40.0)  # px of a block around whose middle a page puts a new one
VERSIONS = 200  # of the text, against which edits that come late are read
OVERLAP = "Two browsers changed the same lines. The text sent last stands; Undo brings the other one back."
_WRONG_MESSAGE = (
    ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError
)  # fmt: skip


class Catalogue(Protocol):
    """Block types as the page offers them."""

    def palette(self) -> list[Message]:
        """Families with their types."""
        ...

    def search(self, words: str) -> list[Message]:
        """Types that fit words, best first."""
        ...

    def explain(self, kind: str, values: Mapping[str, Any]) -> Message:
        """Text and parameters of a type. Raises UnknownBlockType."""
        ...

    def analyse(self, diagram: Diagram, request: Mapping[str, Any]) -> Message:
        """Tables, curves and a picture of an analysis. Raises BlockdynError."""
        ...

    def picture(self, kind: str) -> Message:
        """The response of a type's example as SVG, with a caption; empty if there is nothing to see."""
        ...

    def entry(self, words: str, parameters: Sequence[str]) -> tuple[str, Message]:
        """A short name and the entry of a block for words. Raises EditError."""
        ...


class Studio:
    """Holds a diagram's text for all browsers. `heard` takes every message; everything runs in one thread,
    and runs and fixes in a second one, whose answers are handed to `post`.
    """

    def __init__(
        self, draft: Draft, catalogue: Catalogue, *, trust: Trust = False, folder: Path | None = None
    ) -> None:
        self.draft, self.catalogue = draft, catalogue
        self.folder = (draft.path.resolve().parent if folder is None else folder).resolve()
        self.trust: Trust = trust
        self.browsers: list[Browser] = []
        self.post: Callable[[Callable[[], None]], object] = lambda call: call()
        self._canvases: dict[str, Canvas] = {}  # by level
        self._reading: Reading | None = None
        self._scenes: dict[str, tuple[Scene, Message]] = {}  # by level, of the last text that was YAML
        self._texts: dict[int, str] = {}  # by version, the last ones
        self._document: DiagramText | None = None
        self._blocks: dict[int, tuple[Node, str, Block]] = {}  # that entries of the text have declared
        self._tasks: SimpleQueue[Callable[[], None]] | None = None
        self._after: Callable[[], None] | None = None  # a run of what the change on its way makes
        self._answers: dict[str, Callable[[Browser, Mapping[str, Any]], None]] = {
            "open": self._enter, "enter": self._enter,
            "edit": self._edit, "text": self._text,
            "undo": lambda _browser, _: self._change(self.draft.undo),
            "redo": lambda _browser, _: self._change(self.draft.redo),
            "reload": lambda _browser, _: self._change(self.draft.reload),
            "save": self._save, "layout": self._layout, "insert": self._insert,
            "palette": lambda browser, _: browser.send(
                {"type": "palette", "families": self.catalogue.palette()}
            ),
            "search": lambda browser, message: browser.send(
                {"type": "hits", "hits": self.catalogue.search(str(message["words"]))}
            ),
            "explain": self._explain, "check": self._check, "complete": self._complete,
            "fix": self._fix, "remedies": self._remedies, "run": self._run, "analyse": self._analyse,
            "picture": self._picture, "live": self._live,
        }  # fmt: skip

    # ---- its audience ----

    def join(self, send: Send) -> Browser:
        """Another browser shows the diagram."""
        browser = Browser(send)
        self.browsers.append(browser)
        return browser

    def leave(self, viewer: Browser) -> None:
        """A browser is closed."""
        if viewer in self.browsers:
            self.browsers.remove(viewer)
        if viewer.live is not None:
            viewer.live.end()

    def heard(self, viewer: Browser, message: Any) -> None:
        """Handle a message; errors go to its sender."""
        kind = message.get("type") if isinstance(message, dict) else None
        answer = self._answers.get(kind) if isinstance(kind, str) else None
        number = message.get("id") if isinstance(message, dict) else None
        viewer.asked = number if isinstance(number, int) else None
        try:
            if answer is None:
                raise ValueError("there is no such message")
            run = message.get("run")
            self._after = partial(self._run_again, viewer, run) if isinstance(run, Mapping) else None
            answer(viewer, message)
        except FileConflict as conflict:
            viewer.answer({"type": "conflict", "text": conflict.text})
        except BlockdynError as error:
            viewer.answer({"type": "error", "about": str(kind)[:40], "text": str(error)})
        except _WRONG_MESSAGE as error:
            text = f"{str(kind)[:40]}: {type(error).__name__}: {error}"
            viewer.answer({"type": "error", "about": str(kind)[:40], "text": text[:400]})
        finally:
            viewer.asked = None

    def glance(self) -> None:
        """Look at the file: a change of others is taken over, or reported if there are unsaved edits."""
        try:
            if self.draft.glance():
                self._publish()
        except FileConflict as conflict:
            for browser in list(self.browsers):
                browser.send({"type": "conflict", "text": conflict.text})

    # ---- the state ----

    def source(self) -> Source:
        """Reader of the files that the diagram names."""
        source = Source.of_file(self.draft.path, self.trust)
        if len(self._blocks) > MOST_BLOCKS + 4 * self.draft.text.count("type"):
            self._blocks.clear()
        return replace(source, blocks=self._blocks, folder=self.folder, root=self.folder)

    def reading(self) -> Reading:
        """The text as it is now, read."""
        if self._reading is None or self._reading.text != self.draft.text:
            root = None
            with suppress(BlockdynError):  # which tells all errors of the text below
                root = self.document().root
            self._reading = read(self.draft.text, self.source, root, self._reading)
        return self._reading

    def state(self, viewer: Browser | None = None) -> Message:
        """The state for a browser, with the scene of its level or of the nearest one around that exists."""
        draft, reading = self.draft, self.reading()
        self._texts[draft.version] = draft.text
        self._texts.pop(draft.version - VERSIONS, None)
        level = "" if viewer is None else viewer.level
        while self._scene(level) is None and level:
            level = level.rpartition("/")[0]
        if viewer is not None and reading.is_yaml:
            viewer.level = level
        drawn = self._scene(level)
        name = reading.diagram.name if reading.diagram is not None else draft.path.stem
        return {
            "type": "state", "version": draft.version, "text": draft.text, "name": name,
            "file": str(draft.path), "saved": draft.saved, "undo": draft.can_undo, "redo": draft.can_redo,
            "recovered": draft.recovered, "stale": not reading.is_yaml,
            "errors": [describe_error(error) for error in reading.errors],
            "scene": None if drawn is None else drawn[1], "level": level, "locked": self._locked(level),
        }  # fmt: skip

    def _scene(self, level: str) -> tuple[Scene, Message] | None:
        """The scene of a subsystem, of the last text that was YAML; None if there is no such subsystem."""
        reading = self.reading()
        present = self._scenes.get(level)
        if reading.is_yaml and (present is None or present[0].reading is not reading):
            self._scenes.pop(level, None)
            with suppress(BlockdynError):  # too large, within itself, not there: the errors say so
                same = present is not None and present[0].reading is reading.before
                scene = (
                    present[0].moved(reading)
                    if present and same
                    else Scene(reading, level, present and present[0])
                )
                places = self._canvas(level).places(scene.drawn, scene.parts)
                self._scenes[level] = scene, scene.message(places, present[1] if present and same else None)
            shown = {"", level, *(browser.level for browser in self.browsers)}
            for other in self._scenes.keys() - shown:  # a scene holds its reading, with the program
                del self._scenes[other]
        return self._scenes.get(level)

    def _canvas(self, level: str) -> Canvas:
        """The places of a level, which is the last one shown now."""
        canvas = self._canvases.pop(level) if level in self._canvases else Canvas()
        self._canvases[level] = canvas
        for other in [*self._canvases][:-LEVELS]:
            del self._canvases[other]
        return canvas

    def _locked(self, level: str) -> str:
        """The reason why a subsystem cannot be edited here; nothing if it can."""
        if not level:
            return ""
        try:
            self.document().level(level)
        except BlockdynError as error:
            remedy = getattr(error, "expected", "")
            return f"{getattr(error, 'actual', error)}{f': {remedy}' if remedy else ''}"
        return ""

    def _enter(self, browser: Browser, message: Mapping[str, Any]) -> None:
        """Show a subsystem, or the diagram for the level \"\"."""
        browser.level = str(message.get("level", ""))
        browser.answer(self.state(browser))

    def document(self) -> DiagramText:
        """The text for edits. Raises YamlError where it is not YAML."""
        if self._document is None:
            self._document = DiagramText(self.draft.text, self.draft.path)
        elif self._document.text != self.draft.text:
            self._document.become(self.draft.text)
        return self._document

    def _publish(self) -> None:
        after, self._after = self._after, None
        if after is not None:
            after()  # it goes on while the scene is made
        for browser in list(self.browsers):
            browser.answer(self.state(browser))

    def _change(self, change: Callable[[], None]) -> None:
        change()
        self._publish()

    # ---- changes of the text ----

    def _edit(self, browser: Browser, message: Mapping[str, Any]) -> None:
        """Make edits; those of an older version are made on the text as it is now if they fit there."""
        edits, level = message["edits"], str(message.get("level", ""))
        continues = message.get("continues") is True
        if message.get("version") == self.draft.version:
            self._apply(edits, level, continues=continues)
            return
        try:
            if message.get("version") not in self._texts or by_place(edits):
                raise EditError("an edit of an older text", "the edit again, on the text as it is now")
            self._apply(edits, level, continues=continues)
        except BlockdynError as error:
            text = (
                f"The diagram was changed elsewhere meanwhile, and your edit does not fit any more. {error}"
            )
            browser.answer({"type": "error", "about": "edit", "text": text})
            browser.send(self.state(browser))

    def _apply(self, edits: Any, level: str = "", *, continues: bool = False) -> None:
        """Make several edits as one step, or as more of the last one, or none of them."""
        text = self.document()
        try:
            apply_edits(text, edits, level)
        finally:
            self._document = text
        self._change(partial(self.draft.change, text.text, continues=continues))

    def _text(self, browser: Browser, message: Mapping[str, Any]) -> None:
        """Take the text as it was typed, merged with what others have changed since its version."""
        text, base, overlap = message["text"], self._texts.get(message.get("version", 0)), False
        base = self.draft.text if message.get("version") == self.draft.version else base
        if not isinstance(text, str):
            raise TypeError("`text` is the text of the diagram")
        if base is None:
            browser.answer(self.state(browser))
            return
        if "\r\n" in self.draft.text and "\r" not in text:  # editors show lines, not their ends
            text = text.replace("\n", "\r\n")
        if base != self.draft.text:
            text, overlap = merged(base, text, self.draft.text)
        continues = message.get("continues") is True
        self._change(partial(self.draft.change, text, continues=continues))
        for each in self.browsers if overlap else ():
            each.send({"type": "note", "text": OVERLAP})

    def _save(self, _browser: Browser, message: Mapping[str, Any]) -> None:
        self._change(partial(self.draft.save, overwrite=message.get("overwrite") is True))

    def _layout(self, _browser: Browser, message: Mapping[str, Any]) -> None:
        """Write places by ELK for some blocks or all."""
        level, names = str(message.get("level", "")), message.get("names")
        drawn = self._scene(level)
        if drawn is None:
            raise ValueError("this text has no diagram to lay out")
        scene = drawn[0]
        free = free_layout(scene.drawn, scene.parts)
        chosen = [name for name in free if names is None or name in names]
        shift = [0.0, 0.0]
        if names is not None and chosen:
            places = self._canvas(level).places(scene.drawn, scene.parts)
            shift = [sum(places[n][k] - free[n][k] for n in chosen) / len(chosen) for k in (0, 1)]
        self._apply([["place", n, *(round(free[n][k] + shift[k], 1) for k in (0, 1))] for n in chosen], level)

    def _insert(self, browser: Browser, message: Mapping[str, Any]) -> None:
        """Add a block for words, on a wire if there is one."""
        text, at, wire = self.document(), message.get("at"), message.get("wire")
        level = str(message.get("level", ""))
        steps = text.level(level)
        node = text.part((*steps, "parameters"))
        base, entry = self.catalogue.entry(str(message["words"]), list(node.entries) if node else [])
        blocks = text.part((*steps, "blocks"))
        name = unused_name(base, list(blocks.entries) if blocks else [])
        edits: list[list[Any]] = [["add_block", name, entry]]
        if wire is not None:
            source, destination = map(str, wire)
            edits += [["disconnect", source, destination], *on_wire(text, name, entry, source, destination)]
        if at is not None:
            size = size_of_block(text, name, entry)  # blocks around one line have their ports on it
            edits.append(["place", name, *(round(at[k] + (USUAL[k] - size[k]) / 2) for k in (0, 1))])
        self._apply(edits, level)
        browser.send({"type": "inserted", "name": name})

    # ---- answers that change nothing ----

    def _explain(self, browser: Browser, message: Mapping[str, Any]) -> None:
        path, kind, values = message.get("block"), message.get("kind"), dict[str, Any]()
        if path is not None:
            text, level = self.document(), str(message.get("level", ""))
            values = self._entry(text, level, str(path))
            kind = values.pop("type", "") if isinstance(values, dict) else ""
        explanation = self.catalogue.explain(str(kind), values)
        browser.send({"type": "explanation", "name": str(path or kind), "kind": str(kind), **explanation})

    def _complete(self, browser: Browser, message: Mapping[str, Any]) -> None:
        """Words that may stand at a position of a text, which need not be the draft's."""
        reading, drawn = self.reading(), self._scene("")
        blocks = drawn[1]["blocks"] if drawn else ()
        ports = [
            {block["name"]: [port["name"] for port in block[side]] for block in blocks if block[side]}
            for side in ("inputs", "outputs")
        ]
        parameters = [*reading.diagram.parameters] if reading.diagram is not None else []
        answer = complete(str(message["before"]), str(message["after"]), Names(parameters, *ports))
        options = [
            {"label": p.label, "detail": p.detail, "info": p.info, "apply": p.text or p.label}
            for p in answer.proposals
        ]
        browser.send({"type": "candidates", "back": answer.back, "options": options})

    def _check(self, browser: Browser, message: Mapping[str, Any]) -> None:
        """The error that a value of a parameter would have, without a change of the text."""
        path, value = str(message["path"]), str(message["text"])
        edited, problem = DiagramText(self.draft.text, self.draft.path), ""
        try:
            apply_edits(edited, [["write", path, value]], str(message.get("level", "")))
            before = {describe_error(error)["message"] for error in self.reading().errors}
            errors = [describe_error(error) for error in read(edited.text, self.source).errors]
            fresh = [error for error in errors if error["message"] not in before]
            block = path.rpartition(".")[0]
            fresh.sort(key=lambda error: error["path"] != block)
            problem = fresh[0]["message"] if fresh else ""
        except BlockdynError as error:
            problem = describe_error(error)["message"]
        browser.send({"type": "verdict", "path": path, "text": value, "problem": problem})

    def _remedies(self, browser: Browser, _message: Mapping[str, Any]) -> None:
        """For each error that one change mends, the change and the text after it."""
        text, version, source = self.draft.text, self.draft.version, self.source

        def work() -> Message:
            offers = [
                {**describe_error(fix.error), "change": fix.change, "text": changed}
                for fix, changed in proposals(text, source)
            ]
            return {"type": "remedies", "version": version, "offers": offers}

        self._start(browser, "remedies", work)

    def _entry(self, text: DiagramText, level: str, name: str) -> Any:
        """The entry of a block; in a file of its own only its type."""
        try:
            return text.get(*text.block(f"{level}/{name}" if level else name))
        except EditError:
            drawn = self._scene(level)
            part = next((part for part in drawn[0].parts if part.name == name), None) if drawn else None
            return {"type": part.kind if part is not None else ""}

    def _picture(self, browser: Browser, message: Mapping[str, Any]) -> None:
        kind = str(message["kind"])
        self._start(
            browser, "picture", lambda: {"type": "response", "kind": kind, **self.catalogue.picture(kind)}
        )

    def _fix(self, browser: Browser, _message: Mapping[str, Any]) -> None:
        text, path = self.draft.text, self.draft.path
        source = self.source

        def work() -> Message:
            fixed = fix_text(text, source, path)
            changes = [{"line": fix.error.line, "change": fix.change} for fix in fixed.fixes]
            errors = [describe_error(error) for error in fixed.errors]
            return {"type": "fixes", "fixes": changes, "text": fixed.text, "errors": errors}

        self._start(browser, "fix", work)

    def _run(self, browser: Browser, message: Mapping[str, Any]) -> None:
        reading, version, stop = self.reading(), self.draft.version, message.get("stop")
        if stop is not None:
            stop = float(stop)
        self._start(browser, "run", partial(run_reading, reading, version, stop))

    def _analyse(self, browser: Browser, message: Mapping[str, Any]) -> None:
        """An analysis of the diagram; `number` is its tab."""
        reading, version, number = self.reading(), self.draft.version, message.get("number")
        request = {**message, "folder": str(self.folder)}

        def work() -> Message:
            begin, answer = clock.perf_counter(), Message()
            try:
                if reading.error is not None:
                    raise reading.error
                assert reading.diagram is not None
                answer = self.catalogue.analyse(reading.diagram, request)
            except BlockdynError as error:
                answer = {"problem": str(error)}
            seconds = clock.perf_counter() - begin
            return {"type": "analysis", "number": number, "version": version, "seconds": seconds, **answer}

        self._start(browser, "analyse", work)

    def _live(self, browser: Browser, message: Mapping[str, Any]) -> None:
        """A message of a live run's page; a new live run for one without it, or the end of one."""
        inner = message.get("message")
        if inner is not None:
            if browser.live is not None:
                browser.live.heard(inner)
            return
        if browser.live is not None:
            browser.live.end()
            browser.live = None
        reading, stop = self.reading(), message.get("stop")
        if message.get("begin") is True:
            if reading.error is not None:
                raise reading.error
            assert reading.program is not None
            browser.live = LiveSession(reading.program, None if stop is None else float(stop), browser.send)

    def tick(self, seconds: float) -> bool:
        """Let time pass for the live runs; False if none of them goes."""
        sessions = [each.live for each in self.browsers if each.live is not None and each.live.going]
        for session in sessions:
            session.tick(seconds)
        return bool(sessions)

    def _run_again(self, browser: Browser, message: Mapping[str, Any]) -> None:
        """Run a diagram that has changed, if it is one; its page gets fewer samples."""
        reading, version, stop = self.reading(), self.draft.version, message.get("stop")
        if reading.program is not None:
            stop = None if stop is None else float(stop)

            def work() -> Message | None:
                if self.draft.version != version:  # another run waits already
                    return None
                return run_reading(reading, version, stop, quick=True)

            self._start(browser, "run", work)

    def _start(self, browser: Browser, about: str, work: Callable[[], Message | None]) -> None:
        """Do work in the other thread, after the work that waits there, and send its answer."""

        def task() -> None:
            try:
                answer = work()
            except BlockdynError as error:
                answer = {"type": "error", "about": about, "text": str(error)}
            except Exception as error:  # noqa: BLE001  of a user's function: the studio goes on
                answer = {"type": "error", "about": about, "text": f"{type(error).__name__}: {error}"}
            if answer is not None:
                with suppress(RuntimeError):  # the server has ended
                    self.post(partial(browser.send, answer))

        if self._tasks is None:
            self._tasks = SimpleQueue()
            Thread(target=work_on, args=(self._tasks,), daemon=True).start()
        self._tasks.put(task)
