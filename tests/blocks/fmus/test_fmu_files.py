"""Files of FMUs: hostile archives and descriptions are refused, and libraries for other machines."""

from __future__ import annotations

import stat
import zipfile
from pathlib import Path

import pytest

import blockdyn as bd
from blockdyn.blocks.contract.errors import ParameterError
from blockdyn.diagrams.model.run_errors import InstanceFailed

from .made import NEEDS_A_COMPILER, archive, description, fmu

TEXT = description(2)


def refused(file: Path, reason: str) -> None:
    with pytest.raises(ParameterError, match=reason):
        bd.FMU(file)


@pytest.mark.parametrize(
    ("name", "reason"),
    [("../out.txt", "leads out of the archive"), ("/etc/passwd", "leads out of the archive"),
     ("resources/..\\..\\out.txt", "leads out of the archive"), ("C:/out.txt", "leads out of the archive")],
)  # fmt: skip
def test_a_path_that_leads_out_is_refused(tmp_path: Path, name: str, reason: str) -> None:
    refused(archive(tmp_path / "a.fmu", {"modelDescription.xml": TEXT, name: "x"}), reason)


def test_a_link_is_refused(tmp_path: Path) -> None:
    file = archive(tmp_path / "a.fmu", {"modelDescription.xml": TEXT})
    link = zipfile.ZipInfo("resources/link")
    link.external_attr = (stat.S_IFLNK | 0o777) << 16
    with zipfile.ZipFile(file, "a") as target:
        target.writestr(link, "/etc/passwd")
    refused(file, "is a link")


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    bomb = TEXT.replace("</fmiModelDescription>", " " * 2**26 + "</fmiModelDescription>")
    refused(archive(tmp_path / "a.fmu", {"modelDescription.xml": bomb}), "unpacks to over")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('<!DOCTYPE x [<!ENTITY a "b">]>' + TEXT.partition("?>")[2], "DOCTYPE"),
        (TEXT.replace('fmiVersion="2.0"', 'fmiVersion="1.0"'), "of FMI version 1.0"),
        (TEXT.replace('modelIdentifier="model"', 'modelIdentifier="../model"'), "modelIdentifier"),
        (TEXT.replace('index="3"', 'index="99"'), "ModelStructure names the variable"),
        (TEXT.replace("<ModelVariables>", "<ModelVariables><Text name='s' valueReference='1'/>"), "type"),
        ("<a>" * 50 + "</a>" * 50, "nested"),
        (TEXT[:300], "not XML"),
    ],
)  # fmt: skip
def test_a_wrong_description_is_refused(tmp_path: Path, text: str, reason: str) -> None:
    refused(archive(tmp_path / "a.fmu", {"modelDescription.xml": text}), reason)


def test_what_is_not_an_fmu(tmp_path: Path) -> None:
    refused(tmp_path / "none.fmu", "cannot be read")
    refused(tmp_path, "not a file")
    refused(archive(tmp_path / "a.fmu", {"readme.txt": "x"}), "holds no modelDescription.xml")
    (tmp_path / "b.fmu").write_text("no archive", encoding="utf-8")
    refused(tmp_path / "b.fmu", "not a zip archive")


@pytest.mark.parametrize(
    ("files", "attributes", "reason"),
    [
        (("binaries/win32/model.dll",), {}, "no library for this machine(.|\n)*win32, which is 32-bit"),
        (("binaries/win64/model.dll", "binaries/sparc/model.so"), {}, "but for sparc, win64"),
        (("sources/model.c",), {}, "only its source code"),
        ((), {"needsExecutionTool": "true"}, "needs the tool that has exported it"),
    ],
)  # fmt: skip
def test_a_library_for_another_machine(
    tmp_path: Path, files: tuple[str, ...], attributes: dict[str, str], reason: str
) -> None:
    content = dict.fromkeys(files, "x") | {"modelDescription.xml": description(2, **attributes)}
    d = bd.Diagram("other")
    d.add("fmu", bd.FMU(archive(tmp_path / "a.fmu", content)))
    with pytest.raises(InstanceFailed, match=reason):
        d.simulate(stop=1.0)


def test_values_are_checked_against_the_description(tmp_path: Path) -> None:
    file = archive(tmp_path / "a.fmu", {"modelDescription.xml": TEXT})
    for values, reason in (
        ({"levle": 1.0}, "did you mean `level`"), ({"u": 1.0}, "connect a signal to it"),
        ({"last": 1.5}, "of the type Integer"), ({"k": "fast"}, "of the type Real"),
        ({"k": [1.0, 2.0]}, "of the type Real"), ({"p[0]": 1.0}, "not to be set"),
    ):  # fmt: skip
        with pytest.raises(ParameterError, match=reason):
            bd.FMU(file, values=values)
    with pytest.raises(bd.BlockdynError, match="did you mean `values`"):
        bd.FMU(file, parameters={"k": 1.0})  # type: ignore[call-arg]


def test_an_input_that_no_signal_can_be(tmp_path: Path) -> None:
    text = '<ScalarVariable name="s" valueReference="90" causality="input"><String{}/></ScalarVariable>'
    for start, fine in ((' start="a"', True), ("", False)):
        variables = text.format(start) + "</ModelVariables>"
        content = {"modelDescription.xml": TEXT.replace("</ModelVariables>", variables)}
        file = archive(tmp_path / f"{fine}.fmu", content)
        if fine:
            assert "s" not in [port.name for port in bd.FMU(file).input_ports()]
        else:
            refused(file, "an input of the type String, which no signal can be")


@NEEDS_A_COMPILER
def test_an_fmu_that_is_there_only_once(tmp_path: Path) -> None:
    file = fmu(tmp_path, 2, canBeInstantiatedOnlyOncePerProcess="true")
    d = bd.Diagram("once")
    d.add("one", bd.FMU(file))
    d.simulate(stop=0.1)
    d.simulate(stop=0.1)
    d.add("other", bd.FMU(file))
    with pytest.raises(InstanceFailed, match="only once per process"):
        d.simulate(stop=0.1)
