"""What the library must never see: None where something is needed, one object in two calls at once, and
devices behind a fork."""

import inspect
import threading
from pathlib import Path
from typing import Any, Callable, Dict, Iterator, List, Tuple

import pytest
from conftest import LIGAND, LONG, RECEPTOR, SEARCH, python

import berth


def public() -> Iterator[Tuple[str, Callable[..., Any]]]:
    """All calls: functions, what makes objects, and their methods."""
    for name in berth.__all__:
        thing = getattr(berth, name)
        if inspect.isfunction(thing):
            yield name, thing
        elif not issubclass(thing, Exception):
            yield name, thing.__init__
            for method, _ in inspect.getmembers(thing, callable):
                if not method.startswith("_") and method not in ("count", "index"):  # of every Sequence
                    yield f"{name}.{method}", vars(thing)[method].__get__(None, thing)


def needed(call: Callable[..., Any]) -> List[str]:
    parameters = inspect.signature(call).parameters.values()
    named = [one for one in parameters if one.kind not in (one.VAR_KEYWORD, one.VAR_POSITIONAL)]
    return [one.name for one in named if not str(one.annotation).startswith("Optional[") and one.name != "self"]


@pytest.mark.parametrize("name, call", list(public()))
def test_none(name: str, call: Callable[..., Any]) -> None:
    given: Dict[str, object] = {one: "x" for one in needed(call)}
    if "self" in inspect.signature(call).parameters:
        given["self"] = "x"
    for one in needed(call):
        with pytest.raises(TypeError, match=rf"{name.split('.')[-1]}.*: {one} is None|__init__: {one} is None"):
            call(**{**given, one: None})


def test_none_in_what_is_given(receptor: berth.Receptor, tmp_path: Path) -> None:
    for call in (
        lambda: berth.Library.merge(tmp_path / "out.blib", [None]),  # type: ignore[list-item]
        lambda: berth.merge([None], tmp_path / "out"),  # type: ignore[list-item]
        lambda: berth.Receptor.from_file(RECEPTOR, site=(None, (1, 2, 3))),
    ):
        with pytest.raises(TypeError):
            call()


def test_shapes(receptor: berth.Receptor, library: berth.Library, tmp_path: Path) -> None:
    for wrong in (3, (1, 2, 3)):
        with pytest.raises(TypeError, match="shard: .number, of so many., not "):
            berth.screen(receptor, library, tmp_path / "s", shard=wrong)
    wrong = (1, 2, 3)
    with pytest.raises(TypeError, match=r"site: \(\(x, y, z\), \(a, b, c\)\), centre and full edges, Å, not \(1, 2, 3\)"):
        berth.Receptor.from_file(RECEPTOR, site=wrong)
    wrong = ((1, 2, 3), 13)
    with pytest.raises(TypeError, match="site: .*not .*13"):
        berth.Receptor.from_file(RECEPTOR, site=wrong)


@pytest.mark.parametrize("name, value", [("seed", -1), ("num_modes", -3), ("seed", 2**70), ("exhaustiveness", 2**70)])
def test_out_of_range(receptor: berth.Receptor, name: str, value: int) -> None:
    given: Any = {name: value}
    with pytest.raises(berth.UsageError, match=f"^{name}: {value} is out of range") as raised:
        berth.dock(receptor, "CCO", **given)
    assert raised.value.option == name
    for kind in (1.5, "1"):
        given = {name: kind}
        with pytest.raises(TypeError, match=f"{name}: {kind!r} is not what it takes, a whole number"):
            berth.dock(receptor, "CCO", **given)


def test_docking_in_use(receptor: berth.Receptor, library: berth.Library) -> None:
    refused: List[str] = []

    def misuse(docking: berth.Docking) -> None:
        for call in (docking.close, lambda: docking.run(LIGAND)):
            with pytest.raises(berth.UsageError, match="the docking is in use"):
                call()
            refused.append(threading.current_thread().name)

    def progress(_: berth.Progress) -> bool:
        misuse(docking)
        other = threading.Thread(target=misuse, args=(docking,), name="other")
        other.start()
        other.join()
        return True

    with berth.Docking(receptor, **LONG) as docking:
        assert not docking.run(library, progress).finished
        assert refused.count("other") == refused.count("MainThread") >= 2
    docking.close()
    with pytest.raises(berth.UsageError, match="closed"):
        docking.run(LIGAND)


def test_one_docking_by_threads(receptor: berth.Receptor) -> None:
    ended: List[object] = []

    def run() -> None:
        try:
            ended.append(len(docking.run(LIGAND)))
        except berth.UsageError as error:
            ended.append(error)

    with berth.Docking(receptor, **SEARCH) as docking:
        threads = [threading.Thread(target=run) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert len(ended) == 4 and 1 in ended
    assert all(one == 1 or "in use" in str(one) for one in ended)


def test_screen_in_use(receptor: berth.Receptor, library: berth.Library, tmp_path: Path) -> None:
    refused: List[bool] = []

    def progress(_: berth.Progress) -> bool:
        with pytest.raises(berth.UsageError, match="run already"):
            run.run()
        refused.append(True)
        run.stop()
        return False

    run = berth.screen(receptor, library, tmp_path / "run", **LONG, progress=progress)
    assert not run.run().finished and refused


def test_first_use_by_threads() -> None:
    """Of a process that has not used devices: all its threads ask for them at once."""
    program = """
import berth, sys, threading
values = []
start = threading.Barrier(4)
def work():
    start.wait()
    values.append(len(berth.devices()))
threads = [threading.Thread(target=work) for _ in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert len(values) == 4 and min(values) == max(values) > 0, values
"""
    assert python(program).returncode == 0


def test_fork() -> None:
    """Of a parent that has docked; what was opened there, too."""
    program = """
import berth, os, sys
search = dict(search="fast", poses=16, generations=1, refine=1, refine_evaluations=50)
receptor = berth.Receptor.from_file(sys.argv[1], autobox=sys.argv[2])
docking = berth.Docking(receptor, **search)
assert len(docking.run(sys.argv[2])) == 1
for call in (lambda: docking.run(sys.argv[2]), lambda: berth.dock(receptor, sys.argv[2], **search), berth.devices):
    child = os.fork()
    if child == 0:
        try:
            call()
        except berth.UsageError as error:
            sys.exit(7 if "spawn" in str(error) else 8)
        sys.exit(9)
    assert os.WEXITSTATUS(os.waitpid(child, 0)[1]) == 7
assert len(docking.run(sys.argv[2])) == 1
docking.close()
"""
    assert python(program, RECEPTOR, LIGAND).returncode == 0


def test_misspelt_parameter(receptor: berth.Receptor) -> None:
    with pytest.raises(TypeError, match="dock: there is no parameter 'exhaustivness'; did you mean 'exhaustiveness'"):
        berth.dock(receptor, LIGAND, exhaustivness=8)
    with pytest.raises(TypeError, match="dock: there is no parameter 'nothing_like_it'$"):
        berth.dock(receptor, LIGAND, nothing_like_it=8)


def test_what_is_called_back_lives(tmp_path: Path) -> None:
    program = (Path(__file__).parent / "callbacks.py").read_text()
    assert python(program, RECEPTOR, LIGAND, tmp_path).stdout.endswith("alive\n")
