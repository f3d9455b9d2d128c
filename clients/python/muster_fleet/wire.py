"""Connect's protocol over HTTP, without any input or output."""

from __future__ import annotations

import json
from typing import Any, Dict, Iterator, Optional
from urllib.parse import SplitResult, urlsplit

from .environment import Address
from .error import MusterError, error_from_json, error_from_status, unanswered
from .message import Message

MAX_SILENT_SECONDS = 60.0
"""How long a watch may be silent. muster sends a heartbeat every 15 s."""
_MAX_FRAME_BYTES = 64 * 1024 * 1024
_COMPRESSED, _END = 1, 2


class Request:
    """What is sent for one call."""

    def __init__(self, address: Address, path: str, message: Message, timeout: Optional[float]) -> None:
        self.url: SplitResult = urlsplit(address.url)
        self.is_tls = self.url.scheme == "https"
        self.host = self.url.hostname or ""
        self.port = self.url.port or (443 if self.is_tls else 80)
        self.target = f"{self.url.path}/{path}"
        body = json.dumps(message.to_json()).encode()
        self.headers: Dict[str, str] = {
            "connect-protocol-version": "1",
            "authorization": f"Bearer {address.token}",
            "connection": "close",
        }
        if timeout is None:
            self.headers["content-type"] = "application/connect+json"
            self.body = bytes([0]) + len(body).to_bytes(4, "big") + body
        else:
            self.headers["content-type"] = "application/json"
            self.headers["connect-timeout-ms"] = str(int(timeout * 1000))
            self.body = body


def answer_in(status: int, body: bytes) -> Dict[str, Any]:
    """The JSON of an answer. Raises MusterError if it is a refusal, or not muster's."""
    try:
        answer = json.loads(body)
    except ValueError:
        answer = None
    if not isinstance(answer, dict):
        raise error_from_status(status)
    if status == 200:
        return answer
    raise error_from_json(answer) if isinstance(answer.get("code"), str) else error_from_status(status)


class Frames:
    """Splits the bytes of a stream into its answers, regardless of how they arrive."""

    def __init__(self) -> None:
        self._waiting = bytearray()
        self.has_ended = False

    def take(self, data: bytes) -> Iterator[Dict[str, Any]]:
        """The answers that these bytes complete. Raises MusterError for the refusal that ends the stream."""
        self._waiting += data
        while len(self._waiting) >= 5:
            length = int.from_bytes(self._waiting[1:5], "big")
            if length > _MAX_FRAME_BYTES or self._waiting[0] & _COMPRESSED:
                raise MusterError("The answer cannot be read: check that muster is there", "internal", "ANSWER_UNREADABLE")
            if len(self._waiting) < 5 + length:
                return
            flags, payload = self._waiting[0], bytes(self._waiting[5 : 5 + length])
            del self._waiting[: 5 + length]
            value = json.loads(payload)
            if not flags & _END:
                yield value
                continue
            self.has_ended = True
            if "error" in value:
                raise error_from_json(value["error"])
            return

    def close(self) -> None:
        """Notes the end of the bytes. Raises MusterError if the stream had not ended."""
        if not self.has_ended:
            raise unanswered("muster broke off its answer: it may have been stopped")
