"""FMI functions as LLVM text: each checks the state of the instance, calls its kernel and reports errors.

Both versions of the standard are tables of functions over the same kernels.

Source: Functional Mock-up Interface for Model Exchange and Co-Simulation 2.0.4, sections 2.1, 3.2.3, 4.2.4;
Functional Mock-up Interface Specification 3.0.1, sections 2.2, 2.3, 3.2, 4.2.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ...native.compiling import kernel
from ...native.kernel import Kernel
from ...solvers import layout
from . import core, cosimulation, exchange, life
from .instance import (
    CONTINUOUS,
    EVENT,
    FAILED,
    INITIALIZATION,
    INSTANTIATED,
    OTHER_CODE,
    STEP_FAILED,
    STEPS,
    TERMINATED,
    Instance,
)

# address, size_t, double, enumeration or value reference, address of a boolean that is written
TYPES = {"p": "ptr", "n": "i64", "d": "double", "e": "i32", "o": "ptr"}
BOOLEANS = {2: "i32", 3: "i8"}  # by version, of the letter b
ANY = INSTANTIATED | INITIALIZATION | EVENT | CONTINUOUS | STEPS | STEP_FAILED | TERMINATED | FAILED
READABLE = ANY & ~INSTANTIATED
SETTABLE = INSTANTIATED | INITIALIZATION | EVENT | CONTINUOUS | STEPS
DISCRETE = SETTABLE & ~CONTINUOUS
IN_EXCHANGE = EVENT | CONTINUOUS | TERMINATED | FAILED
BEGUN_EXCHANGE = INITIALIZATION | IN_EXCHANGE
ENDED = STEPS | STEP_FAILED | TERMINATED | FAILED
OUT_OF_ORDER = 0  # the first message; the others are those of a run's statuses
MESSAGES = {
    OUT_OF_ORDER: "a call that the state of the instance does not allow, or with a wrong argument",
    layout.NONFINITE: "a signal or a derivative is not finite",
    layout.COLLAPSED: "no step is short enough",
    layout.CROWDED_EVENTS: "events follow each other without end",
    layout.UNSETTLED: "the modes of the blocks contradict one another",
    layout.KERNEL_FAILED: "a block failed",
    layout.TOO_MANY: "the run takes too many steps",
    layout.CHATTERING: "a block switches to and fro without end",
    OTHER_CODE: "a parameter has a value that needs another export",
}


@dataclass(frozen=True)
class Function:
    """A function of FMI: letters of its arguments (see TYPES), the states that allow it, its kernel.

    The kernel does not take the arguments of capital letters.
    """

    name: str
    arguments: str
    states: int
    compute: Callable[..., int] | None  # None: nothing to do


@dataclass(frozen=True)
class Version:
    """A version of the standard: its functions, and those that return an instance or a text."""

    number: int
    text: str
    functions: list[Function]
    makers: list[Function]
    constants: dict[str, str]

    @property
    def names(self) -> list[str]:
        """The names of all functions."""
        return [*self.constants, *(function.name for function in (*self.makers, *self.functions))]

    def kernels(self) -> dict[Callable[..., int], Kernel]:
        """The kernels of the functions."""
        return {
            f.compute: kernel(f.compute, tuple("d" if a == "d" else "i" for a in f.arguments if a.islower()))
            for f in (*self.functions, *self.makers)
            if f.compute is not None
        }


def _two(verb: str, states: int, numeric: Callable[..., int]) -> list[Function]:
    """A function of FMI 2.0 for each type of variables."""
    held = states & ~CONTINUOUS if verb == "Set" else states
    others = [Function(f"fmi2{verb}{k}", "pPnP", held, core.refuse_type) for k in _TYPES_OF_TWO]
    return [Function(f"fmi2{verb}Real", "ppnp", states, numeric), *others]


def _three(verb: str, states: int, numeric: Callable[..., int]) -> list[Function]:
    """A function of FMI 3.0 for each type of variables."""
    held = states & ~CONTINUOUS if verb == "Set" else states
    forms = dict.fromkeys(_TYPES_OF_THREE, "pPnPN") | {"Binary": "pPnPPN", "Clock": "pPnP"}
    others = [Function(f"fmi3{verb}{k}", form, held, core.refuse_type) for k, form in forms.items()]
    return [Function(f"fmi3{verb}Float64", "ppnpn", states, numeric), *others]


def _refused(forms: dict[str, str]) -> list[Function]:
    """Functions of FMI 3.0 that no state of an instance allows."""
    return [Function(f"fmi3{name}", form, 0, None) for name, form in forms.items()]


_TYPES_OF_TWO = ("Integer", "Boolean", "String")
_TYPES_OF_THREE = (
    "Float32",
    *(f"{u}Int{n}" for n in (8, 16, 32, 64) for u in ("", "U")),
    "Boolean",
    "String",
)
ENDING = EVENT | CONTINUOUS | STEPS | STEP_FAILED
TWO = [
    Function("fmi2SetDebugLogging", "pbnp", ANY, None),
    Function("fmi2FreeInstance", "p", ANY, life.free_instance),
    Function("fmi2SetupExperiment", "pbddbd", INSTANTIATED, life.set_up_experiment),
    Function("fmi2EnterInitializationMode", "p", INSTANTIATED, life.enter_initialization),
    Function("fmi2ExitInitializationMode", "p", INITIALIZATION, life.exit_initialization),
    Function("fmi2Terminate", "p", ENDING, life.terminate),
    Function("fmi2Reset", "p", ANY, life.reset),
    *_two("Get", READABLE, core.get_reals),
    *_two("Set", SETTABLE, core.set_reals),
    Function("fmi2GetFMUstate", "pp", ANY, life.get_state),
    Function("fmi2SetFMUstate", "pp", ANY, life.set_state),
    Function("fmi2FreeFMUstate", "pp", ANY, life.free_state),
    Function("fmi2SerializedFMUstateSize", "ppp", ANY, life.size_of_state),
    Function("fmi2SerializeFMUstate", "pppn", ANY, life.serialize_state),
    Function("fmi2DeSerializeFMUstate", "ppnp", ANY, life.deserialize_state),
    Function("fmi2GetDirectionalDerivative", "ppnpnpp", READABLE, core.get_directional),
    # Model Exchange
    Function("fmi2EnterEventMode", "p", EVENT | CONTINUOUS, exchange.enter_event_mode),
    Function("fmi2NewDiscreteStates", "pp", EVENT, exchange.new_discrete_states),
    Function("fmi2EnterContinuousTimeMode", "p", EVENT, exchange.enter_continuous_time_mode),
    Function("fmi2CompletedIntegratorStep", "pBoO", CONTINUOUS, exchange.completed_integrator_step),
    Function("fmi2SetTime", "pd", EVENT | CONTINUOUS, exchange.set_time),
    Function("fmi2SetContinuousStates", "ppn", CONTINUOUS, exchange.set_continuous_states),
    Function("fmi2GetDerivatives", "ppn", IN_EXCHANGE, exchange.get_derivatives),
    Function("fmi2GetEventIndicators", "ppn", IN_EXCHANGE, exchange.get_event_indicators),
    Function("fmi2GetContinuousStates", "ppn", IN_EXCHANGE, exchange.get_continuous_states),
    Function("fmi2GetNominalsOfContinuousStates", "ppn", IN_EXCHANGE | INSTANTIATED, exchange.get_nominals),
    # Co-Simulation
    Function("fmi2SetRealInputDerivatives", "pPnPP", DISCRETE, core.refuse_type),
    Function("fmi2GetRealOutputDerivatives", "pPnPP", ENDED, core.refuse_type),
    Function("fmi2DoStep", "pddB", STEPS, cosimulation.do_step),
    Function("fmi2CancelStep", "p", 0, None),
    Function("fmi2GetStatus", "pep", ENDED, cosimulation.get_status),
    Function("fmi2GetRealStatus", "pep", ENDED, cosimulation.get_real_status),
    Function("fmi2GetIntegerStatus", "pep", ENDED, cosimulation.get_status),
    Function("fmi2GetBooleanStatus", "peo", ENDED, cosimulation.get_boolean_status),
    Function("fmi2GetStringStatus", "pep", ENDED, cosimulation.get_status),
]
THREE = [
    Function("fmi3SetDebugLogging", "pbnp", ANY, None),
    Function("fmi3FreeInstance", "p", ANY, life.free_instance),
    Function("fmi3EnterInitializationMode", "pbddbd", INSTANTIATED, life.set_up_initialization),
    Function("fmi3ExitInitializationMode", "p", INITIALIZATION, life.exit_initialization),
    Function("fmi3Terminate", "p", ENDING, life.terminate),
    Function("fmi3Reset", "p", ANY, life.reset),
    *_three("Get", READABLE, core.get_values),
    *_three("Set", SETTABLE, core.set_values),
    Function("fmi3GetDirectionalDerivative", "ppnpnpnpn", READABLE, core.get_directional_values),
    Function("fmi3GetFMUState", "pp", ANY, life.get_state),
    Function("fmi3SetFMUState", "pp", ANY, life.set_state),
    Function("fmi3FreeFMUState", "pp", ANY, life.free_state),
    Function("fmi3SerializedFMUStateSize", "ppp", ANY, life.size_of_state),
    Function("fmi3SerializeFMUState", "pppn", ANY, life.serialize_state),
    Function("fmi3DeserializeFMUState", "ppnp", ANY, life.deserialize_state),
    # Model Exchange
    Function("fmi3EnterEventMode", "p", EVENT | CONTINUOUS, exchange.enter_event_mode),
    Function("fmi3UpdateDiscreteStates", "pOoOoop", EVENT, exchange.update_discrete_states),
    Function("fmi3EnterContinuousTimeMode", "p", EVENT, exchange.enter_continuous_time_mode),
    Function("fmi3CompletedIntegratorStep", "pBoO", CONTINUOUS, exchange.completed_integrator_step),
    Function("fmi3SetTime", "pd", EVENT | CONTINUOUS, exchange.set_time),
    Function("fmi3SetContinuousStates", "ppn", CONTINUOUS, exchange.set_continuous_states),
    Function("fmi3GetContinuousStateDerivatives", "ppn", BEGUN_EXCHANGE, exchange.get_derivatives),
    Function("fmi3GetEventIndicators", "ppn", BEGUN_EXCHANGE, exchange.get_event_indicators),
    Function("fmi3GetContinuousStates", "ppn", BEGUN_EXCHANGE, exchange.get_continuous_states),
    Function("fmi3GetNominalsOfContinuousStates", "ppn", BEGUN_EXCHANGE, exchange.get_nominals),
    Function("fmi3GetNumberOfContinuousStates", "pp", ANY, exchange.count_states),
    Function("fmi3GetNumberOfEventIndicators", "pp", ANY, exchange.count_indicators),
    # Co-Simulation
    Function("fmi3DoStep", "pddBOoop", STEPS, cosimulation.do_step_with_outcome),
    Function("fmi3GetOutputDerivatives", "pPnPPN", ENDED, core.refuse_type),
    *_refused({
        "EnterStepMode": "p", "EnterConfigurationMode": "p", "ExitConfigurationMode": "p",
        "EvaluateDiscreteStates": "p", "ActivateModelPartition": "ped",
        "GetAdjointDerivative": "ppnpnpnpn",
        "GetNumberOfVariableDependencies": "pep", "GetVariableDependencies": "peppppn",
        "GetIntervalDecimal": "ppnpp", "GetIntervalFraction": "ppnppp",
        "SetIntervalDecimal": "ppnp", "SetIntervalFraction": "ppnpp",
        "GetShiftDecimal": "ppnp", "GetShiftFraction": "ppnpp",
        "SetShiftDecimal": "ppnp", "SetShiftFraction": "ppnpp",
    }),
]  # fmt: skip
VERSIONS = {
    2: Version(
        2, "2.0", TWO, [Function("fmi2Instantiate", "pepPpBB", 0, life.instantiate)],
        {"fmi2GetTypesPlatform": "default", "fmi2GetVersion": "2.0"},
    ),
    3: Version(
        3, "3.0", THREE,
        [
            Function("fmi3InstantiateModelExchange", "ppPBBpp", 0, life.instantiate_exchange),
            Function("fmi3InstantiateCoSimulation", "ppPBBbbPNppP", 0, life.instantiate_steps),
            Function("fmi3InstantiateScheduledExecution", "pppbbppppp", 0, None),
        ],
        {"fmi3GetVersion": "3.0"},
    ),
}  # fmt: skip

# the functions that kernels call by name, see `instance`
TRAMPOLINES = """
declare ptr @calloc(i64, i64)
declare void @free(ptr)
declare i64 @evaluate_tangent1(double, ptr, ptr, ptr, ptr, ptr, ptr, ptr)
define i64 @fmu_run(i64 %what, i64 %memory, i64 %work) {
  %status = call i64 @run(i64 %what, i64 %memory, i64 %work)
  ret i64 %status
}
define i64 @fmu_derivative(double %t, i64 %x, i64 %dx, i64 %memory) {
  %x_at = inttoptr i64 %x to ptr
  %dx_at = inttoptr i64 %dx to ptr
  %memory_at = inttoptr i64 %memory to ptr
  %failed = call i64 @derivative(double %t, ptr %x_at, ptr %dx_at, ptr %memory_at)
  ret i64 %failed
}
define i64 @fmu_evaluate(double %t, i64 %x, i64 %dx, i64 %memory) {
  %x_at = inttoptr i64 %x to ptr
  %dx_at = inttoptr i64 %dx to ptr
  %memory_at = inttoptr i64 %memory to ptr
  %failed = call i64 @evaluate(double %t, ptr %x_at, ptr %dx_at, ptr %memory_at)
  ret i64 %failed
}
define i64 @fmu_tangent(double %t, i64 %t_d, i64 %x, i64 %x_d, i64 %dx, i64 %dx_d, i64 %memory, \
i64 %shadows) {
  %at_t_d = inttoptr i64 %t_d to ptr
  %at_x = inttoptr i64 %x to ptr
  %at_x_d = inttoptr i64 %x_d to ptr
  %at_dx = inttoptr i64 %dx to ptr
  %at_dx_d = inttoptr i64 %dx_d to ptr
  %at_memory = inttoptr i64 %memory to ptr
  %at_shadows = inttoptr i64 %shadows to ptr
  %failed = call i64 @evaluate_tangent1(double %t, ptr %at_t_d, ptr %at_x, ptr %at_x_d, ptr %at_dx, \
ptr %at_dx_d, ptr %at_memory, ptr %at_shadows)
  ret i64 %failed
}
define i64 @fmu_allocate(i64 %bytes) {
  %block = call ptr @calloc(i64 1, i64 %bytes)
  %address = ptrtoint ptr %block to i64
  ret i64 %address
}
define i64 @fmu_release(i64 %address) {
  %block = inttoptr i64 %address to ptr
  call void @free(ptr %block)
  ret i64 0
}
define i64 @fmu_model() {
  ret i64 ptrtoint (ptr @fmu_constants to i64)
}
"""
# report(instance, status, name of the function): a message by the instance's logger
_REPORT = """
@fmu_category = internal constant [15 x i8] c"logStatusError\\00"
@fmu_form = internal constant [7 x i8] c"%s: %s\\00"
@fmu_colon = internal constant [2 x i8] c": "
declare i64 @strlen(ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
define internal void @fmu_report(ptr %instance, i64 %status, ptr %name, i64 %trouble) noinline cold {{
  %logger_at = getelementptr i64, ptr %instance, i64 {logger}
  %logger = load ptr, ptr %logger_at
  %silent = icmp eq ptr %logger, null
  br i1 %silent, label %end, label %speak
speak:
  %environment_at = getelementptr i64, ptr %instance, i64 {environment}
  %environment = load ptr, ptr %environment_at
  %self_at = getelementptr i64, ptr %instance, i64 {self}
  %self = load ptr, ptr %self_at
  %message_at = getelementptr ptr, ptr @fmu_messages, i64 %trouble
  %message = load ptr, ptr %message_at
  %kind = trunc i64 %status to i32
{logged}
  br label %end
end:
  ret void
}}
"""
_LOGGED = {
    2: """  call void (ptr, ptr, i32, ptr, ptr, ...) %logger(ptr %environment, ptr %self, i32 %kind, \
ptr @fmu_category, ptr @fmu_form, ptr %name, ptr %message)""",
    3: """  %text = alloca [256 x i8]
  %length = call i64 @strlen(ptr %name)
  %colon = getelementptr i8, ptr %text, i64 %length
  %rest = getelementptr i8, ptr %colon, i64 2
  %size = call i64 @strlen(ptr %message)
  %whole = add i64 %size, 1
  call void @llvm.memcpy.p0.p0.i64(ptr %text, ptr %name, i64 %length, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %colon, ptr @fmu_colon, i64 2, i1 false)
  call void @llvm.memcpy.p0.p0.i64(ptr %rest, ptr %message, i64 %whole, i1 false)
  call void %logger(ptr %environment, i32 %kind, ptr @fmu_category, ptr %text)""",
}
_CHECKED = """
define i32 @{name}({parameters}) {{
entry:
  %none = icmp eq ptr %a0, null
  br i1 %none, label %absent, label %present
absent:
  ret i32 3
present:
  %state_at = getelementptr i64, ptr %a0, i64 {state}
  %state = load i64, ptr %state_at
  %shared = and i64 %state, {states}
  %illegal = icmp eq i64 %shared, 0
  br i1 %illegal, label %refused, label %legal
refused:
  call void @fmu_report(ptr %a0, i64 3, ptr @{name}.name, i64 {out_of_order})
  ret i32 3
legal:
{body}
}}
"""
_CALLED = """{converted}
  %trouble_at = getelementptr i64, ptr %a0, i64 {trouble}
  store i64 {out_of_order}, ptr %trouble_at
  %result = alloca i64
  %exception = alloca ptr
  %failed = call i32 @{symbol}(ptr %result, ptr %exception{arguments})
  %value = load i64, ptr %result
  %whole = icmp eq i32 %failed, 0
  %status = select i1 %whole, i64 %value, i64 3
  %short = trunc i64 %status to i32
{stored}
  %bad = icmp sge i64 %status, 3
  br i1 %bad, label %report, label %end
report:
  %trouble = load i64, ptr %trouble_at
  call void @fmu_report(ptr %a0, i64 %status, ptr @{name}.name, i64 %trouble)
  br label %end
end:
  ret i32 %short"""
_MADE = """
define ptr @{name}({parameters}) {{
{converted}
  %result = alloca i64
  %exception = alloca ptr
  %failed = call i32 @{symbol}(ptr %result, ptr %exception{arguments})
  %value = load i64, ptr %result
  %whole = icmp eq i32 %failed, 0
  %address = select i1 %whole, i64 %value, i64 0
  %instance = inttoptr i64 %address to ptr
  ret ptr %instance
}}
"""
_NOT_MADE = """
define ptr @{name}({parameters}) {{
  ret ptr null
}}
"""
_FREED = """{converted}
  %result = alloca i64
  %exception = alloca ptr
  %failed = call i32 @{symbol}(ptr %result, ptr %exception{arguments})
  ret i32 0"""


def interface_text(version: Version, kernels: dict[Callable[..., int], Kernel]) -> str:
    """The LLVM text of all functions, over the constants of the diagram, `fmu_constants`."""
    fields = {name: Instance.fields[name].word for name in ("logger", "environment", "state", "trouble")}
    report = _REPORT.format(self=Instance.fields["name"].word, logged=_LOGGED[version.number], **fields)
    parts = [TRAMPOLINES, report, _messages()]
    parts += [_declaration(each) for each in {k.symbol: k for k in kernels.values()}.values()]
    for name, text in version.constants.items():
        parts.append(string(f"{name}.text", text))
        parts.append(f"define ptr @{name}() {{\n  ret ptr @{name}.text\n}}")
    boolean = BOOLEANS[version.number]
    for function in version.makers:
        form = _NOT_MADE if function.compute is None else _MADE
        parts.append(_format(form, function, boolean, kernels, fields))
    for function in version.functions:
        parts.append(string(f"{function.name}.name", function.name))
        body = "  ret i32 0"
        if function.compute is life.free_instance:
            body = _format(_FREED, function, boolean, kernels, fields)
        elif function.compute is not None:
            body = _format(_CALLED, function, boolean, kernels, fields)
        parts.append(_format(_CHECKED, function, boolean, kernels, fields, body=body))
    return "\n".join(parts)


def string(name: str, text: str) -> str:
    """A constant of zero-terminated text."""
    data = text.encode()
    escaped = "".join(f"\\{byte:02X}" for byte in data)
    return f'@{name} = internal constant [{len(data) + 1} x i8] c"{escaped}\\00"'


def _format(
    form: str, function: Function, boolean: str, kernels: Any, fields: dict[str, int], **more: str
) -> str:
    """The text of a function. Booleans that it writes are words for its kernel."""
    types = TYPES | {"b": boolean}
    parameters, converted, arguments, stored = [], [], [], []
    for k, letter in enumerate(function.arguments):
        parameters.append(f"{types[letter.lower()]} %a{k}")
        if letter in "oO":
            converted.append(
                f"  %o{k} = alloca i64\n  store i64 0, ptr %o{k}\n  %w{k} = ptrtoint ptr %o{k} to i64"
            )
            stored.append(f"  %p{k} = load i64, ptr %o{k}\n  %q{k} = trunc i64 %p{k} to {boolean}")
            stored.append(f"  store {boolean} %q{k}, ptr %a{k}")
        elif letter in "pe":
            converted.append(
                f"  %w{k} = {'ptrtoint' if letter == 'p' else 'sext'} {types[letter]} %a{k} to i64"
            )
        elif letter == "b":
            converted.append(f"  %t{k} = icmp ne {boolean} %a{k}, 0\n  %w{k} = zext i1 %t{k} to i64")
        if letter.islower():
            typed = f"double %a{k}" if letter == "d" else f"i64 %{'a' if letter == 'n' else 'w'}{k}"
            arguments.append(f", {typed}")
    symbol = kernels[function.compute].symbol if function.compute is not None else ""
    return form.format(
        name=function.name, parameters=", ".join(parameters), converted="\n".join(converted), symbol=symbol,
        arguments="".join(arguments), stored="\n".join(stored), states=function.states,
        out_of_order=OUT_OF_ORDER, state=fields["state"], trouble=fields["trouble"], **more,
    )  # fmt: skip


def _messages() -> str:
    """The table of messages."""
    count = max(MESSAGES) + 1
    lines = [string(f"fmu_message_{k}", MESSAGES.get(k, "")) for k in range(count)]
    table = ", ".join(f"ptr @fmu_message_{k}" for k in range(count))
    return "\n".join([*lines, f"@fmu_messages = internal constant [{count} x ptr] [{table}]"])


def _declaration(each: Kernel) -> str:
    types = ", ".join("double" if letter == "d" else "i64" for letter in each.arguments)
    return f"declare i32 @{each.symbol}(ptr, ptr, {types})"
