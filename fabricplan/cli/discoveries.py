"""Discovery files of the command line, read with a limit on their size."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabricplan.asbuilt import Found


def read_discoveries(paths: Sequence[Path]) -> Found:
    """Return what several files of a discovery tell, as one."""
    from fabricplan.files import read_bytes
    from fabricplan.readers.discovery import BYTES_MAX, read_all

    return read_all([(read_bytes(path, BYTES_MAX), str(path)) for path in paths])
