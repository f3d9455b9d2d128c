"""Calls and watches for asyncio."""

from __future__ import annotations

import asyncio
import ssl
from typing import Any, AsyncGenerator, Dict, Optional, Tuple, Type, TypeVar

from .environment import Address
from .error import MusterError, unanswered
from .message import Message
from .resumption import OnLost, Resumption
from .wire import MAX_SILENT_SECONDS, Frames, Request, answer_in

M = TypeVar("M", bound=Message)
_FAULTS = (OSError, EOFError, ValueError, asyncio.TimeoutError, asyncio.LimitOverrunError)


class AsyncService:
    """A service of muster."""

    def __init__(self, address: Address, on_lost: Optional[OnLost] = None) -> None:
        self._address = address
        self._on_lost = on_lost

    async def _call(self, path: str, message: Message, answer: Type[M], timeout: float) -> M:
        request = Request(self._address, path, message, timeout)
        try:
            status, body = await asyncio.wait_for(_exchange(request), timeout + 1.0)
        except _FAULTS as error:
            raise _unreachable(request, error) from error
        return answer.from_json(answer_in(status, body))

    async def _watch(self, path: str, message: Message, answer: Type[M]) -> AsyncGenerator[M, None]:
        resumption = Resumption(message, self._on_lost)
        while True:
            stream = self._stream(path, resumption.request)
            try:
                async for given in stream:
                    response = answer.from_json(given)
                    resumption.answered(response)
                    yield response
            except MusterError as error:
                resumption.failed(error)
            finally:
                await stream.aclose()
            await asyncio.sleep(resumption.pause())

    async def _stream(self, path: str, message: Message) -> AsyncGenerator[Dict[str, Any], None]:
        request = Request(self._address, path, message, None)
        frames = Frames()
        exchange = _Exchange(request)
        try:
            status = await asyncio.wait_for(exchange.open(), MAX_SILENT_SECONDS)
            if status != 200:
                answer_in(status, await exchange.read())
            while not frames.has_ended:
                data = await asyncio.wait_for(exchange.piece(), MAX_SILENT_SECONDS)
                if not data:
                    frames.close()
                for value in frames.take(data):
                    yield value
        except _FAULTS as error:
            raise _unreachable(request, error) from error
        finally:
            exchange.close()


async def _exchange(request: Request) -> Tuple[int, bytes]:
    exchange = _Exchange(request)
    try:
        status = await exchange.open()
        return status, await exchange.read()
    finally:
        exchange.close()


class _Exchange:
    """One request over HTTP/1.1 on a connection of its own, and its answer."""

    def __init__(self, request: Request) -> None:
        self._request = request
        self._writer: Optional[asyncio.StreamWriter] = None
        self._reader: asyncio.StreamReader
        self._is_chunked = False
        self._left: Optional[int] = None

    async def open(self) -> int:
        """Sends the request, and returns the status of the answer."""
        request = self._request
        tls = ssl.create_default_context() if request.is_tls else None
        self._reader, self._writer = await asyncio.open_connection(request.host, request.port, ssl=tls)
        headers = {"host": request.url.netloc, "content-length": str(len(request.body)), **request.headers}
        head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self._writer.write(f"POST {request.target} HTTP/1.1\r\n{head}\r\n".encode() + request.body)
        await self._writer.drain()
        status = int((await self._line()).split(" ")[1])
        while line := await self._line():
            name, _, value = line.partition(":")
            if name.lower() == "transfer-encoding":
                self._is_chunked = "chunked" in value.lower()
            elif name.lower() == "content-length":
                self._left = int(value)
        return status

    async def read(self) -> bytes:
        """The whole body."""
        body = b""
        while data := await self.piece():
            body += data
        return body

    async def piece(self) -> bytes:
        """The next bytes of the body; empty at its end."""
        if self._is_chunked and not self._left:
            if self._left == 0:
                await self._line()
            self._left = int((await self._line()).split(";")[0], 16)
            if self._left == 0:
                return b""
        if self._left == 0:
            return b""
        data = await self._reader.read(65536 if self._left is None else min(self._left, 65536))
        if not data and self._left:
            raise EOFError("the answer is incomplete")
        if self._left is not None:
            self._left -= len(data)
        return data

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()

    async def _line(self) -> str:
        line = await self._reader.readline()
        if not line.endswith(b"\n"):
            raise EOFError("the answer is incomplete")
        return line.decode("latin-1").rstrip("\r\n")


def _unreachable(request: Request, error: Exception) -> MusterError:
    why = str(error) or type(error).__name__
    return unanswered(f"muster at {request.url.geturl()} cannot be reached: {why}")
