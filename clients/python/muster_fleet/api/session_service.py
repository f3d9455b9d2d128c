# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from typing import AsyncGenerator, Generator

from ..aio import AsyncService
from ..blocking import Service
from . import session as messages


class SessionService(Service):
    """The operations of session.v1.SessionService. Watches resume from their cursor after a cut."""

    def create_sign_in_code(self, request: messages.CreateSignInCodeRequest, timeout: float = 30.0) -> messages.CreateSignInCodeResponse:
        """Issues a one-time code with which a person’s browser signs in to the page.

        The code works once, within 60 seconds: the browser opens the page at /#code=CODE, which
        exchanges it for a session bound to a key of that browser. muster open does all of this."""
        return self._call("session.v1.SessionService/CreateSignInCode", request, messages.CreateSignInCodeResponse, timeout)

    def rotate_tokens(self, request: messages.RotateTokensRequest, timeout: float = 30.0) -> messages.RotateTokensResponse:
        """Revokes every token at once: those of all agents, the sessions of browsers, and the
        operator’s own, which is replaced.

        The new operator’s token is in operator.token of the registry’s state folder, and in the
        answer. Running agents continue, but cannot call muster until they are archived and
        restored, which gives them a new token. With agentId it revokes only the tokens of that
        agent."""
        return self._call("session.v1.SessionService/RotateTokens", request, messages.RotateTokensResponse, timeout)


class AsyncSessionService(AsyncService):
    """The operations of session.v1.SessionService, for asyncio. Watches resume from their cursor after a cut."""

    async def create_sign_in_code(self, request: messages.CreateSignInCodeRequest, timeout: float = 30.0) -> messages.CreateSignInCodeResponse:
        """Issues a one-time code with which a person’s browser signs in to the page.

        The code works once, within 60 seconds: the browser opens the page at /#code=CODE, which
        exchanges it for a session bound to a key of that browser. muster open does all of this."""
        return await self._call("session.v1.SessionService/CreateSignInCode", request, messages.CreateSignInCodeResponse, timeout)

    async def rotate_tokens(self, request: messages.RotateTokensRequest, timeout: float = 30.0) -> messages.RotateTokensResponse:
        """Revokes every token at once: those of all agents, the sessions of browsers, and the
        operator’s own, which is replaced.

        The new operator’s token is in operator.token of the registry’s state folder, and in the
        answer. Running agents continue, but cannot call muster until they are archived and
        restored, which gives them a new token. With agentId it revokes only the tokens of that
        agent."""
        return await self._call("session.v1.SessionService/RotateTokens", request, messages.RotateTokensResponse, timeout)
