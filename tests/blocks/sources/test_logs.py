"""Logs of PX4, ROS and MATLAB, and text as others write it, are played with their own times and names."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path
from typing import Any

import h5py
import numpy as np
import pytest
from scipy.io import savemat

import blockdyn as bd
from blockdyn.base.data_file import DataFileError, Series, read_series
from blockdyn.base.log_file import read_topics

from .logs import bag, flight, ulog, ulog_message

TIMES = np.array([0.0, 0.25, 0.5, 0.5, 1.0])
ANGLES = np.array([0.0, 0.1, 0.2, 0.4, 0.3])


def played(block: bd.Block, times: Any) -> Any:
    d = bd.Diagram("d")
    d.add("table", block)
    return d.simulate(stop=2.0, times=list(times))["table"].values


def text(tmp_path: Path, content: str | bytes, name: str = "u", **options: Any) -> Series:
    file = tmp_path / "log.csv"
    file.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read_series(file, [name], **options)[name]


@pytest.mark.parametrize(
    ("content", "options"),
    [
        ("t [ms],u\n0,1\n500,2\n1500,3\n", {}),
        ("Time(us),u\n0,1\n500000,2\n1500000,3\n", {}),
        ("time_ms,u,\n0,1,\n500,2,\n1500,3,\n", {}),
        ("timestamp [ns],u\n0,1\n500000000,2\n1500000000,3\n", {}),
        ("timestamp,u\n0,1\n500000,2\n1500000,3\n", {}),
        ("clock,u\n0,1\n5,2\n15,3\n", {"time": "clock", "time_scale": 0.1}),
        ("time,u\n2024-02-28T23:59:59.5Z,1\n2024-02-29 00:00:00Z,2\n2024-02-29T02:00:01+02:00,3\n", {}),
        ("t;u\n0;1\n0,5;2,0\n1,5;3\n", {}),
        ("\ufeff\"t\";\"u\"\r\n\"0\";\"1\"\r\n\"0,5\";\"2\"\r\n\"1,5\";\"3\"\r\n", {}),
        ("t\tu\n0\t1\n0.5\t2\n1.5\t3\n", {}),
        ("recorder 7\nrate,100\n\nt,note,u\nms,,m/s\n0,a,1\n500,b,2\n1500,c,3\n", {}),
        ("% by hand\n% time,u\n0,1\n0.5,2\n# pause\n1.5,3\n", {}),
        ("t;u\n0;1\n0,5;2\n1,5;3\n".encode("utf-16"), {}),
        ("t [µs];u\n0;1\n500000;2\n1500000;3\n".encode("cp1252"), {}),
    ],
)  # fmt: skip
def test_text_is_read_as_others_write_it(
    tmp_path: Path, content: str | bytes, options: dict[str, Any]
) -> None:
    series = text(tmp_path, content, **options)
    assert series.time.tolist() == [0.0, 0.5, 1.5]
    assert series.values.tolist() == [1.0, 2.0, 3.0]
    assert bd.FromFile(tmp_path / "log.csv", "u", **options).rows().times.tolist() == [0.0, 0.5, 1.5]


def test_names_may_have_two_levels(tmp_path: Path) -> None:
    content = "time,imu,,gps\n,x,y,x\n0,1,2,3\n1,4,5,6\n"
    assert text(tmp_path, content, "imu.y").values.tolist() == [2.0, 5.0]
    assert text(tmp_path, content, "gps.x").values.tolist() == [3.0, 6.0]


def test_a_time_that_occurs_twice_is_a_jump(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("t,u\n0,0\n1,2\n1,5\n2,5\n")
    block = bd.FromFile(tmp_path / "log.csv", "u")
    assert played(block, [0.5, 1.0, 1.5]).tolist() == [1.0, 5.0, 5.0]
    d = bd.Diagram("area")
    d.connect(d.add("u", block), d.add("x", bd.Integrator(0.0)))
    assert d.simulate(stop=2.0).final("x") == pytest.approx(1.0 + 5.0, rel=1e-14)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "t,u\n0,1\n2,1\n1,1\n",
            r"line 4, column time: the time 1 s follows 2 s\nexpected: times that do not",
        ),
        ("t;u\n0;1,5\n1;2.5\n", r"line 3, column u: a point in some cells, a comma in others"),
        ("t;u\n0;1\n1;1.234,5\n", r"line 3, column u: '1.234,5'"),
        ("timestamp,u\n1700000000,1\n1700000001,2\n", r"column timestamp: the unit of these times is open"),
        ("time,u\n2024-01-01,1\n2024-13-01,2\n", r"line 3, column time: '2024-13-01'"),
        (
            "time,u\n2024-01-01T00:00Z,1\n2024-01-01T00:01,2\n",
            r"line 3, .*\nexpected: a time zone in all rows",
        ),
        ("t,u\n-,-\n0,1\n", r"line 2, column time: '-'"),
    ],
)
def test_text_that_can_be_misread_is_refused(tmp_path: Path, content: str, message: str) -> None:
    with pytest.raises(DataFileError, match=message):
        text(tmp_path, content)


def test_a_flight_of_px4_begins_at_zero_and_keeps_its_names(tmp_path: Path) -> None:
    (tmp_path / "flight.ulg").write_bytes(flight(TIMES, ANGLES))
    block = bd.FromFile(tmp_path / "flight.ulg", "vehicle_attitude.inner.a")
    np.testing.assert_allclose(played(block, [0.125, 0.5, 0.75]), [0.05, 0.4, 0.35], rtol=1e-15)
    names = ["vehicle_attitude.q[1]", "vehicle_attitude[1].q[1]", "vehicle_attitude.inner.on[0]"]
    rows = bd.FromFile(tmp_path / "flight.ulg", names).rows()
    assert rows.times.tolist() == TIMES.tolist()
    np.testing.assert_array_equal(rows.values[:, 0], np.sin(ANGLES / 2).astype(np.float32))
    np.testing.assert_array_equal(rows.values[:, 1], -rows.values[:, 0])
    with pytest.raises(
        bd.ParameterError, match=r"no column vehicle_attitude.q\[4\](.|\n)*vehicle_attitude.q\[3\]"
    ):
        bd.FromFile(tmp_path / "flight.ulg", "vehicle_attitude.q[4]")
    with pytest.raises(bd.ParameterError, match=r"no column attitude.q(.|\n)*vehicle_attitude.q\[0\]"):
        bd.FromFile(tmp_path / "flight.ulg", "attitude.q")


def test_pyulog_reads_the_flight_alike(tmp_path: Path) -> None:
    """And what pyulog writes is read alike."""
    from pyulog import ULog

    (tmp_path / "a.ulg").write_bytes(flight(TIMES, ANGLES))
    log = ULog(str(tmp_path / "a.ulg"))
    log.write_ulog(str(tmp_path / "b.ulg"))
    q = log.get_dataset("vehicle_attitude", 1).data["q[1]"]
    for file in ("a.ulg", "b.ulg"):
        series = read_series(tmp_path / file, ["vehicle_attitude[1].q[1]"])
        np.testing.assert_array_equal(series["vehicle_attitude[1].q[1]"].values, q)


@pytest.mark.parametrize("kind", ["bag", "mcap", "db3"])
def test_bags_of_ros_hold_fields_of_topics(tmp_path: Path, kind: str) -> None:
    rates = np.array([0.0, 0.5, -1.5, 2.0])
    times = np.array([0.0, 0.25, 0.5, 1.0])
    bag(tmp_path / f"run.{kind}", times, rates)
    file = tmp_path / "run.bag" if kind == "bag" else tmp_path / "run"
    names = [
        "/imu.angular_velocity.y",
        "/joints.position[1]",
        "/imu.angular_velocity_covariance[8]",
        "/joints.effort[0]",
    ]
    rows = bd.FromFile(file, names).rows()
    np.testing.assert_array_equal(rows.times, times)
    np.testing.assert_array_equal(rows.values, rates[:, None] * [2.0, -1.0, 1.0, 3.0])
    if kind != "bag":
        single = next(file.glob(f"*.{kind}"))
        np.testing.assert_array_equal(bd.FromFile(single, names).rows().values, rows.values)
    stamped = bd.FromFile(file, "/imu.angular_velocity.x", time="header.stamp").rows()
    np.testing.assert_allclose(stamped.times, times - 0.01, atol=1e-12)
    for name, message in [
        ("/imu.angular_velocity.w", r"no column /imu.angular_velocity.w"),
        ("/gps.x", r"(.|\n)*/joints.position\[i\]"),
        ("/joints.velocity[0]", "ends before"),
    ]:
        with pytest.raises(bd.ParameterError, match=message):
            bd.FromFile(file, name)


def test_rosbags_decodes_all_fields_alike(tmp_path: Path) -> None:
    """The bytes of messages with texts and lists of each length, against the decoder of rosbags."""
    from rosbags.highlevel import AnyReader

    times, rates = np.arange(12) / 8.0, np.linspace(-1.0, 1.0, 12)
    for file in ("run.bag", "run.mcap"):
        bag(tmp_path / file, times, rates)
        place = tmp_path / file if file == "run.bag" else tmp_path / "run"
        with AnyReader([place]) as reader:
            messages = [
                reader.deserialize(data, link.msgtype)
                for link, _, data in reader.messages()
                if link.topic == "/imu"
            ]
        series = read_series(place, ["/imu.linear_acceleration.z", "/imu.header.stamp", "/imu.orientation.w"])
        assert series["/imu.orientation.w"].values.tolist() == [each.orientation.w for each in messages]
        assert series["/imu.linear_acceleration.z"].values.tolist() == [9.81] * 12
        stamps = [each.header.stamp.sec + each.header.stamp.nanosec / 1e9 for each in messages]
        np.testing.assert_allclose(series["/imu.header.stamp"].values, stamps, rtol=1e-15)


def test_a_message_of_another_length_than_its_type_is_refused(tmp_path: Path) -> None:
    """And a topic whose definition cannot be read leaves the others as they are."""
    from rosbags.rosbag2 import StoragePlugin, Writer
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE)
    kind = "std_msgs/msg/Float64"
    data = store.serialize_cdr(store.types[kind](data=2.5), kind)
    with Writer(tmp_path / "run", version=9, storage_plugin=StoragePlugin.MCAP) as writer:
        good, long = (writer.add_connection(topic, kind, typestore=store) for topic in ("/good", "/long"))
        odd = writer.add_connection("/odd", "a/msg/Odd", msgdef="int64 a\n---\n\n", rihs01="RIHS01_1")
        for link, content in ((good, data), (long, bytes(data) + bytes(8)), (odd, data)):
            writer.write(link, 7, content)
    assert read_series(tmp_path / "run", ["/good.data"])["/good.data"].values.tolist() == [2.5]
    with pytest.raises(DataFileError, match="/long does not have the length of std_msgs/msg/Float64"):
        read_series(tmp_path / "run", ["/long.data"])
    with pytest.raises(DataFileError, match=r"/odd: its messages, a/msg/Odd, are not defined in it"):
        read_series(tmp_path / "run", ["/odd.a"])
    with pytest.raises(DataFileError, match=r"/good.data, /long.data, /odd \(not defined\)"):
        read_series(tmp_path / "run", ["/none.a"])


def test_mat_files_hold_arrays_and_structures_with_time(tmp_path: Path) -> None:
    t = np.linspace(0.0, 1.0, 5)
    y = np.column_stack([t, t**2])
    signal = {"values": y, "label": "pose", "dimensions": 2.0}
    two = np.array(
        [{"values": 3.0 * t, "label": "a"}, {"values": np.stack([[t, 2 * t], [3 * t, 4 * t]]), "label": "b"}]
    )
    savemat(
        tmp_path / "log.mat",
        {
            "tout": t, "yout": y, "out": {"time": t, "signals": signal, "blockName": "m/out"},
            "both": {"time": t[:, None], "signals": two}, "ts": {"Time": t, "Data": y.T, "Name": "x"},
            "log": {"time": t, "imu": {"gyro": -y}}, "ans": np.vstack([t * 1e3, y.T]),
        },
        do_compression=True,
    )  # fmt: skip
    expected = {
        "yout[1]": t**2, "out[0]": t, "out.pose[1]": t**2, "both.signals[0].values": 3 * t, "both.a": 3 * t,
        "both.b[1, 0]": 3 * t, "ts[1]": t**2, "log.imu.gyro[1]": -(t**2),
    }  # fmt: skip
    rows = bd.FromFile(tmp_path / "log.mat", list(expected)).rows()
    np.testing.assert_array_equal(rows.times, t)
    np.testing.assert_allclose(rows.values, np.column_stack([*expected.values()]), rtol=1e-15)
    rows = bd.FromFile(tmp_path / "log.mat", "ans[2]", time="ans[0]", time_scale=1e-3).rows()
    np.testing.assert_allclose(np.column_stack([rows.times, rows.values]), y, rtol=1e-15)
    with pytest.raises(bd.ParameterError, match=r"no column yout(.|\n)*yout\[1\]"):
        bd.FromFile(tmp_path / "log.mat", "yout")


def test_mat_files_of_version_7_3_are_hdf5(tmp_path: Path) -> None:
    """MATLAB stores an array with its axes turned, and writes 512 bytes of its own first."""
    t = np.linspace(0.0, 1.0, 5)
    with h5py.File(tmp_path / "log.mat", "w", userblock_size=512) as file:
        file["log/time"] = t[None]
        file["log/y"] = np.column_stack([t, t**2]).T
        file["log/away"] = h5py.ExternalLink("/etc/passwd", "/")
    rows = bd.FromFile(tmp_path / "log.mat", "log.y[1]").rows()
    np.testing.assert_array_equal(np.column_stack([rows.times, rows.values]), np.column_stack([t, t**2]))


def matrix(content: bytes, kind: int = 6, dims: tuple[int, int] = (1, 1), name: bytes = b"a") -> bytes:
    """A variable of a MAT file of version 5, of this class and these dimensions."""
    body = struct.pack("<IIII", 6, 8, kind, 0) + struct.pack("<IIii", 5, 8, *dims)
    body += struct.pack("<II", 1, len(name)) + name + bytes(-len(name) % 8) + content
    return struct.pack("<II", 14, len(body)) + body


def _part(kind: int, data: bytes) -> bytes:
    return struct.pack("<II", kind, len(data)) + data + bytes(-len(data) % 8)


def _array(values: Any, name: bytes = b"") -> bytes:
    """A text, a list of arrays, a structure, or numbers, as a matrix of a MAT file."""
    if isinstance(values, dict):
        names = b"".join(key.encode().ljust(32, b"\0") for key in values)
        kind, count, data = 2, 1, _part(5, struct.pack("<i", 32)) + _part(1, names)
        data += b"".join(values.values())
    elif isinstance(values, list):
        kind, count, data = 1, len(values), b"".join(values)
    elif isinstance(values, str):
        kind, count, data = 4, len(values), _part(4, values.encode("utf-16-le"))
    else:
        codes = {np.float64: (6, 9), np.uint32: (13, 6), np.uint8: (9, 2)}
        (kind, code), count = codes[values.dtype.type], values.size
        data = _part(code, values.tobytes())
    head = _part(6, struct.pack("<II", kind, 0)) + _part(5, struct.pack("<ii", 1, count)) + _part(1, name)
    return _part(14, head + data)


def _object(name: bytes, kind: bytes, content: bytes) -> bytes:
    head = _part(6, struct.pack("<II", 17, 0)) + _part(1, name) + _part(1, b"MCOS") + _part(1, kind)
    return _part(14, head + content)


def _reference(number: int, kind: int) -> bytes:
    return _array(np.array([0xDD000000, 2, 1, 1, number, kind], np.uint32))


def timeseries(times: Any, data: Any) -> bytes:
    """A MAT file with two timeseries: `a` over times, `b` from 2 s on every 0.5 s, as MATLAB saves objects.

    Layout: https://github.com/foreverallama/matio.
    """
    names = ["timeseries", "timemetadata", "TimeInfo", "Data_", "Time_", "Start_", "Increment_", "Length"]
    text = b"\0".join(name.encode() for name in names) + b"\0"
    text += bytes(-len(text) % 8)
    classes = [0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0]
    objects = [0] * 6 + [1, 0, 0, 0, 1, 0, 2, 0, 0, 0, 2, 0, 1, 0, 0, 0, 3, 0, 2, 0, 0, 0, 4, 0]
    blocks = [0, 0, 2, 3, 1, 0, 4, 1, 1, 0, 1, 5, 1, 2, 2, 3, 1, 3, 4, 1, 1, 0]
    blocks += [4, 5, 1, 4, 6, 1, 5, 7, 1, 6, 8, 1, 7, 0]
    at = [40 + len(text)]
    for part in (classes, [0, 0], objects, blocks, [], [], []):
        at.append(at[-1] + 4 * len(part))
    table = struct.pack("<10I", 4, len(names), *at) + text
    table += struct.pack(f"<{(at[-1] - at[0]) // 4}I", *classes, 0, 0, *objects, *blocks)
    numbers = [np.empty(0), np.array([2.0]), np.array([0.5]), np.array([float(len(data))])]
    values = [_reference(2, 2), _array(data), _array(times), _reference(4, 2), *map(_array, numbers)]
    cells = _array([_array(np.frombuffer(table, np.uint8)), _array(np.empty(0)), *values])
    store = _array({"MCOS": _object(b"", b"FileWrapper__", cells)})
    space = _array(np.frombuffer(b"\0\1IM\0\0\0\0" + store, np.uint8))
    return HEAD + b"".join(
        [
            _object(b"a", b"timeseries", _reference(1, 1)),
            _object(b"b", b"timeseries", _reference(3, 1)),
            space,
        ]
    )


def test_timeseries_objects_of_mat_files_are_columns(tmp_path: Path) -> None:
    data = np.array([1.0, 3.0, -2.0])
    content = timeseries(np.array([0.0, 0.1, 0.4]), data)
    (tmp_path / "log.mat").write_bytes(content)
    series = read_series(tmp_path / "log.mat", ["a", "b"])
    np.testing.assert_array_equal(series["a"].time, [0.0, 0.1, 0.4])
    np.testing.assert_array_equal(series["b"].time, [2.0, 2.5, 3.0])
    assert series["a"].values.tolist() == series["b"].values.tolist() == data.tolist()
    (tmp_path / "log.mat").write_bytes(content.replace(b"TimeInfo", b"TimeInf2"))
    with pytest.raises(DataFileError, match="a, b: objects of MATLAB"):
        read_series(tmp_path / "log.mat", ["a"])


def _nested(depth: int) -> bytes:
    content = matrix(b"")
    for _ in range(depth):
        content = matrix(content, kind=1)
    return content


ADDED = ulog_message("A", b"\0\0\0a")
HEAD = b"MATLAB 5.0 MAT-file".ljust(124) + b"\0\1IM"
BOMB = zlib.compress(matrix(bytes(2**24)))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("huge.mat", HEAD + matrix(struct.pack("<II", 9, 8) + bytes(8), dims=(10**9, 1))),
        ("cells.mat", HEAD + matrix(b"", kind=1, dims=(10**9, 1))),
        ("deep.mat", HEAD + _nested(3000)),
        ("cut.mat", HEAD + matrix(bytes(64))[:40]),
        ("cut2.mat", HEAD + struct.pack("<II", 15, len(BOMB) - 9) + BOMB[:-9]),
        ("list.ulg", ulog(ulog_message("F", b"a:uint64_t timestamp;float[1000000000] x;"), ADDED)),
        ("tree.ulg", ulog(*(ulog_message("F", f"m{i}:m{i + 1}[60000] x;".encode()) for i in range(9)),
                          ulog_message("F", b"m9:uint64_t timestamp;"), ulog_message("A", b"\0\0\0m0"))),
        ("itself.ulg", ulog(ulog_message("F", b"a:uint64_t timestamp;a x;"), ADDED)),
        ("cut.ulg", flight(TIMES, ANGLES)[:60]),
        ("none.ulg", b""),
        ("none.bag", b"#ROSBAG V2.0\n" + bytes(40)),
        ("none.mcap", b"\x89MCAP0\r\n" + b"\x06" + struct.pack("<Q", 2**60)),
        ("none.db3", b"SQLite format 3\0" + bytes(200)),
        ("none.mat", b"\x89HDF\r\n\x1a\n" + bytes(600)),
    ],
)  # fmt: skip
def test_hostile_logs_end_in_one_error(tmp_path: Path, name: str, content: bytes) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(DataFileError, match=name):
        read_series(tmp_path / name, ["a.x"])


def test_packed_files_may_not_grow_without_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("blockdyn.base.mat_file.MOST", 2**20)
    (tmp_path / "bomb.mat").write_bytes(HEAD + struct.pack("<II", 15, len(BOMB)) + BOMB)
    with pytest.raises(DataFileError, match="more than 1048576 bytes"):
        read_series(tmp_path / "bomb.mat", ["a"])
    monkeypatch.setattr("blockdyn.base.data_file.MOST", 2**20)
    np.savez_compressed(tmp_path / "bomb.npz", t=np.zeros(2**18), u=np.zeros(2**18))
    with pytest.raises(DataFileError, match=r"its numbers take 4\.19e"):
        read_series(tmp_path / "bomb.npz", ["u"])
    monkeypatch.setattr("blockdyn.base.log_file.CHUNK", 2**10)
    from backports import zstd

    chunk = zstd.compress(bytes(2**20))
    body = (
        struct.pack("<QQQI", 0, 1, 2**20, 0)
        + struct.pack("<I", 4)
        + b"zstd"
        + struct.pack("<Q", len(chunk))
        + chunk
    )
    (tmp_path / "bomb.mcap").write_bytes(b"\x89MCAP0\r\n\x06" + struct.pack("<Q", len(body)) + body)
    with pytest.raises(DataFileError, match="a packed part has more than 1024 bytes"):
        read_series(tmp_path / "bomb.mcap", ["/a.x"])


@pytest.mark.parametrize(("package", "name"), [("pyulog", "a.ulg"), ("rosbags", "a.mcap")])
def test_a_missing_package_is_named_with_its_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, name: str
) -> None:
    monkeypatch.setattr("blockdyn.base.extras.find_spec", lambda name: None)
    (tmp_path / name).write_bytes(b"")
    message = rf'{package}, which reads .*, is not installed\nexpected: pip install "blockdyn\[logs\]"'
    with pytest.raises(bd.ParameterError, match=message):
        bd.FromFile(tmp_path / name, "a.x")


def test_the_topics_of_a_log_are_listed_with_their_rows(tmp_path: Path) -> None:
    pytest.importorskip("pyulog")
    (tmp_path / "f.ulg").write_bytes(flight(TIMES, ANGLES))
    topics = {topic.name: topic for topic in read_topics(tmp_path / "f.ulg")}
    for name, topic in topics.items():
        series = read_series(tmp_path / "f.ulg", [each for each in topic.columns if "timestamp" not in each])
        for each in series.values():
            assert (topic.rows, topic.first, topic.last) == (len(each.time), each.time[0], each.time[-1])
        assert all(column.startswith(f"{name}.") for column in topic.columns)
    pytest.importorskip("rosbags")
    bag(tmp_path / "run.mcap", TIMES, ANGLES)
    assert {topic.rows for topic in read_topics(tmp_path / "run")} == {len(TIMES)}
