"""Calls and watches that block their thread."""

from __future__ import annotations

import http.client
import time
from typing import Any, Dict, Generator, Optional, Type, TypeVar

from .environment import Address
from .error import MusterError, unanswered
from .message import Message
from .resumption import OnLost, Resumption
from .wire import MAX_SILENT_SECONDS, Frames, Request, answer_in

M = TypeVar("M", bound=Message)


class Service:
    """A service of muster."""

    def __init__(self, address: Address, on_lost: Optional[OnLost] = None) -> None:
        self._address = address
        self._on_lost = on_lost

    def _call(self, path: str, message: Message, answer: Type[M], timeout: float) -> M:
        request = Request(self._address, path, message, timeout)
        connection = _connect(request, timeout + 1.0)
        try:
            response = _send(connection, request)
            return answer.from_json(answer_in(response.status, response.read()))
        except (OSError, http.client.HTTPException) as error:
            raise _unreachable(request, error) from error
        finally:
            connection.close()

    def _watch(self, path: str, message: Message, answer: Type[M]) -> Generator[M, None, None]:
        resumption = Resumption(message, self._on_lost)
        while True:
            try:
                for given in self._stream(path, resumption.request):
                    response = answer.from_json(given)
                    resumption.answered(response)
                    yield response
            except MusterError as error:
                resumption.failed(error)
            time.sleep(resumption.pause())

    def _stream(self, path: str, message: Message) -> Generator[Dict[str, Any], None, None]:
        request = Request(self._address, path, message, None)
        connection = _connect(request, MAX_SILENT_SECONDS)
        frames = Frames()
        try:
            response = _send(connection, request)
            if response.status != 200:
                answer_in(response.status, response.read())
            while not frames.has_ended:
                data = response.read1(65536)
                if not data:
                    frames.close()
                yield from frames.take(data)
        except (OSError, http.client.HTTPException) as error:
            raise _unreachable(request, error) from error
        finally:
            connection.close()


def _connect(request: Request, timeout: float) -> http.client.HTTPConnection:
    kind = http.client.HTTPSConnection if request.is_tls else http.client.HTTPConnection
    return kind(request.host, request.port, timeout=timeout)


def _send(connection: http.client.HTTPConnection, request: Request) -> http.client.HTTPResponse:
    connection.request("POST", request.target, request.body, request.headers)
    return connection.getresponse()


def _unreachable(request: Request, error: Exception) -> MusterError:
    return unanswered(f"muster at {request.url.geturl()} cannot be reached: {error or type(error).__name__}")
