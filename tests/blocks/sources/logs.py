"""Small logs are written as their specifications say, or by the packages of their makers."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
from rosbags.rosbag1 import Writer as Writer1
from rosbags.rosbag2 import StoragePlugin, Writer as Writer2
from rosbags.typesys import Stores, get_typestore

START = 1_700_000_000_000_000_000  # ns, of the bags


def ulog_message(kind: str, content: bytes) -> bytes:
    """A message of a ULog: size, type, content (docs.px4.io/main/en/dev_log/ulog_file_format.html)."""
    return struct.pack("<HB", len(content), ord(kind)) + content


def ulog(*messages: bytes, start: int = 5_000_000) -> bytes:
    """A ULog that begins at this time, microseconds."""
    flags = ulog_message("B", bytes(40))
    return b"ULog\x01\x12\x35\x01" + struct.pack("<Q", start) + flags + b"".join(messages)


def flight(times: Any, angles: Any) -> bytes:
    """A ULog of a topic `vehicle_attitude` at these times, s since its start, and a second instance of it."""
    messages = [
        ulog_message(
            "F", b"vehicle_attitude:uint64_t timestamp;float[4] q;nested inner;uint8_t[4] _padding0;"
        ),
        ulog_message("F", b"nested:double a;bool[2] on;"),
        ulog_message("A", struct.pack("<BH", 0, 7) + b"vehicle_attitude"),
        ulog_message("A", struct.pack("<BH", 1, 8) + b"vehicle_attitude"),
    ]
    for t, angle in zip(times, angles, strict=True):
        for number, sign in ((7, 1.0), (8, -1.0)):
            q = np.cos(angle / 2), sign * np.sin(angle / 2), 0.0, 0.0
            row = struct.pack("<HQ4fd2?", number, 5_000_000 + round(t * 1e6), *q, sign * angle, True, False)
            messages.append(ulog_message("D", row))
    return ulog(*messages)


def bag(file: Path, times: Any, rates: Any) -> None:
    """A bag of `/imu`, whose header is 10 ms older than the record, and of `/joints`."""
    is_first = file.suffix == ".bag"
    store = get_typestore(Stores.ROS1_NOETIC if is_first else Stores.ROS2_HUMBLE)
    names = {
        name.split("/")[-1]: kind
        for name, kind in store.types.items()
        if "sensor" in name or "std" in name or "geometry" in name
    }
    vector, time = names["Vector3"], store.types["builtin_interfaces/msg/Time"]
    none, turn = np.zeros(9), names["Quaternion"](x=0.0, y=0.0, z=0.0, w=1.0)
    if is_first:
        writer: Any = Writer1(file)
    else:
        plugin = StoragePlugin.MCAP if file.suffix == ".mcap" else StoragePlugin.SQLITE3
        writer = Writer2(file.with_suffix(""), version=9, storage_plugin=plugin)
    with writer:
        kinds = {"/imu": "sensor_msgs/msg/Imu", "/joints": "sensor_msgs/msg/JointState"}
        links = {topic: writer.add_connection(topic, kind, typestore=store) for topic, kind in kinds.items()}
        for i, (t, rate) in enumerate(zip(times, rates, strict=True)):
            stamp = START + round(t * 1e9)
            parts = {"sec": (stamp - 10**7) // 10**9, "nanosec": (stamp - 10**7) % 10**9}
            header = {"stamp": time(**parts), "frame_id": "b" * (i % 5)} | ({"seq": i} if is_first else {})
            imu = names["Imu"](
                header=names["Header"](**header), orientation=turn, orientation_covariance=none,
                angular_velocity=vector(x=rate, y=2.0 * rate, z=0.0), angular_velocity_covariance=none + rate,
                linear_acceleration=vector(x=0.0, y=0.0, z=9.81), linear_acceleration_covariance=none,
            )  # fmt: skip
            joints = names["JointState"](
                header=names["Header"](**header), name=["hip", "knee"], position=np.array([rate, -rate]),
                velocity=np.zeros(0), effort=np.array([3.0 * rate]),
            )  # fmt: skip
            for topic, message in (("/imu", imu), ("/joints", joints)):
                write = store.serialize_ros1 if is_first else store.serialize_cdr
                writer.write(links[topic], stamp, write(message, kinds[topic]))
