"""Build hook: write the compiled catalogue beside the package's data, for wheels and editable installs.

The compiled file is a cache; the program checks the hash of every YAML file before it believes it.
"""

from __future__ import annotations

import sys
import types
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CustomBuildHook(BuildHookInterface):  # type: ignore[type-arg]
    """Compiles ``catalog/`` to ``fabricplan/_data/catalog.json``."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Write the compiled catalogue; in a wheel it stands beside the YAML files."""
        root = Path(self.root)
        package = types.ModuleType("fabricplan")  # the modules needed here, without the package's dependencies
        package.__path__ = [str(root / "fabricplan")]
        sys.modules["fabricplan"] = package
        try:
            from fabricplan.rawcatalog import compile_files

            folder = root / "catalog"
            files = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.yaml")}
            target = root / "fabricplan" / "_data" / "catalog.json"
            target.parent.mkdir(exist_ok=True)
            target.write_bytes(compile_files(files))
        finally:
            for name in [name for name in sys.modules if name.split(".")[0] == "fabricplan"]:
                del sys.modules[name]
        build_data["artifacts"].append("/fabricplan/_data/catalog.json")
