"""Give the JSON Schema of a diagram, a wire and a subsystem, for checking files."""

from __future__ import annotations

from ...base.schema import NUMBER, POSITIVE, TEXT, TEXTS, mapping, optional, pair, reference, table

VERSION = 1
VALUES = table(reference("Value"))
PARAMETER = mapping(
    "A parameter and its allowed values when the diagram is used as a block.",
    default={"description": "default value; without a default, a value is required"},
    unit=optional(TEXT, "its unit"),
    doc=optional(TEXT, "what it is"),
    minimum=optional(NUMBER, "smallest allowed value"),
    above=optional(NUMBER, "exclusive lower bound"),
    maximum=optional(NUMBER, "largest allowed value"),
    choices=optional({"type": "array", "items": {}, "minItems": 1}, "all allowed values"),
    option=optional(
        {"type": "boolean"},
        "whether it is text, true or false, or a mapping instead of a number; it replaces `=name`",
    ),
)
CHECK = mapping(
    "A condition on the parameters.",
    that=TEXT | {"description": "an expression over them, such as low < high"},
    message=TEXT | {"description": "message if it does not hold"},
) | {"required": ["that", "message"]}
_PLACE = mapping(
    "Where a block is drawn.",
    at=pair(NUMBER) | {"description": "[x, y]"},
    size=optional(pair(POSITIVE), "width and height"),
    flip=optional({"type": "boolean"}, "whether its inputs are at the right"),
    rotate=optional({"enum": [0, 90, 180, 270]}, "degrees clockwise: 90 has its inputs at the top"),
) | {"required": ["at"]}
DIAGRAM = mapping(
    "A diagram: blocks, and wires between them.",
    blockdyn=optional({"type": "integer", "const": 1}, "version of this format: 1"),
    name=optional(TEXT, "the diagram's name"),
    doc=optional(TEXT, "what it shows"),
    parameters=optional(
        table({"anyOf": [reference("Value"), reference("Parameter")]}),
        "numbers, or expressions of one another, that block parameters may use",
    ),
    checks=optional({"type": "array", "items": reference("Check")}, "conditions on the parameters"),
    icon=optional(TEXT, "icon of the diagram when it is used as a block"),
    blocks=optional(table(reference("Block")), "the blocks by name"),
    when=optional(
        table({"anyOf": [TEXT, TEXTS, {"type": "object"}]}),
        "blocks that exist only under an option: {block: option}, {block: {option: value}}",
    ),
    wires=optional({"type": "array", "items": reference("Wire")}, "`a -> b.port -> [c, d[1]]`"),
    signals=optional(table(TEXT), "named wires: name, and the output it carries"),
    log=optional(TEXTS, "signals that the result keeps: block, block.port, sub/block.port"),
    simulate=optional(reference("Simulate"), "default settings of a run"),
    view=optional(
        table({"anyOf": [pair(NUMBER), _PLACE]}), "where an editor draws its blocks: {block: [x, y]}"
    ),
)
"""Without the sections that other packages add."""

WIRE = mapping(
    "A wire written as a mapping.",
    **{
        "from": TEXT | {"description": "the output"},
        "to": {"anyOf": [TEXT, TEXTS], "description": "the input, or a list of inputs"},
    },
) | {"required": ["from", "to"]}

SUBSYSTEM = mapping(
    "A diagram used as a block: written inside, or in a file of its own.",
    type={"const": "Subsystem"},
    diagram=optional(reference("Diagram")),
    file=optional(TEXT, "a file in this diagram's folder or below"),
    parameters=optional(table({}), "other values for its parameters"),
) | {"required": ["type"]}
