# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from dataclasses import dataclass, field as _field
from datetime import datetime
from enum import Enum
from typing import ClassVar, List, Optional, Sequence, Union

from ..message import Field, Message


class Isolation(str, Enum):
    """shared.v1.Isolation"""

    UNSPECIFIED = "ISOLATION_UNSPECIFIED"
    """Not given."""
    NONE = "ISOLATION_NONE"
    """Nothing: it reaches whatever the person who started its host reaches."""
    SANDBOX = "ISOLATION_SANDBOX"
    """A sandbox of the operating system: it has its own processes, home and network, and sees only its
    worktree and what is granted."""
    CONTAINER = "ISOLATION_CONTAINER"
    """A container of podman or Docker: as a sandbox, and in place of the programs of its host it sees
    those of the image in `grants.image`."""



class View(str, Enum):
    """shared.v1.View"""

    UNSPECIFIED = "VIEW_UNSPECIFIED"
    """Not given: as VIEW_SUMMARY."""
    SUMMARY = "VIEW_SUMMARY"
    """Long texts are cut to their first 200 characters, and the record says which."""
    FULL = "VIEW_FULL"
    """Every text is whole, which can make a very large answer."""



class NoticeKind(str, Enum):
    """shared.v1.NoticeKind"""

    UNSPECIFIED = "NOTICE_KIND_UNSPECIFIED"
    """Not given; never stored."""
    WAITING = "NOTICE_KIND_WAITING"
    """An agent started to wait for a person."""
    FAILED = "NOTICE_KIND_FAILED"
    """An agent’s launch or clean-up failed, or a script that ran for it, or it was refused in its turn
    to be restored."""
    FINISHED = "NOTICE_KIND_FINISHED"
    """An agent finished a turn: it came to rest after work."""
    HOST_LOST = "NOTICE_KIND_HOST_LOST"
    """A host no longer answers."""
    HOST_BACK = "NOTICE_KIND_HOST_BACK"
    """A lost host answers again."""
    BACKUP_FAILED = "NOTICE_KIND_BACKUP_FAILED"
    """A scheduled backup could not be made."""
    ENDED = "NOTICE_KIND_ENDED"
    """An agent’s CLI ended, alone or with its terminal."""
    BUDGET = "NOTICE_KIND_BUDGET"
    """Four fifths of a budget are used, or all of it."""
    ACCOUNT_LIMITED = "NOTICE_KIND_ACCOUNT_LIMITED"
    """An account reached its usage limit, or its credential is not accepted: its agents are parked."""



class NetworkAccess(str, Enum):
    """shared.v1.NetworkAccess"""

    UNSPECIFIED = "NETWORK_ACCESS_UNSPECIFIED"
    """Not given: as NETWORK_ACCESS_FILTERED."""
    OPEN = "NETWORK_ACCESS_OPEN"
    """All that its host reaches, services on 127.0.0.1 included."""
    FILTERED = "NETWORK_ACCESS_FILTERED"
    """muster, the model hosts of its CLI, and what `hosts` and `loopbackPorts` name."""
    NONE = "NETWORK_ACCESS_NONE"
    """muster alone."""



@dataclass
class Pagination(Message):
    """shared.v1.Pagination"""

    cursor: str = ""
    """nextPageToken of the last answer. Unset: the first page."""
    page_size: int = 0
    """Rows per page: at most 200, 50 if unset. For a forge at most 100, 20 if unset."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("cursor", "cursor", "string", False, False),
        Field("page_size", "pageSize", "int32", False, False),
    )



@dataclass
class Notify(Message):
    """shared.v1.Notify"""

    webhook: str = ""
    """HTTP or HTTPS address that gets a JSON object by POST. Empty: none."""
    command: str = ""
    """Shell command that runs on the registry’s computer, with the event in its environment. Empty:
    none."""
    on: List[Union[NoticeKind, str]] = _field(default_factory=list)
    """Which events to notify of. Empty: all. A workflow’s setting gets none about hosts and backups."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("webhook", "webhook", "string", False, False),
        Field("command", "command", "string", False, False),
        Field("on", "on", lambda: NoticeKind, True, False),
    )



@dataclass
class Grants(Message):
    """shared.v1.Grants"""

    network: Union[NetworkAccess, str] = NetworkAccess.UNSPECIFIED
    """Which network addresses they reach. Unset: filtered."""
    hosts: List[str] = _field(default_factory=list)
    """Names that the filtered network lets through: `registry.npmjs.org`, `*.example.com`,
    `example.com:8443`. Without a port: any."""
    loopback_ports: List[int] = _field(default_factory=list)
    """Ports of services on 127.0.0.1 of their host that they may use."""
    readable: List[str] = _field(default_factory=list)
    """Files and directories of their host that they may read. Absolute, or beginning with `~/`."""
    writable: List[str] = _field(default_factory=list)
    """Files and directories of their host that they may change. Absolute, or beginning with `~/`."""
    image: str = ""
    """The image whose programs agents in containers see. It must be on their host already."""
    memory_mib: int = 0
    """How much memory each may use, in MiB, also without isolation: using more ends it. Unset: no
    limit."""
    max_processes: int = 0
    """How many processes and threads each may have at once, also without isolation: starting more ends
    it. Unset: no limit."""
    disk_mib: int = 0
    """How much disk its own worktree and private files may take, in MiB, also without isolation: more
    ends it. Unset: no limit."""
    cpu_percent: int = 0
    """How much of one processor each may use, in percent, also without isolation: it is slowed down,
    not ended. Unset: no limit."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("network", "network", lambda: NetworkAccess, False, False),
        Field("hosts", "hosts", "string", True, False),
        Field("loopback_ports", "loopbackPorts", "int32", True, False),
        Field("readable", "readable", "string", True, False),
        Field("writable", "writable", "string", True, False),
        Field("image", "image", "string", False, False),
        Field("memory_mib", "memoryMib", "int32", False, False),
        Field("max_processes", "maxProcesses", "int32", False, False),
        Field("disk_mib", "diskMib", "int32", False, False),
        Field("cpu_percent", "cpuPercent", "int32", False, False),
    )
