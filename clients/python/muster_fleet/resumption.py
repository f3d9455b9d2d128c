"""When a watch is opened again, and from where."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Callable, Optional

from .error import MusterError
from .message import Message

OnLost = Callable[[Optional[MusterError]], None]
"""Gets the error of each failed attempt of a watch, and None once it is back."""
_FIRST_PAUSE, _LONGEST_PAUSE = 0.3, 5.0


class Resumption:
    """The state of one watch across cuts of its connection."""

    def __init__(self, request: Message, on_lost: Optional[OnLost]) -> None:
        self.request = request
        self._on_lost = on_lost
        self._has_answered = False
        self._is_lost = False
        self._fails = 0

    def answered(self, answer: Any) -> None:
        """Notes an answer: the watch continues from its cursor."""
        if self._is_lost and self._on_lost is not None:
            self._on_lost(None)
        self._is_lost = False
        self._has_answered = True
        self._fails = 0
        if answer.cursor:
            self.request = replace(self.request, cursor=answer.cursor)  # type: ignore[call-arg]

    def failed(self, error: MusterError) -> None:
        """Notes that an attempt failed. Raises the error if it was the first, or if muster refuses to go on."""
        if not self._has_answered or not error.may_retry:
            raise error
        self._is_lost = True
        if self._on_lost is not None:
            self._on_lost(error)

    def pause(self) -> float:
        """How many seconds to wait before the next attempt."""
        seconds = min(_FIRST_PAUSE * 2.0**self._fails, _LONGEST_PAUSE)
        self._fails += 1
        return seconds
