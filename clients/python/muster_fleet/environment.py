"""Where muster is, and who calls."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping
from urllib.parse import urlsplit


@dataclass(frozen=True)
class Address:
    """Where muster is, and who calls."""

    url: str
    """The address of a gateway, such as `http://127.0.0.1:7433`."""
    token: str

    def __repr__(self) -> str:
        return f"Address(url={self.url!r}, token=…)"


def from_environment(env: Mapping[str, str] = os.environ) -> Address:
    """The address and token of the environment, as the command `muster` finds them.

    In an agent's pane these are the agent's own (`SERVICE_BASE_URL`, `SERVICE_TOKEN`). Elsewhere it is the service of this
    computer (`MUSTER_URL` or `MUSTER_PORT`) and the operator's token in the state folder (`MUSTER_HOME`).

    Raises ValueError for an address that is not http or https, PermissionError if others than its owner can read the
    token's file or an agent has no token, and OSError if the file cannot be read.
    """
    url = env.get("SERVICE_BASE_URL") or env.get("MUSTER_URL") or f"http://127.0.0.1:{env.get('MUSTER_PORT') or 7433}"
    if urlsplit(url).scheme not in ("http", "https"):
        raise ValueError(f"The address of muster is {url!r}: it must begin with http:// or https://")
    token = env.get("SERVICE_TOKEN")
    if not token and env.get("SERVICE_AGENT_ID"):
        raise PermissionError("SERVICE_AGENT_ID is set and SERVICE_TOKEN is not: an agent never acts as the operator")
    return Address(url.rstrip("/"), token or _operator_token(_state_folder(env) / "operator.token"))


def _state_folder(env: Mapping[str, str]) -> Path:
    home = Path(env.get("HOME") or Path.home())
    named = env.get("MUSTER_HOME")
    if not named:
        return Path(env.get("XDG_STATE_HOME") or home / ".local" / "state") / "muster"
    return home / named[2:] if named.startswith("~/") else Path(named)


def _operator_token(file: Path) -> str:
    with file.open() as opened:
        if os.fstat(opened.fileno()).st_mode & 0o077:
            raise PermissionError(f"Others than its owner can use {file}: run chmod 600 on it, then muster token rotate")
        return opened.read().strip()
