"""A typed client of muster, for blocking programs and for asyncio, with the standard library alone."""

from .api.reason import Reason
from .environment import Address, from_environment
from .error import FieldViolation, MusterError
from .muster import AsyncMuster, Muster

__all__ = ["Address", "AsyncMuster", "FieldViolation", "Muster", "MusterError", "Reason", "from_environment"]
