"""Which golden a test claims: a readable path that every file system can hold."""

from .conftest import Own

TESTS = """
import unittest
import pytest
from my_agent import run_agent

@pytest.mark.parametrize("q", ["a/b", "c d", "::", "..", "ü", "x:y?*"])
def test_many(golden_trace, q):
    run_agent(golden_trace, q)

def test_UUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUUU(golden_trace):
    run_agent(golden_trace, "Hello?")

def test_uuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuuu(golden_trace):
    run_agent(golden_trace, "Hello?")

class TestGroup:
    class TestInner:
        def test_it(self, golden_trace):
            run_agent(golden_trace, "Hello?")

@pytest.mark.golden("a name")
@pytest.mark.parametrize("q", ["one", "two"])
def test_named(golden_trace, q):
    run_agent(golden_trace, q)

@pytest.mark.parametrize("q", ["Q", pytest.param("q", marks=pytest.mark.golden("small"))])
def test_case(golden_trace, q):
    run_agent(golden_trace, q)

@pytest.mark.golden("nul")
def test_device(golden_trace):
    run_agent(golden_trace, "Hello?")

@pytest.mark.golden("x.pending")
def test_waits(golden_trace):
    run_agent(golden_trace, "Hello?")

@pytest.fixture
def agent(golden_trace):
    return lambda question: run_agent(golden_trace, question)

def test_through_a_fixture(agent):
    agent("Hello?")

class TestUnit(unittest.TestCase):
    @pytest.fixture(autouse=True)
    def trace(self, golden_trace):
        self.trace = golden_trace

    def test_unit(self):
        run_agent(self.trace, "Hello?")
"""
EXPECTED = [
    "TestGroup.TestInner.test_it",
    "TestUnit.test_unit",
    "a%20name[one]",
    "a%20name[two]",
    "%6Eul",
    "small[q]",
    "test_case[Q]",
    "test_many[%3A%3A]",
    "test_many[%5Cxfc]",
    "test_many[..]",
    "test_many[a%2Fb]",
    "test_many[c%20d]",
    "test_many[x%3Ay%3F%2A]",
    "test_through_a_fixture",
    "x%2Epending",
]


def test_each_kind_of_test_has_a_place_of_its_own(bare: Own) -> None:
    bare.write("tests/deep/er/test_odd.py", TESTS)
    bare.record()
    names = {name.removesuffix(".jsonl") for name in bare.files()}
    begin = "pytest/tests/deep/er/test_odd/"
    long = [name for name in names if "u" * 90 in name.lower()]
    assert sorted(names - {*long}) == sorted(begin + name for name in EXPECTED)
    cut = [name.removeprefix(begin).partition("~")[0] for name in sorted(long)]
    assert cut == ["test_" + "U" * 106, "test_" + "u" * 106]
    assert len({name.lower() for name in names}) == len(names)
    done = bare.pytest()
    assert (done.code, "17 passed" in done.out) == (0, True)


def test_names_that_differ_only_in_case_are_refused(bare: Own) -> None:
    """On some systems the two would be one file."""
    bare.write("tests/test_two.py", """
from my_agent import run_agent

def test_a(golden_trace):
    run_agent(golden_trace, "Hello?")

def test_A(golden_trace):
    run_agent(golden_trace, "Hello?")
""")  # fmt: skip
    for more in ((), ("-n", "2")):
        done = bare.pytest(*more)
        assert done.code == 1
        assert (
            "tests/test_two.py::test_A and tests/test_two.py::test_a have the same golden trace, "
            "pytest/tests/test_two/test_A; give one a name of its own: @pytest.mark.golden('name') "
            "[golden-claims]"
        ) in done.out
        assert "INTERNALERROR" not in done.out + done.err


def test_a_marker_without_one_name_is_refused(bare: Own) -> None:
    bare.write("tests/test_mark.py", """
import pytest

@pytest.mark.golden("a", "b")
def test_a(golden_trace):
    pass
""")  # fmt: skip
    done = bare.pytest()
    assert done.code == 1
    assert "tests/test_mark.py::test_a: the marker is golden('name'), with one name" in done.out
