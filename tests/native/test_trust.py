"""Machine code is never loaded from where somebody else could have put it."""

import os
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path

import pytest

from blockdyn.native import cache

pytestmark = pytest.mark.skipif(not hasattr(os, "getuid"), reason="files have no owners and modes here")
NAME = "0" * 64 + ".program"
OTHER = 4242  # somebody else's number


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A way to open the store at a folder, with what it warned of."""

    def open_at(place: Path) -> list[str]:
        monkeypatch.setenv(cache.ENVIRONMENT, str(place))
        cache.folder.cache_clear()
        cache._said.clear()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            cache.write(NAME, b"code")
            cache.read(NAME)
            cache.read(NAME)
        return [str(warning.message) for warning in caught]

    yield open_at
    cache.folder.cache_clear()


def test_a_folder_of_the_users_own_is_used_without_a_word(store, tmp_path):
    assert store(tmp_path / "a" / "b") == []
    assert cache.read(NAME) == b"code"
    assert (tmp_path / "a").stat().st_mode & 0o777 == (tmp_path / "a" / "b").stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o770, 0o720, 0o707, 0o702, 0o777, 0o1777])
def test_a_folder_that_others_may_write_is_refused_once(store, tmp_path, mode):
    place = tmp_path / "store"
    place.mkdir()
    place.chmod(mode)
    (said,) = store(place)
    assert str(place) in said
    assert f"mode {mode:04o}" in said
    assert "chmod go-w" in said
    assert cache.folder() is None
    assert list(place.iterdir()) == []


@pytest.mark.parametrize("mode", [0o707, 0o777])
def test_a_folder_below_one_where_others_may_rename_is_refused(store, tmp_path, mode):
    above = tmp_path / "above"
    (above / "store").mkdir(parents=True, mode=0o700)
    above.chmod(mode)
    (said,) = store(above / "store")
    assert f"{above} (mode {mode:04o}" in said
    assert cache.folder() is None


def test_a_sticky_folder_above_is_fine(store, tmp_path):
    """Nobody can rename another one's folder there: /tmp is such a place."""
    above = tmp_path / "above"
    above.mkdir()
    above.chmod(0o1777)
    assert store(above / "store") == []
    assert cache.read(NAME) == b"code"


def test_a_link_is_judged_by_where_it_leads(store, tmp_path):
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    (tmp_path / "link").symlink_to(tmp_path / "open")
    (said,) = store(tmp_path / "link")
    assert str(tmp_path / "open") in said
    (tmp_path / "closed").mkdir(mode=0o700)
    (tmp_path / "good").symlink_to(tmp_path / "closed")
    assert store(tmp_path / "good") == []
    assert (tmp_path / "closed" / NAME).exists()


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root gives files away")
@pytest.mark.parametrize("which", ["store", "above"])
def test_a_folder_of_another_user_is_refused(store, tmp_path, which):
    place = tmp_path / "above" / "store"
    place.mkdir(parents=True, mode=0o700)
    os.chown(place if which == "store" else place.parent, OTHER, OTHER)
    (said,) = store(place)
    assert f"owner {OTHER}" in said
    assert cache.folder() is None


@pytest.mark.parametrize("mode", [0o620, 0o602, 0o666])
def test_a_file_that_others_may_write_is_not_read(store, tmp_path, mode):
    store(tmp_path / "store")
    (tmp_path / "store" / NAME).chmod(mode)
    with pytest.warns(cache.CacheWarning, match=f"mode {mode:04o}"):
        assert cache.read(NAME) is None
    assert cache.read(NAME) is None  # said once
    cache.write(NAME, b"new code")
    assert cache.read(NAME) == b"new code"


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root gives files away")
def test_a_file_of_another_user_is_not_read(store, tmp_path):
    store(tmp_path / "store")
    os.chown(tmp_path / "store" / NAME, OTHER, OTHER)
    with pytest.warns(cache.CacheWarning, match=f"owner {OTHER}"):
        assert cache.read(NAME) is None


def test_a_file_under_another_name_counts_as_absent(store, tmp_path):
    """Two of the store's files swapped: each is whole, and neither is what its name says."""
    store(tmp_path / "store")
    other = "1" * 64 + ".program"
    cache.write(other, b"other code")
    paths = tmp_path / "store" / NAME, tmp_path / "store" / other
    first, second = (path.read_bytes() for path in paths)
    paths[0].write_bytes(second)
    paths[1].write_bytes(first)
    assert cache.read(NAME) is None
    assert cache.read(other) is None


@pytest.mark.parametrize("kind", ["pipe", "folder", "link", "dangling link"])
def test_what_is_no_file_counts_as_absent_and_holds_nobody_up(tmp_path, kind):
    store = tmp_path / "store"
    store.mkdir(mode=0o700)
    place = store / NAME
    if kind == "pipe":
        os.mkfifo(place)
    elif kind == "folder":
        place.mkdir()
    else:
        place.symlink_to(tmp_path / "elsewhere")
        if kind == "link":
            (tmp_path / "elsewhere").write_bytes(b"x" * 40)
    text = (
        "from blockdyn.native import cache\n"
        f"assert cache.read({NAME!r}) is None\n"
        f"cache.write({NAME!r}, b'code')\n"
        f"print(cache.read({NAME!r}))"
    )
    done = subprocess.run(
        [sys.executable, "-c", text], env=os.environ | {cache.ENVIRONMENT: str(store)},
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.strip() == ("None" if kind == "folder" else "b'code'")
    assert len(list(store.iterdir())) == 1


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root becomes somebody else")
def test_a_user_without_a_home_keeps_code_in_the_folder_for_temporary_files():
    """The folder is below /tmp, whatever TMPDIR says here: others may not be able to enter that one."""
    text = (
        "import os, tempfile\n"
        "from blockdyn.native import cache\n"
        f"os.setuid({OTHER})\n"
        "print(cache.folder())\n"
        "cache.write('a', b'b')\n"
        "print(cache.read('a'))"
    )
    names = "HOME", "XDG_CACHE_HOME", cache.ENVIRONMENT
    environment = {name: value for name, value in os.environ.items() if name not in names}
    with tempfile.TemporaryDirectory(dir="/tmp") as temporary:
        os.chmod(temporary, 0o1777)
        done = subprocess.run(
            [sys.executable, "-c", text], env=environment | {"TMPDIR": temporary},
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert done.stderr == ""
        assert done.stdout.split() == [f"{temporary}/blockdyn-{OTHER}", "b'b'"]


def test_without_any_place_to_write_there_is_no_store_and_no_error(monkeypatch):
    def nowhere() -> str:
        raise FileNotFoundError("No usable temporary directory found")

    for name in (cache.ENVIRONMENT, "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(os.path, "expanduser", lambda path: path)  # as it does where no home is known
    monkeypatch.setattr(tempfile, "gettempdir", nowhere)
    cache.folder.cache_clear()
    assert cache.folder() is None
    cache.write(NAME, b"code")
    assert cache.read(NAME) is None
    cache.folder.cache_clear()


def test_a_full_disk_costs_nothing_but_time(tmp_path):
    """The system refuses bytes beyond a limit, as a full disk does; nothing half written is left."""
    text = (
        "import resource\n"
        "from blockdyn.native import cache\n"
        f"cache.write({NAME!r}, b'code')\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "cache.write('1' * 64 + '.program', b'x' * 100000)\n"
        f"print(cache.read({NAME!r}), cache.read('1' * 64 + '.program'))"
    )
    environment = os.environ | {cache.ENVIRONMENT: str(tmp_path / "store")}
    done = subprocess.run([sys.executable, "-c", text], env=environment, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout == "b'code' None\n"
    assert [path.name for path in (tmp_path / "store").iterdir()] == [NAME]


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root becomes somebody else")
def test_a_folder_that_cannot_be_written_is_passed_over(tmp_path):
    """The superuser's folder, closed to others: no danger, and no use either."""
    text = (
        "import os, pathlib, tempfile\n"
        "from blockdyn.native import cache\n"
        f"tempfile.gettempdir = lambda: {str(tmp_path)!r}\n"
        f"os.setuid({OTHER})\n"
        "cache.write('a', b'b')\n"
        "print(cache.folder(), cache.read('a'))"
    )
    environment = os.environ | {cache.ENVIRONMENT: "/usr"}
    done = subprocess.run([sys.executable, "-c", text], env=environment, capture_output=True, text=True)
    assert done.stderr == ""
    assert done.stdout == "None None\n"


def key(i: int) -> str:
    return f"{i:064x}.kernel"


def test_pruning_removes_the_stores_own_files_only(store, tmp_path, monkeypatch):
    place = tmp_path / "store"
    store(place)
    monkeypatch.setattr(cache, "MOST", 3)
    foreign = [f"note{i}.txt" for i in range(20)] + [
        "a" * 64,
        "a" * 64 + ".txt",
        "b" * 63 + ".kernel",
        "tmpx1",
    ]
    for name in foreign:
        (place / name).write_text("mine")
        os.utime(place / name, (1, 1))
    (place / key(70)).mkdir()
    (place / key(71)).symlink_to(tmp_path / "nowhere")
    (place / key(72)).symlink_to(place / foreign[0])
    for i in range(8):
        cache.write("f" + key(i)[1:], b"code")
        os.utime(place / ("f" + key(i)[1:]), (i, i))
    abandoned, fresh = f"{key(80)}.abcd1234.part", f"{key(81)}.abcd1234.part"
    for name in (abandoned, fresh):
        (place / name).write_bytes(b"half")
    os.utime(place / abandoned, (1, 1))
    cache.write(key(0), b"newest")
    remaining = {path.name for path in place.iterdir()}
    assert remaining >= {*foreign, key(70), key(71), key(72), fresh, key(0)}
    assert abandoned not in remaining
    assert sum(cache.OURS.fullmatch(name) is not None for name in remaining) == 3 + 3 + 1
    assert cache.read(key(0)) == b"newest"


def test_many_processes_prune_at_once_and_no_foreign_file_is_lost(tmp_path):
    place = tmp_path / "store"
    place.mkdir(mode=0o700)
    for i in range(50):
        (place / f"note{i}.txt").write_text("mine")
    text = (
        "import os\n"
        "from blockdyn.native import cache\n"
        "cache.MOST = 5\n"
        "for i in range(60):\n"
        "    cache.write(f'00{os.getpid():032x}{i:030x}.kernel', b'code' * 1000)\n"
    )
    workers = [
        subprocess.Popen(
            [sys.executable, "-c", text], env=os.environ | {cache.ENVIRONMENT: str(place)},
            stderr=subprocess.PIPE, text=True,
        )
        for _ in range(3)
    ]  # fmt: skip
    for worker in workers:
        assert worker.communicate(timeout=120)[1] == ""
        assert worker.returncode == 0
    names = [path.name for path in place.iterdir()]
    assert sum(name.endswith(".txt") for name in names) == 50
    assert len(names) - 50 <= 5 + 3
