"""What these tests run is the checkout that they stand in, whatever else is installed."""

from pathlib import Path

from ..cli.command import ROOT
from .conftest import Own


def test_the_package_of_this_checkout_is_the_one_under_test(bare: Own) -> None:
    bare.write(
        "tests/test_where.py",
        "def test_where(pytestconfig):\n"
        "    plugin = pytestconfig.pluginmanager.getplugin('curriculum')\n"
        "    print('loaded from', plugin.__file__)\n",
    )
    done = bare.pytest("-s", "-q")
    place = ROOT / "curriculum" / "testing" / "plugin.py"
    assert f"loaded from {place}" in done.out
    assert Path(place).is_file()
