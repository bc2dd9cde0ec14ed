"""There are no import cycles, imports for type checkers included."""

from graphlib import CycleError, TopologicalSorter

import grimp
import pytest

ROOMS = ("bots", "pictures", "store", "service", "api", "workers", "cli")


@pytest.mark.parametrize("room", ROOMS)
def test_no_module_imports_itself_by_a_detour(room: str) -> None:
    """The modules of a package have no import cycle."""
    graph = grimp.build_graph(room)
    imports = {name: graph.find_modules_directly_imported_by(name) for name in graph.modules}
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(reversed(error.args[1])))
