"""What the generated messages have in common: their JSON, as protobuf defines it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timezone
from enum import Enum
from typing import Any, Callable, ClassVar, Dict, NamedTuple, Sequence, Type, TypeVar, Union

Kind = Union[str, Callable[[], type]]
M = TypeVar("M", bound="Message")


class Field(NamedTuple):
    """A field of a message."""

    name: str
    json_name: str
    kind: Kind
    """A scalar's name, `timestamp`, or what returns the class of a message or an enumeration."""
    is_list: bool
    is_optional: bool
    """Whether unset (None) differs from the zero value."""


@dataclass
class Message:
    """A message of the contract."""

    FIELDS: ClassVar[Sequence[Field]] = ()

    def to_json(self) -> Dict[str, Any]:
        """The message as JSON, without fields that are unset."""
        written: Dict[str, Any] = {}
        for field in self.FIELDS:
            value = getattr(self, field.name)
            if value is None or (not field.is_optional and _is_zero(value, field)):
                continue
            written[field.json_name] = [_write(one, field) for one in value] if field.is_list else _write(value, field)
        return written

    @classmethod
    def from_json(cls: Type[M], given: Dict[str, Any]) -> M:
        """The message in JSON. Fields that only a newer muster knows are left out."""
        values: Dict[str, Any] = {}
        for field in cls.FIELDS:
            value = given.get(field.json_name)
            if value is not None:
                values[field.name] = [_read(one, field) for one in value] if field.is_list else _read(value, field)
        return cls(**values)


def _is_zero(value: Any, field: Field) -> bool:
    if isinstance(value, Enum):
        return value is next(iter(type(value)))
    return not value


def _write(value: Any, field: Field) -> Any:
    if isinstance(value, Message):
        return value.to_json()
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        moment = value if value.tzinfo is not None else value.astimezone()
        return moment.astimezone(timezone.utc).isoformat(timespec="microseconds").replace("+00:00", "Z")
    return str(value) if field.kind == "int64" else value


def _read(value: Any, field: Field) -> Any:
    if callable(field.kind):
        declared = field.kind()
        if issubclass(declared, Message):
            return declared.from_json(value)
        try:
            return declared(value)
        except ValueError:
            return value
    if field.kind == "timestamp":
        return _moment(value)
    return int(value) if field.kind == "int64" else value


def _moment(text: str) -> datetime:
    """A time in RFC 3339. datetime has microseconds, and older Pythons want exactly six digits."""
    whole, _, fraction = text.rstrip("Z").partition(".")
    return datetime.fromisoformat(f"{whole}.{(fraction + '000000')[:6]}+00:00")
