"""The import order: a module imports only what stands before it, and third parties have one home each.

The list is that of ``ARCHITECTURE.md`` ("Rooms, in import order"); both change together.
"""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import fabricplan

ROOT = Path(fabricplan.__file__).parent
ORDER = (
    "errors", "storedjson", "terminal", "measures", "strictyaml", "rawcatalog", "faults", "values", "catalog", "mating",
    "products", "fitting", "mates", "replacing",
    "requirement", "names", "sizing", "topology", "portwords", "placement", "sides", "surveyed", "patching",
    "cabling", "placing", "stages",
    "bom", "wording", "checks", "sound", "plan", "pipeline", "recheck", "growth", "schedule", "crew", "summary",
    "graph", "proof", "prices", "quote", "byprice", "asbuilt", "readers", "files", "pricefiles", "renderers",
    "witness", "cli",
)  # fmt: skip
LAZY = ("__init__.py", "files.py", "renderers/__init__.py", "strictyaml/__init__.py", "values/__init__.py")
"""Where names may be loaded late: the root, the rules on a company's own catalogue, the lazy table of formats, the YAML
parser, numpy's tables; and the command line."""
HOMES = {
    "yaml": {"strictyaml"},
    "typer": {"cli"},
    "jinja2": {"renderers"},
    "xlsxwriter": {"renderers"},
    "openpyxl": {"readers", "renderers"},
    "graphviz": {"renderers"},
    "networkx": {"graph"},
    "resvg_py": {"renderers"},
    "segno": {"renderers"},
    "tempfile": {"files", "witness"},
    "subprocess": {"witness"},
}
FILES = sorted(path for path in ROOT.rglob("*.py") if "_data" not in path.parts)


def room_of(path: Path) -> str:
    """Return the first part of a module's name below the package; empty for the root and the version."""
    first = path.relative_to(ROOT).parts[0].removesuffix(".py")
    return "" if first.startswith("_") else first


def imports(tree: ast.AST) -> Iterator[tuple[str, int]]:
    """Yield every imported module with its line."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.name, node.lineno
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"line {node.lineno}: imports are absolute"
            module = node.module or ""
            if module == "fabricplan":
                for alias in node.names:
                    yield f"fabricplan.{alias.name}", node.lineno
            else:
                yield module, node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "import_module":
            named = node.args[0].values[0] if isinstance(node.args[0], ast.JoinedStr) else node.args[0]
            assert isinstance(named, ast.Constant), f"line {node.lineno}: a late import names its package"
            yield str(named.value).rstrip("."), node.lineno


def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_module_imports_only_to_its_left(path: Path) -> None:
    room = room_of(path)
    if not room:
        return  # the root shows everything; nothing imports it
    assert room in ORDER, f"{room} has no place in the order"
    for module, line in imports(tree_of(path)):
        if module.split(".")[0] != "fabricplan":
            continue
        assert module != "fabricplan", f"line {line}: the root is not imported from inside"
        other = module.split(".")[1]
        if other.startswith("_version"):
            continue
        assert other in ORDER, f"line {line}: {other} has no place in the order"
        assert ORDER.index(other) <= ORDER.index(room), f"line {line}: {room} imports {other}, which stands after it"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_hidden_imports(path: Path) -> None:
    tree, inside = tree_of(path), path.relative_to(ROOT).as_posix()
    if inside.startswith("cli/") or inside in LAZY:
        return
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    assert "TYPE_CHECKING" not in names and "__import__" not in names
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            hidden = [item.lineno for item in ast.walk(node) if isinstance(item, (ast.Import, ast.ImportFrom))]
            assert not hidden, f"imports inside functions on lines {hidden}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_third_parties_have_one_home(path: Path) -> None:
    for module, line in imports(tree_of(path)):
        homes = HOMES.get(module.split(".")[0])
        assert homes is None or room_of(path) in homes, f"line {line}: {module} belongs into {sorted(homes or ())}"


def test_architecture_tells_the_same_order() -> None:
    text = (ROOT.parent / "ARCHITECTURE.md").read_text(encoding="utf-8")
    rooms = re.findall(r"^\| `(\w+)` \|", text, flags=re.MULTILINE)
    assert rooms == [room for room in ORDER if room in rooms]
    present = {room_of(path) for path in FILES} - {""}
    assert present <= set(rooms), f"not in ARCHITECTURE.md: {sorted(present - set(rooms))}"


def test_the_root_loads_nothing_heavy() -> None:
    heavy = ("networkx", "openpyxl", "xlsxwriter", "jinja2", "graphviz", "typer")
    code = f"import sys, fabricplan; print([name for name in {heavy!r} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT.parent, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
