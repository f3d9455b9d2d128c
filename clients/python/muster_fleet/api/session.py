# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from dataclasses import dataclass, field as _field
from datetime import datetime
from enum import Enum
from typing import ClassVar, List, Optional, Sequence, Union

from ..message import Field, Message


@dataclass
class CreateSignInCodeRequest(Message):
    """session.v1.CreateSignInCodeRequest"""

    FIELDS: ClassVar[Sequence[Field]] = (
    )



@dataclass
class CreateSignInCodeResponse(Message):
    """session.v1.CreateSignInCodeResponse"""

    one_time_code: str = ""
    """The code. It works once."""
    expires_at: str = ""
    """When it expires: RFC 3339, UTC, 60 seconds from now."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("one_time_code", "oneTimeCode", "string", False, False),
        Field("expires_at", "expiresAt", "string", False, False),
    )



@dataclass
class RotateTokensRequest(Message):
    """session.v1.RotateTokensRequest"""

    agent_id: str = ""
    """Revoke only this agent’s tokens. Unset: every token."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
    )



@dataclass
class RotateTokensResponse(Message):
    """session.v1.RotateTokensResponse"""

    operator_token: str = ""
    """The operator’s new token. Unset if only an agent’s tokens were revoked."""
    agents: int = 0
    """How many agents had a token."""
    sessions: int = 0
    """How many browsers were signed in."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("operator_token", "operatorToken", "string", False, False),
        Field("agents", "agents", "int32", False, False),
        Field("sessions", "sessions", "int32", False, False),
    )
