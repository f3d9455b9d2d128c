"""Refusals, and calls that were not answered."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Sequence, Tuple, Union

from .api.reason import Reason

_RETRIABLE = {"deadline_exceeded", "aborted", "unavailable"}
# Codes of answers without a reason of muster's that a repeat does not change: something else listens there.
_FOREIGN = {"unauthenticated", "permission_denied", "unimplemented", "not_found"}
_CODES = {401: "unauthenticated", 403: "permission_denied", 404: "unimplemented"}


@dataclass(frozen=True)
class FieldViolation:
    """A field at fault."""

    field: str
    """Its path in the request, such as `scripts.setup` or `inputs.2.text`."""
    description: str
    """What is wrong, which value, and what to do."""


class MusterError(Exception):
    """A call that failed: muster refused it, or did not answer. Match `reason`, never the words of the message."""

    code: str
    """Connect's code, such as `not_found`."""
    reason: Union[Reason, str]
    """A reason of the closed list, one that only a newer muster knows, or empty if muster did not answer."""
    metadata: Mapping[str, str]
    """The metadata that the reason documents."""
    violations: Sequence[FieldViolation]
    """The fields at fault; empty if no single field is."""

    def __init__(
        self,
        message: str,
        code: str,
        reason: Union[Reason, str] = "",
        metadata: Mapping[str, str] = {},
        violations: Sequence[FieldViolation] = (),
    ) -> None:
        super().__init__(message)
        self.code = code
        self.reason = reason
        self.metadata = metadata
        self.violations = violations

    @property
    def field(self) -> str:
        """The path of the first field at fault; empty if there is none."""
        return self.violations[0].field if self.violations else ""

    @property
    def is_unanswered(self) -> bool:
        """Whether the connection or a proxy failed, and not muster: a call that writes may have been done."""
        return self.reason == "" and self.code not in _FOREIGN

    @property
    def may_retry(self) -> bool:
        """Whether the same call may succeed later."""
        return self.is_unanswered or self.code in _RETRIABLE

    def is_for(self, *reasons: Reason) -> bool:
        """Whether its reason is one of these."""
        return self.reason in reasons


def unanswered(why: str) -> MusterError:
    """The error of a call to which there was no answer."""
    return MusterError(why, "unavailable")


def error_from_status(status: int) -> MusterError:
    """The error of an answer without a reason, by its HTTP status."""
    return MusterError(f"HTTP {status} without a reason: check that muster is there", _CODES.get(status, "unavailable"))


def error_from_json(given: Dict[str, Any]) -> MusterError:
    """The error in Connect's JSON."""
    reason: Union[Reason, str] = ""
    metadata: Dict[str, str] = {}
    violations: List[FieldViolation] = []
    for detail in given.get("details", []):
        value = detail.get("value", "")
        fields = _fields(base64.b64decode(value + "=" * (-len(value) % 4)))
        if detail.get("type") == "google.rpc.ErrorInfo" and _text(fields, 2) == "muster":
            reason = _reason(_text(fields, 1))
            pairs = [_fields(entry) for number, entry in fields if number == 3]
            metadata = {_text(pair, 1): _text(pair, 2) for pair in pairs}
        elif detail.get("type") == "google.rpc.BadRequest":
            found = [_fields(one) for number, one in fields if number == 1]
            violations = [FieldViolation(_text(one, 1), _text(one, 2)) for one in found]
    return MusterError(given.get("message", ""), given.get("code", "unknown"), reason, metadata, violations)


def _reason(text: str) -> Union[Reason, str]:
    try:
        return Reason(text)
    except ValueError:
        return text


def _fields(data: bytes) -> List[Tuple[int, bytes]]:
    """The texts and messages in protobuf's binary form, by field number; these messages have nothing else."""
    fields: List[Tuple[int, bytes]] = []
    at = 0
    while at < len(data):
        tag, at = _varint(data, at)
        length, at = _varint(data, at)
        if tag & 7 != 2:
            break
        fields.append((tag >> 3, data[at : at + length]))
        at += length
    return fields


def _varint(data: bytes, at: int) -> Tuple[int, int]:
    value = shift = 0
    while at < len(data):
        value |= (data[at] & 0x7F) << shift
        shift += 7
        at += 1
        if data[at - 1] < 0x80:
            break
    return value, at


def _text(fields: Sequence[Tuple[int, bytes]], number: int) -> str:
    return next((value.decode() for one, value in fields if one == number), "")
