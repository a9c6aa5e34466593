"""Column tables: what comes in hundreds of thousands.

Declared integer columns over immutable bytes, so that a plan can be shared, hashed, pickled and compared without
copying and without one Python object per link.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from pydantic import GetCoreSchemaHandler, GetJsonSchemaHandler
from pydantic_core import CoreSchema, core_schema

IntArray = npt.NDArray[np.int64]

ROWS_MAX = 50_000_000
"""More rows than this no plan has; a file that tells them is broken."""


class Column(NamedTuple):
    """Declaration of one column: little-endian numpy type code and what it holds (unit or meaning)."""

    dtype: str
    unit: str


class Table:
    """Immutable columns of equal length; row number = id.

    A subclass declares ``columns``. Values are range-checked when they are cast to the declared type,
    because narrow integer types wrap silently. Arithmetic belongs in int64: :meth:`__getattr__` returns the
    stored (narrow, read-only) array, :meth:`wide` an int64 copy.
    """

    columns: ClassVar[Mapping[str, Column]] = {}
    __slots__ = ("_arrays", "_count")

    def __init__(self, **arrays: npt.ArrayLike) -> None:
        if arrays.keys() != self.columns.keys():
            wrong = sorted(arrays.keys() ^ self.columns.keys())
            raise ValueError(f"{type(self).__name__}: columns missing or unknown: {', '.join(wrong)}")
        kept: dict[str, npt.NDArray[Any]] = {}
        count = -1
        for name, column in self.columns.items():
            array = np.asarray(arrays[name])
            if array.size == 0:
                array = array.astype(column.dtype).reshape(-1)
            if array.ndim != 1:
                raise ValueError(f"{type(self).__name__}.{name}: one dimension is needed, not {array.ndim}")
            if array.dtype.kind not in "iu":
                raise ValueError(f"{type(self).__name__}.{name}: integers are needed, not {array.dtype}")
            if count not in (-1, array.size):
                raise ValueError(f"{type(self).__name__}.{name}: {array.size} rows where others have {count}")
            count = array.size
            kept[name] = _freeze(array, column.dtype, f"{type(self).__name__}.{name}")
        object.__setattr__(self, "_arrays", kept)
        object.__setattr__(self, "_count", max(count, 0))

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} is immutable")

    def __getattr__(self, name: str) -> npt.NDArray[Any]:
        try:
            return object.__getattribute__(self, "_arrays")[name]  # type: ignore[no-any-return]
        except (AttributeError, KeyError):
            raise AttributeError(name) from None

    def wide(self, name: str) -> IntArray:
        """Return a column as a fresh int64 array, safe for arithmetic."""
        array: npt.NDArray[Any] = self._arrays[name]
        return array.astype(np.int64)

    def __len__(self) -> int:
        return int(self._count)

    def json_text(self) -> str:
        """Return the table as a JSON object, one column a line.

        A column whose rows are all alike stands as that one number; ``count`` tells the rows.
        """
        lines = [f'"count": {len(self)}']
        for name in self.columns:
            array: npt.NDArray[Any] = self._arrays[name]
            alike = bool(array.size) and array.min() == array.max()
            lines.append(f'"{name}": {int(array[0]) if alike else f"[{_joined(array)}]"}')
        return "{\n" + ",\n".join(lines) + "\n}"

    def rows(self) -> Iterator[tuple[int, ...]]:
        """Iterate over rows as tuples of Python integers, in column order."""
        return zip(*(self._arrays[name].tolist() for name in self.columns), strict=True)

    def take(self, index: npt.ArrayLike) -> Self:
        """Return the rows of a boolean mask or an index array, as a new table."""
        chosen = np.asarray(index)
        return type(self)(**{name: self._arrays[name][chosen] for name in self.columns})

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self) or not isinstance(other, Table):
            return NotImplemented
        return all(bool(np.array_equal(self._arrays[name], other._arrays[name])) for name in self.columns)

    def __hash__(self) -> int:
        return hash((type(self).__name__, *(self._arrays[name].tobytes() for name in self.columns)))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({len(self)} rows)"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), {name: self._arrays[name].tobytes() for name in self.columns})

    @classmethod
    def __get_pydantic_core_schema__(cls, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        def read(value: object) -> Table:
            if isinstance(value, cls):
                return value
            if not isinstance(value, dict):
                raise ValueError(f"{cls.__name__}: an object with columns is needed")
            return cls(**_columns(value, cls.__name__))

        def write(value: Table) -> dict[str, list[int]]:
            return {name: value._arrays[name].tolist() for name in cls.columns}

        return core_schema.no_info_plain_validator_function(
            read, serialization=core_schema.plain_serializer_function_ser_schema(write)
        )

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> dict[str, Any]:
        return {
            "type": "object",
            "description": f"{cls.__name__}: integer columns of equal length; row number = id",
            "properties": {
                "count": {"type": "integer", "minimum": 0, "description": "rows"},
                **{
                    name: {
                        "anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "integer"}],
                        "description": f"{column.unit}; one number where all rows are alike",
                    }
                    for name, column in cls.columns.items()
                },
            },
            "required": ["count", *cls.columns],
            "additionalProperties": False,
        }


def distinct(values: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """Return the different values of a column, in order.

    Sorting is several times as fast as the hash table of ``np.unique``, and does without numpy's masked arrays,
    whose import costs more than a small plan.

    >>> distinct(np.array([7, 3, 7, -5]))
    array([-5,  3,  7])
    """
    ordered = np.sort(values)
    keep = np.ones(ordered.size, bool)
    keep[1:] = ordered[1:] != ordered[:-1]
    return ordered[keep]


def _freeze(array: npt.NDArray[Any], dtype: str, name: str) -> npt.NDArray[Any]:
    wanted = np.dtype(dtype)
    if array.size and array.dtype != wanted:
        limits = np.iinfo(wanted)
        low, high = int(array.min()), int(array.max())
        if low < limits.min or high > limits.max:
            raise ValueError(f"{name}: values {low} to {high} do not fit {wanted.name}")
    return np.frombuffer(array.astype(wanted).tobytes(), dtype=wanted)


def _columns(plain: Mapping[str, Any], name: str) -> dict[str, npt.NDArray[Any]]:
    """Return the columns of a table's plain form; a number stands for ``count`` rows that are alike."""
    columns = {str(key): np.asarray(column) for key, column in plain.items() if key != "count"}
    count = plain.get("count")
    if count is None:
        return columns
    if isinstance(count, bool) or not isinstance(count, int) or not 0 <= count <= ROWS_MAX:
        raise ValueError(f"{name}: count is a whole number up to {ROWS_MAX}")
    if any(column.ndim and column.size != count for column in columns.values()):
        raise ValueError(f"{name}: a column has other rows than the {count} that count tells")
    return {key: column if column.ndim else np.broadcast_to(column, count) for key, column in columns.items()}


def _joined(array: npt.NDArray[Any]) -> str:
    """Return integers as text; few values in many rows are written once each."""
    if array.size and array.min() >= 0 and int(array.max()) < array.size // 4:
        texts = np.array([str(number) for number in range(int(array.max()) + 1)], object)
        return ",".join(texts[array].tolist())
    return repr(array.tolist())[1:-1].replace(" ", "")


def _rebuild(kind: type[Table], columns: Mapping[str, bytes]) -> Table:
    return kind(**{name: np.frombuffer(columns[name], dtype=kind.columns[name].dtype) for name in columns})
