"""A diagram holds named blocks and the wires between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

from ...base.door import door
from ...base.hints import AttributeHints, hint_keywords, unknown_attribute
from ...base.location import Location, caller
from ...base.words import article, inflect, visible
from ...blocks.contract.block import Block
from ...blocks.contract.parameter import Real, Rule
from ...blocks.contract.parameter_expression import Parameter, expression
from ...blocks.contract.registry import names as block_types
from ...blocks.contract.synonyms import block_hint
from .arguments import checked_name, described, mapping
from .chain import chain_wires, source_end
from .errors import BadName, BadWire, DuplicateName, UnknownBlock, contains_itself
from .handle import Endpoint, Handle, NamedSignal
from .mask import Choice, Requirement, declare, requirement, rule_of
from .settings import Arguments, checked
from .subsystem import Subsystem
from .values import Value
from .wire import End, Wire

if TYPE_CHECKING:
    from ...doors import Diagram as Doors
    from .section import Section
else:
    Doors = object

Source: TypeAlias = "str | Handle | Endpoint"
"""An end of a wire: `"block"`, `"block.port"`, `"block[0]"`, a handle or one of its ports."""
Destination: TypeAlias = "Source | Sequence[Source]"


class Diagram(AttributeHints, Doors):
    """Named blocks, wires between their ports, and parameters for the blocks' expressions.

    `parameters` are numbers, vectors or matrices, or expressions over one another (`"=2 * pi * f"`). A
    diagram can be a block of another one. It is a description: running does not change it, and you may change
    it and run it again.

    `at` is the place that errors name; default: the caller's line. Raises the DiagramError family.
    """

    @hint_keywords
    def __init__(self, name: str = "diagram", parameters: Mapping[str, Real | str] | None = None) -> None:
        if not isinstance(name, str):
            raise BadName(name, "diagram", "text", location=caller())
        self.name = name
        self.doc = ""  # what it shows
        self.positions: dict[str, Any] = {}  # of blocks in an editor: [x, y] by name; ignored by runs
        self.unread: dict[str, str] = {}  # types of the blocks of its file that have an error, by name
        self.source: str | None = None  # the text that it was read from, if that is all of it
        self.locations: dict[str, Location | None] = {}
        self.parameter_locations: dict[str, Location | None] = {}
        self.log_locations: dict[str, Location | None] = {}
        self.expression_locations: dict[tuple[str, str], Location] = {}  # by block and parameter
        self.location: Location | None = None  # in the file that it comes from
        self.rules: dict[str, Rule] = {}  # of parameters declared with more than a value
        self.needed: list[str] = []  # parameters without a default
        self.requirements: list[Requirement] = []  # conditions among parameters
        self.options: dict[str, Choice] = {}  # parameters of a file that are not numbers
        self.icon = ""  # its label as a block in an editor
        self.sections: dict[str, Section] = {}  # sections of the file that other packages read
        self._blocks: dict[str, Block | Subsystem] = {}
        self._wires: list[Wire] = []
        self._signals: dict[str, End] = {}
        self._parameters: dict[str, Value] = {}
        self._simulation: dict[str, Any] = {}
        self._logged: tuple[str, ...] | None = None
        self._counters: dict[str, int] = {}
        if parameters is not None:
            at = caller()
            for key, value in mapping("parameters", parameters, '{"k": 2.0}', at).items():
                self.parameter(key, value, at=at)

    if not TYPE_CHECKING:

        def __setattr__(self, name: str, value: object) -> None:
            if name not in self.__dict__ and "_counters" in self.__dict__:
                raise unknown_attribute(self, name, self._hint)
            object.__setattr__(self, name, value)

    @property
    def blocks(self) -> Mapping[str, Block | Subsystem]:
        """The blocks by name, in order of declaration."""
        return MappingProxyType(self._blocks)

    @property
    def wires(self) -> tuple[Wire, ...]:
        """The wires, in order of declaration."""
        return tuple(self._wires)

    @property
    def signals(self) -> Mapping[str, End]:
        """The sources of named signals."""
        return MappingProxyType(self._signals)

    @property
    def parameters(self) -> Mapping[str, Value]:
        """The parameters, numbers or expressions."""
        return MappingProxyType(self._parameters)

    @property
    def simulation(self) -> Mapping[str, Any]:
        """The defaults set with `settings`."""
        return MappingProxyType(self._simulation)

    @property
    def logged(self) -> tuple[str, ...] | None:
        """The paths that a result keeps; None: every output of the diagram's own blocks."""
        return self._logged

    def __getitem__(self, name: str) -> Handle:
        if name in self:
            return Handle(self, name, self._blocks[name])
        if isinstance(name, str) and name in self._signals:
            return NamedSignal(self, name)
        shown = name if isinstance(name, str) else described(name)
        raise UnknownBlock(shown, [*self._blocks, *self._signals], location=caller())

    def __iter__(self) -> Iterator[str]:
        return iter(self._blocks)

    def __len__(self) -> int:
        return len(self._blocks)

    def __bool__(self) -> bool:
        return True  # without blocks, too

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._blocks

    def _hint(self, name: str) -> str:
        if name in self._blocks:
            return f"\nuse diagram[{name!r}], the block; its numbers change in simulate(set={{...}})"
        if name in self._parameters:
            return f"\nuse .parameters[{name!r}]; a run with another value is simulate(parameters={{...}})"
        block = block_hint(name, block_types())
        return f'{block}\na block is added by `diagram.add("name", block)`' if block else ""

    def __repr__(self) -> str:
        name = visible(self.name, lines=False)
        return f"<Diagram {name}: {inflect(len(self._blocks), 'block')}, {inflect(len(self._wires), 'wire')}>"

    # ---- declaring ----

    def parameter(
        self, name: str, value: Real | str | None = None, *, unit: str = "", doc: str = "",
        minimum: float | None = None, above: float | None = None, maximum: float | None = None,
        choices: Sequence[float] = (), at: Location | None = None,
    ) -> Parameter:  # fmt: skip
        """Declare a parameter, or change its value; without a value, the user of the diagram must give it.

        Returns the expression that stands for it: `J = d.parameter("J", 0.2)`, then `bd.Gain(1 / J)`.
        `minimum`, `above` and `maximum` bound its elements, or `choices` lists them. Raises BadParameter.
        """
        rule = rule_of(unit, doc, minimum, above, maximum, choices)
        declare(self, name, value, rule, at or caller())
        return expression(name)

    def require(self, condition: str, message: str, *, at: Location | None = None) -> None:
        """Declare a condition on the parameters, such as `low < high`, and the message if it fails.

        Raises BadExpression.
        """
        self.requirements.append(requirement(self.name, condition, message, at or caller()))

    def add(self, name: str, block: Block | Subsystem | Diagram, *, at: Location | None = None) -> Handle:
        """Add a block, or a diagram as a subsystem, under a unique name.

        Raises BadName, DuplicateName, BadWire (if it is not a block), DiagramError (if it contains itself).
        """
        at = at or caller()
        checked_name(name, "block", at)
        self._refuse_duplicate(name, at)
        added: object = Subsystem(block) if isinstance(block, Diagram) else block
        if not isinstance(added, (Block, Subsystem)):
            shown = (
                f"the class {block.__name__}" if isinstance(block, type) else article(type(block).__name__)
            )
            expected = "a block, such as Gain(k=2.0), or a Diagram"
            if isinstance(block, Handle):
                expected += f"; `{block.name}` is in a diagram already: signal({name!r}, ...) gives it a name"
            raise BadWire(f"{name} is {shown}", expected, path=name, location=at)
        if isinstance(added, Subsystem) and added.diagram is self:
            raise contains_itself([self.name, name], location=at)
        self._blocks[name] = added
        self.locations[name] = at
        return Handle(self, name, added)

    def add_unnamed(self, stem: str, block: Block | Subsystem) -> Handle:
        """Add a block under the first free name of stem1, stem2, ..."""
        checked_name(stem, "block", caller())
        number = self._counters.get(stem, 0) + 1
        while f"{stem}{number}" in self._blocks or f"{stem}{number}" in self._signals:
            number += 1
        self._counters[stem] = number
        return self.add(f"{stem}{number}", block)

    def connect(self, source: Source, *destinations: Destination, at: Location | None = None) -> None:
        """Wire a chain: `connect(a, b, c)` is a -> b -> c; a list at the end fans out: `connect(a, [b, c])`.

        A block in the middle continues from its only output. Write it without a port: `connect(a, b[1], c)`
        is an error, because some read it as a chain and others as a fan-out. Ports are checked when the
        diagram is compiled, so wires may be declared before the blocks that they name. Raises BadWire.
        """
        self._extend(chain_wires(self, source, destinations, at or caller()))

    def _extend(self, wires: Iterable[Wire]) -> None:
        """Add wires whose ends have been read."""
        self._wires += wires

    def signal(self, name: str, source: Source, *, at: Location | None = None) -> Handle:
        """Name a signal; wires in this diagram and its subsystems can begin with the name.

        Returns it, for `connect`, `log`, arithmetic and the result. Raises BadName, DuplicateName, BadWire.
        """
        at = at or caller()
        checked_name(name, "signal", at)
        self._refuse_duplicate(name, at)
        self._signals[name] = source_end(self, source, at)
        self.locations[name] = at
        return NamedSignal(self, name)

    def log(self, *paths: Source, at: Location | None = None) -> None:
        """Keep these in the result, instead of every output of the outermost blocks.

        Paths reach into subsystems: `"plant/arm.q"`. Without arguments, nothing is kept. States are kept
        in any case.
        """
        at = at or caller()
        first: object = paths[0] if paths else None  # annotations are not checked at run time
        if isinstance(first, (list, tuple)):
            expected = f"one after the other, log({', '.join(map(repr, first))})"
            raise BadWire(f"log({described(first)})", expected, location=at)
        texts = [path if isinstance(path, str) else str(source_end(self, path, at)) for path in paths]
        self._logged = tuple(dict.fromkeys([*(self._logged or ()), *texts]))
        for text in texts:
            self.log_locations.setdefault(text, at)

    def settings(self, **simulation: Unpack[Arguments]) -> None:
        """Defaults of `simulate` for this diagram: stop, start, method, rtol, atol, max_step and so on.

        None removes a setting. Raises RunArgumentError for an impossible value.
        """
        merged = self._simulation | checked(simulation)
        self._simulation = {name: value for name, value in merged.items() if value is not None}

    def _refuse_duplicate(self, name: str, at: Location | None) -> None:
        if name in self._blocks or name in self._signals:
            what = "block" if name in self._blocks else "signal"
            raise DuplicateName(name, what, first=self.locations.get(name), location=at)

    def check(self) -> None:
        """Raise the errors of the diagram, without running it."""
        self.compile()

    if not TYPE_CHECKING:  # see doors.pyi
        linearize = door("analysis.linearize:linearize")
        loop = door("analysis.linearize:loop")
        linearize_along = door("analysis.linearize:linearize_along")
        frequency_response = door("analysis.sine_sweep:frequency_response")
        root_locus = door("analysis.locus:root_locus")
        trim = door("analysis.trim:trim")
        orbit = door("gradients.shooting:orbit")
        sensitivities = door("gradients.sensitivities:sensitivities")
        gradient = door("gradients.gradient:gradient")
        fit = door("gradients.fit:fit")
        tune = door("gradients.tune:tune")
        compile = door("diagrams.values.programs:program_of")
        live = door("pages.live.widget:live")
        studio = door("cli.studio:show_diagram")
        sweep = door("sweeps.sweep:sweep")
        measure = door("sweeps.one_run:measure")
        simulate = door("diagrams.runs.simulate:simulate_diagram")
        draw = door("drawing.drawing:draw")
        export_page = door("export.page:export_page")
        export_fmu = door("export.fmu.export:export_fmu")
        export_c = door("export.c.export:export_c")
        _repr_html_ = door("drawing.drawing:html")
