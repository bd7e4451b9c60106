"""Models: the typed form of a diagram in YAML; pydantic checks it and publishes it as JSON Schema."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema, create_model

from ..model.setting import Choice, Inputs, Instants, Kind, Number, Tolerances, Whole
from ..model.settings import IN_FILES, SETTINGS
from .kinds import REFERENCE
from .sweep_schema import AXES, MEASURES

Finite = Annotated[float, Field(allow_inf_nan=False)]
Tolerance = Annotated[Finite, Field(gt=0)]
Value = Annotated[Any, WithJsonSchema({REFERENCE: "Value"})]
Wire = Annotated[
    Any,
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "string", "pattern": "->"},
                {
                    "type": "object",
                    "properties": {
                        "from": {"type": "string"},
                        "to": {"anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}]},
                    },
                    "required": ["from", "to"],
                    "additionalProperties": False,
                },
            ]
        }
    ),
]
Blocks = Annotated[
    dict[str, Any],
    WithJsonSchema({"type": "object", "additionalProperties": {REFERENCE: "Block"}}),
]


NUMBERS = {"type": "array", "items": {"type": "number"}, "minItems": 1}
ROWS = {"anyOf": [NUMBERS, {"type": "array", "items": NUMBERS, "minItems": 1}]}
SAMPLES = {
    "type": "object",
    "properties": {
        "times": NUMBERS,
        "values": ROWS,
        "hold": {"type": "boolean"},
        "interpolation": {"enum": ["linear", "hold"]},
    },
    "required": ["times", "values"],
    "additionalProperties": False,
}
INPUTS = {
    "type": "object",
    "additionalProperties": {"anyOf": [{"type": "number"}, *ROWS["anyOf"], SAMPLES]},
}


class Closed(BaseModel):
    """Only the declared keys, and no text taken for numbers."""

    model_config = ConfigDict(extra="forbid", strict=True)


def _type(kind: Kind) -> Any:
    """The type that pydantic checks a setting against."""
    match kind:
        case Number(above, infinite):
            return Annotated[float, Field(gt=above, allow_inf_nan=infinite)]
        case Whole(least, most):
            return Annotated[int, Field(ge=least, le=most)]
        case Choice(words):
            return Literal[words]
        case Tolerances():
            return Tolerance | list[Tolerance]
        case Instants():
            return Annotated[list[Finite], Field(min_length=1)]
        case Inputs():
            return Annotated[dict[str, Any], WithJsonSchema(INPUTS)]
    return str


_FIELDS: dict[str, Any] = {
    name: (_type(SETTINGS[name].kind) | None, Field(None, description=SETTINGS[name].text))
    for name in IN_FILES
}
Simulate = create_model(
    "Simulate", __base__=Closed, __doc__="How the diagram is run when nobody says otherwise.", **_FIELDS
)


class Keep(Closed):
    """The trajectories that a sweep keeps, at common times."""

    signals: list[str] | Literal["all"] | None = Field(None, description="the signals to keep, or all logged")
    every: Tolerance | None = Field(None, description="distance of the common times, s")
    worst: Annotated[int, Field(ge=1)] | None = Field(
        None, description="of how many scenarios; all if not said"
    )
    by: str | None = Field(None, description="the measure whose largest values are the worst")


class Sweep(Closed):
    """Scenarios of the diagram: what varies, and what is measured of each."""

    number: Annotated[int, Field(ge=1)] | None = Field(None, description="samples of the axes that are drawn")
    seed: Annotated[int, Field(ge=0)] | None = Field(None, description="of everything drawn")
    sampling: Literal["random", "latin-hypercube", "sobol", "saltelli"] | None = Field(
        None, description="how the axes with a distribution are drawn"
    )
    axes: Annotated[dict[str, Any], WithJsonSchema(AXES)] | None = Field(
        None, description="what varies, by path or by a name of its own"
    )
    zip: list[list[str]] | None = Field(None, description="groups of axes that go together, not crossed")
    file: str | None = Field(None, description="scenarios in CSV or Parquet, one column a path")
    common_random_numbers: bool | None = Field(None, description="whether noise is the same in all scenarios")
    measures: Annotated[dict[str, Any], WithJsonSchema(MEASURES)] | None = Field(
        None, description="numbers that are kept of each scenario, by name"
    )
    keep: Keep | None = Field(None, description="trajectories to keep")
    chunk: Annotated[int, Field(ge=1)] | None = Field(None, description="scenarios that are stored together")


class Document(Closed):
    """A diagram: blocks, and wires between them."""

    blockdyn: Literal[1] | None = Field(None, description="version of this format: 1")
    name: str | None = Field(None, description="the diagram's name")
    doc: str | None = Field(None, description="what it shows")
    parameters: dict[str, Value] | None = Field(
        None, description="numbers, or expressions over one another, that block parameters may use"
    )
    blocks: Blocks | None = Field(None, description="the blocks by name")
    wires: list[Wire] | None = Field(None, description="`a -> b.port -> [c, d[1]]`")
    signals: dict[str, str] | None = Field(None, description="named wires: name, and the output it carries")
    log: list[str] | None = Field(
        None, description="what the result keeps: block, block.port, sub/block.port"
    )
    simulate: Simulate | None = Field(None, description="how it is run")  # type: ignore[valid-type]
    sweep: Sweep | None = Field(None, description="many runs with other numbers")


class WireEntry(Closed):
    """A wire written as a mapping."""

    from_: str = Field(alias="from")
    to: str | list[str]


class SubsystemEntry(Closed):
    """A diagram used as a block: written inside, or in a file of its own."""

    type: Literal["Subsystem"]
    diagram: Annotated[dict[str, Any], WithJsonSchema({REFERENCE: "Diagram"})] | None = None
    file: str | None = Field(None, description="a file in this diagram's folder or below")
    parameters: dict[str, Value] | None = Field(None, description="other values for its parameters")
