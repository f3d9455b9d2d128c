# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from dataclasses import dataclass, field as _field
from datetime import datetime
from enum import Enum
from typing import ClassVar, List, Optional, Sequence, Union

from ..message import Field, Message
from . import agent, shared


class RunState(str, Enum):
    """host.v1.RunState"""

    UNSPECIFIED = "RUN_STATE_UNSPECIFIED"
    """No state; never sent."""
    RUNNING = "RUN_STATE_RUNNING"
    """It has not ended yet."""
    SUCCEEDED = "RUN_STATE_SUCCEEDED"
    """It ended with status 0."""
    FAILED = "RUN_STATE_FAILED"
    """It ended with another status or a signal, or exceeded its time limit."""
    CALLED_OFF = "RUN_STATE_CALLED_OFF"
    """It was cancelled before it ended."""



class HostState(str, Enum):
    """host.v1.HostState"""

    UNSPECIFIED = "HOST_STATE_UNSPECIFIED"
    """No state; never sent."""
    ONLINE = "HOST_STATE_ONLINE"
    """Its beats arrive."""
    LOST = "HOST_STATE_LOST"
    """It has been silent for longer than `patienceSeconds`. Its agents keep their last known state."""
    SILENT = "HOST_STATE_SILENT"
    """It has been silent for 30 s, or for three beats in an installation with more than 500 hosts. Its
    agents keep their last known state, and it types nothing and starts nothing."""



class CheckOutcome(str, Enum):
    """host.v1.CheckOutcome"""

    UNSPECIFIED = "CHECK_OUTCOME_UNSPECIFIED"
    """No outcome; never sent."""
    OK = "CHECK_OUTCOME_OK"
    """Nothing is wrong."""
    WARNING = "CHECK_OUTCOME_WARNING"
    """A part of muster does not work."""
    FAILURE = "CHECK_OUTCOME_FAILURE"
    """muster cannot work."""



class HostInvitationState(str, Enum):
    """host.v1.HostInvitationState"""

    UNSPECIFIED = "HOST_INVITATION_STATE_UNSPECIFIED"
    """No state; never sent."""
    OPEN = "HOST_INVITATION_STATE_OPEN"
    """A machine may join with it, once."""
    USED = "HOST_INVITATION_STATE_USED"
    """A machine has joined with it: `hostId`."""
    EXPIRED = "HOST_INVITATION_STATE_EXPIRED"
    """Its time ran out before a machine used it."""
    WITHDRAWN = "HOST_INVITATION_STATE_WITHDRAWN"
    """A person withdrew it before a machine used it."""



class RunScript(str, Enum):
    """host.v1.RunScript"""

    UNSPECIFIED = "RUN_SCRIPT_UNSPECIFIED"
    """Not known; never sent."""
    SETUP = "RUN_SCRIPT_SETUP"
    """The setup script, in a new worktree."""
    TEARDOWN = "RUN_SCRIPT_TEARDOWN"
    """The teardown script, before the worktree is removed."""
    ON_IDLE = "RUN_SCRIPT_ON_IDLE"
    """The script for when the agent becomes idle."""
    ON_WAITING = "RUN_SCRIPT_ON_WAITING"
    """The script for when the agent starts to wait for a person."""



@dataclass
class ConfirmHarnessRequest(Message):
    """host.v1.ConfirmHarnessRequest"""

    host_id: str = ""
    """The host, by id or name."""
    harness: str = ""
    """The name of the harness that the file defines or changes."""
    digest: str = ""
    """The digest of what you saw, from list_harness_launches."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host_id", "hostId", "string", False, False),
        Field("harness", "harness", "string", False, False),
        Field("digest", "digest", "string", False, False),
    )



@dataclass
class ConfirmHarnessResponse(Message):
    """host.v1.ConfirmHarnessResponse"""

    launch: Optional[HarnessLaunch] = None
    """The confirmed launch part."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("launch", "launch", lambda: HarnessLaunch, False, True),
    )



@dataclass
class HarnessLaunch(Message):
    """host.v1.HarnessLaunch"""

    harness: str = ""
    """The name of the harness that the file defines or changes."""
    path: str = ""
    """The path of the file on the host."""
    launch: str = ""
    """What the file launches, as JSON: its `launch`, and its `like` if the harness is not built in."""
    digest: str = ""
    """The SHA-256 of `launch` in hexadecimal, which a person confirms."""
    confirmed: bool = False
    """Whether a person has confirmed this digest, so that the harness may be launched."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("harness", "harness", "string", False, False),
        Field("path", "path", "string", False, False),
        Field("launch", "launch", "string", False, False),
        Field("digest", "digest", "string", False, False),
        Field("confirmed", "confirmed", "bool", False, False),
    )



@dataclass
class DrainHostRequest(Message):
    """host.v1.DrainHostRequest"""

    host_id: str = ""
    """The host, by id or name."""
    undo: bool = False
    """true: agents are placed there again, and a new host is admitted."""
    move: bool = False
    """true: its agents move to other hosts, each once it is at rest, as with move_agent."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host_id", "hostId", "string", False, False),
        Field("undo", "undo", "bool", False, False),
        Field("move", "move", "bool", False, False),
    )



@dataclass
class DrainHostResponse(Message):
    """host.v1.DrainHostResponse"""

    host: Optional[Host] = None
    """The host after the call."""
    moves: List[StartedMove] = _field(default_factory=list)
    """With `move`: each of its agents that is not archived, and whether it moves."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host", "host", lambda: Host, False, True),
        Field("moves", "moves", lambda: StartedMove, True, False),
    )



@dataclass
class Host(Message):
    """host.v1.Host"""

    id: str = ""
    """The id of the host in other calls: `hst_` and a ULID."""
    name: str = ""
    """Its name. Accepted wherever an id is."""
    state: Union[HostState, str] = HostState.UNSPECIFIED
    """Whether it is reachable."""
    seen_at: str = ""
    """When its last beat arrived: RFC 3339, UTC."""
    agents: int = 0
    """How many agents are placed on it, not counting archived ones."""
    harnesses: List[str] = _field(default_factory=list)
    """The harnesses it can launch: their CLI is on its PATH, and a person has confirmed what its own
    rules files launch."""
    draining: bool = False
    """Whether it is closed to new agents."""
    load: Optional[HostLoad] = None
    """Its load at its last report, even if it is lost now."""
    system: str = ""
    """Its operating system and processor architecture, such as `linux x64`."""
    muster_version: str = ""
    """The version of muster that runs there."""
    started_at: str = ""
    """When muster started there, by the host’s own clock: RFC 3339, UTC."""
    gateway_url: str = ""
    """The address at which its agents reach muster. Unset for a new host."""
    gateway_fault: str = ""
    """What was wrong when the host tried that address. Unset if muster answers there."""
    found_terminals: List[str] = _field(default_factory=list)
    """Ids of agents that the database does not have but whose terminals run there, at most 20 for a
    new host. muster leaves them alone; run_doctor says how to end them."""
    newcomer: bool = False
    """Whether no person has admitted it yet. Until then agents are placed there only if a launch names
    it."""
    rival: Optional[HostRival] = None
    """Another computer that used its id and key in the last 30 seconds and was refused. Unset if there
    was none."""
    recorded_harnesses: List[RecordedHarness] = _field(default_factory=list)
    """For each CLI that it can launch, the version that its rules were recorded with, if known."""
    labels: List[str] = _field(default_factory=list)
    """Its labels, each as `key=value`, in the order of their keys. People set them."""
    agents_at_work: int = 0
    """How many of its agents are being set up, work, wait for a person or are being closed. A drained
    host has none."""
    launches: int = 0
    """How many launches are in progress on it."""
    max_agents: int = 0
    """How many agents it may have, not counting archived ones. Unset: no limit of its own."""
    max_launches: int = 0
    """How many launches may be in progress on it at once."""
    max_setups: int = 0
    """How many of these may still have their setup script to run."""
    patience_seconds: int = 0
    """After how many seconds of silence it counts as lost."""
    state_since: str = ""
    """Since when it has been in its state: RFC 3339, UTC. Unset if that is not known."""
    clock_offset_ms: int = 0
    """By how many milliseconds its clock was ahead of the registry’s at its last report; negative if
    behind. Unset if unknown."""
    protocol: int = 0
    """The version of the messages between hosts and registries that it speaks. 0: unknown."""
    faults: List[str] = _field(default_factory=list)
    """What is wrong with it, and how to fix it: whether it sends beats and answers, its version,
    clock, disk, tmux, certificate and coding agents. None for a new host."""
    max_at_work: int = 0
    """With how many agents at work it takes no launches. Unset: no such limit."""
    min_disk_free_mib: int = 0
    """Below how much free space on the disk of its worktrees it takes no launches, in MiB."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("name", "name", "string", False, False),
        Field("state", "state", lambda: HostState, False, False),
        Field("seen_at", "seenAt", "string", False, False),
        Field("agents", "agents", "int32", False, False),
        Field("harnesses", "harnesses", "string", True, False),
        Field("draining", "draining", "bool", False, False),
        Field("load", "load", lambda: HostLoad, False, True),
        Field("system", "system", "string", False, False),
        Field("muster_version", "musterVersion", "string", False, False),
        Field("started_at", "startedAt", "string", False, False),
        Field("gateway_url", "gatewayUrl", "string", False, False),
        Field("gateway_fault", "gatewayFault", "string", False, False),
        Field("found_terminals", "foundTerminals", "string", True, False),
        Field("newcomer", "newcomer", "bool", False, False),
        Field("rival", "rival", lambda: HostRival, False, True),
        Field("recorded_harnesses", "recordedHarnesses", lambda: RecordedHarness, True, False),
        Field("labels", "labels", "string", True, False),
        Field("agents_at_work", "agentsAtWork", "int32", False, False),
        Field("launches", "launches", "int32", False, False),
        Field("max_agents", "maxAgents", "int32", False, False),
        Field("max_launches", "maxLaunches", "int32", False, False),
        Field("max_setups", "maxSetups", "int32", False, False),
        Field("patience_seconds", "patienceSeconds", "int32", False, False),
        Field("state_since", "stateSince", "string", False, False),
        Field("clock_offset_ms", "clockOffsetMs", "int64", False, False),
        Field("protocol", "protocol", "int32", False, False),
        Field("faults", "faults", "string", True, False),
        Field("max_at_work", "maxAtWork", "int32", False, False),
        Field("min_disk_free_mib", "minDiskFreeMib", "int32", False, False),
    )



@dataclass
class HostLoad(Message):
    """host.v1.HostLoad"""

    measured_at: str = ""
    """When the registry received these values: RFC 3339, UTC."""
    load_average1m: float = 0.0
    """The load average: programs that ran or waited to run, averaged over the last minute, on all
    processors together."""
    cpu_count: int = 0
    """The number of processors. 0: neither this nor the load average is known."""
    memory_used_bytes: int = 0
    """Memory in bytes that is not available to other programs. 0: unknown."""
    memory_total_bytes: int = 0
    """Total memory in bytes. 0: unknown."""
    disk_free_bytes: int = 0
    """Free bytes on the file system of the worktrees, for the user that runs muster."""
    disk_total_bytes: int = 0
    """The size of that file system in bytes. 0: neither this nor the free space is known."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("measured_at", "measuredAt", "string", False, False),
        Field("load_average1m", "loadAverage1m", "double", False, False),
        Field("cpu_count", "cpuCount", "int32", False, False),
        Field("memory_used_bytes", "memoryUsedBytes", "int64", False, False),
        Field("memory_total_bytes", "memoryTotalBytes", "int64", False, False),
        Field("disk_free_bytes", "diskFreeBytes", "int64", False, False),
        Field("disk_total_bytes", "diskTotalBytes", "int64", False, False),
    )



@dataclass
class HostRival(Message):
    """host.v1.HostRival"""

    machine: str = ""
    """The name that the other computer gives itself."""
    folder: str = ""
    """The absolute path of its state folder."""
    seen_at: str = ""
    """When it last tried to connect and was refused: RFC 3339, UTC."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("machine", "machine", "string", False, False),
        Field("folder", "folder", "string", False, False),
        Field("seen_at", "seenAt", "string", False, False),
    )



@dataclass
class RecordedHarness(Message):
    """host.v1.RecordedHarness"""

    harness: str = ""
    """The name of the harness."""
    recorded_with: str = ""
    """The newest version of its CLI whose screens the host’s rules were recorded with. A newer CLI is
    read more strictly."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("harness", "harness", "string", False, False),
        Field("recorded_with", "recordedWith", "string", False, False),
    )



@dataclass
class StartedMove(Message):
    """host.v1.StartedMove"""

    agent: Optional[agent.Agent] = None
    """One of the host’s agents that are not archived, after the call."""
    host_id: str = ""
    """The host that it moves to. Unset if it does not."""
    not_carried: List[str] = _field(default_factory=list)
    """What is not carried, one sentence each."""
    refusal: str = ""
    """Why it does not move. Unset if it does."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent", "agent", lambda: agent.Agent, False, True),
        Field("host_id", "hostId", "string", False, False),
        Field("not_carried", "notCarried", "string", True, False),
        Field("refusal", "refusal", "string", False, False),
    )



@dataclass
class ForgetHostRequest(Message):
    """host.v1.ForgetHostRequest"""

    host_id: str = ""
    """The host, by id or name."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host_id", "hostId", "string", False, False),
    )



@dataclass
class ForgetHostResponse(Message):
    """host.v1.ForgetHostResponse"""

    host: Optional[Host] = None
    """The host as last known."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host", "host", lambda: Host, False, True),
    )



@dataclass
class ForgetHostKeyRequest(Message):
    """host.v1.ForgetHostKeyRequest"""

    host_id: str = ""
    """The host, by id or name."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host_id", "hostId", "string", False, False),
    )



@dataclass
class ForgetHostKeyResponse(Message):
    """host.v1.ForgetHostKeyResponse"""

    host: Optional[Host] = None
    """The host after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host", "host", lambda: Host, False, True),
    )



@dataclass
class ListDirectoriesRequest(Message):
    """host.v1.ListDirectoriesRequest"""

    host_id: str = ""
    """The host, by id or name."""
    path: str = ""
    """The beginning of their paths."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host_id", "hostId", "string", False, False),
        Field("path", "path", "string", False, False),
    )



@dataclass
class ListDirectoriesResponse(Message):
    """host.v1.ListDirectoriesResponse"""

    directories: List[Directory] = _field(default_factory=list)
    """The first 50, ordered by name. Hidden ones only if the name in `path` begins with a dot."""
    more: bool = False
    """Whether there are more."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("directories", "directories", lambda: Directory, True, False),
        Field("more", "more", "bool", False, False),
    )



@dataclass
class Directory(Message):
    """host.v1.Directory"""

    path: str = ""
    """Its path, which begins with the request’s."""
    repository: bool = False
    """Whether it is the root of a Git checkout."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("path", "path", "string", False, False),
        Field("repository", "repository", "bool", False, False),
    )



@dataclass
class ListHarnessLaunchesRequest(Message):
    """host.v1.ListHarnessLaunchesRequest"""

    host_id: str = ""
    """The host, by id or name."""
    harness: str = ""
    """Only this harness, by name. Unset: all."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host_id", "hostId", "string", False, False),
        Field("harness", "harness", "string", False, False),
    )



@dataclass
class ListHarnessLaunchesResponse(Message):
    """host.v1.ListHarnessLaunchesResponse"""

    launches: List[HarnessLaunch] = _field(default_factory=list)
    """The launch parts of the host’s files, as just read."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("launches", "launches", lambda: HarnessLaunch, True, False),
    )



@dataclass
class ListHostsRequest(Message):
    """host.v1.ListHostsRequest"""

    FIELDS: ClassVar[Sequence[Field]] = (
    )



@dataclass
class ListHostsResponse(Message):
    """host.v1.ListHostsResponse"""

    hosts: List[Host] = _field(default_factory=list)
    """All hosts, including lost ones."""
    removed: List[RemovedHost] = _field(default_factory=list)
    """Removed hosts whose agents are still listed."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("hosts", "hosts", lambda: Host, True, False),
        Field("removed", "removed", lambda: RemovedHost, True, False),
    )



@dataclass
class RemovedHost(Message):
    """host.v1.RemovedHost"""

    id: str = ""
    """The id that the rows of its agents have."""
    name: str = ""
    """Its name. Another host may have it by now."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("name", "name", "string", False, False),
    )



@dataclass
class RunDoctorRequest(Message):
    """host.v1.RunDoctorRequest"""

    host_id: str = ""
    """Check only this host, by id or name. Unset: everything."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host_id", "hostId", "string", False, False),
    )



@dataclass
class RunDoctorResponse(Message):
    """host.v1.RunDoctorResponse"""

    parts: List[CheckedPart] = _field(default_factory=list)
    """The registry and each host, with their checks."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("parts", "parts", lambda: CheckedPart, True, False),
    )



@dataclass
class CheckedPart(Message):
    """host.v1.CheckedPart"""

    name: str = ""
    """`registry`, or the name of a host."""
    host_id: str = ""
    """The host that was checked. Unset for the registry."""
    checks: List[Check] = _field(default_factory=list)
    """What was checked there, each with its outcome."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("name", "name", "string", False, False),
        Field("host_id", "hostId", "string", False, False),
        Field("checks", "checks", lambda: Check, True, False),
    )



@dataclass
class Check(Message):
    """host.v1.Check"""

    name: str = ""
    """What was checked, such as `git` or `free space`."""
    outcome: Union[CheckOutcome, str] = CheckOutcome.UNSPECIFIED
    """Whether something is wrong."""
    found: str = ""
    """What the check found, in words."""
    mend: str = ""
    """What to do about it. Unset if nothing is wrong."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("name", "name", "string", False, False),
        Field("outcome", "outcome", lambda: CheckOutcome, False, False),
        Field("found", "found", "string", False, False),
        Field("mend", "mend", "string", False, False),
    )



@dataclass
class UpdateHostRequest(Message):
    """host.v1.UpdateHostRequest"""

    host_id: str = ""
    """The host, by id or name."""
    set_labels: List[str] = _field(default_factory=list)
    """Labels to add or change, each as `key=value`, such as `gpu=yes`."""
    remove_labels: List[str] = _field(default_factory=list)
    """Keys of labels to remove. Unknown ones are ignored."""
    patience_seconds: int = 0
    """After how many seconds of silence it counts as lost, such as 14400 for a laptop that sleeps. The
    default is 300."""
    max_agents: int = 0
    """How many agents it may have, not counting archived ones. By default it has no limit of its own."""
    max_launches: int = 0
    """How many launches may be in progress on it at once. The default is 16."""
    max_setups: int = 0
    """How many of these may still have their setup script to run. The default is 4."""
    max_at_work: int = 0
    """With how many agents at work it takes no launches. Prompts still start those that rest. By
    default it has no such limit."""
    min_disk_free_mib: int = 0
    """Below how much free space on the disk of its worktrees it takes no launches, in MiB. The default
    is 1024."""
    clear: List[str] = _field(default_factory=list)
    """Fields to return to their defaults, by name. A field that is also given is set instead."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host_id", "hostId", "string", False, False),
        Field("set_labels", "setLabels", "string", True, False),
        Field("remove_labels", "removeLabels", "string", True, False),
        Field("patience_seconds", "patienceSeconds", "int32", False, False),
        Field("max_agents", "maxAgents", "int32", False, False),
        Field("max_launches", "maxLaunches", "int32", False, False),
        Field("max_setups", "maxSetups", "int32", False, False),
        Field("max_at_work", "maxAtWork", "int32", False, False),
        Field("min_disk_free_mib", "minDiskFreeMib", "int32", False, False),
        Field("clear", "clear", "string", True, False),
    )



@dataclass
class UpdateHostResponse(Message):
    """host.v1.UpdateHostResponse"""

    host: Optional[Host] = None
    """The host after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host", "host", lambda: Host, False, True),
    )



@dataclass
class InviteHostRequest(Message):
    """host.v1.InviteHostRequest"""

    name: str = ""
    """The name that the host gets. Unset: the machine’s own name."""
    labels: List[str] = _field(default_factory=list)
    """The labels that the host gets, as `key=value`, at most 32."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("name", "name", "string", False, False),
        Field("labels", "labels", "string", True, False),
    )



@dataclass
class InviteHostResponse(Message):
    """host.v1.InviteHostResponse"""

    invitation: Optional[HostInvitation] = None
    """What a machine may join with, without its token."""
    command: str = ""
    """The line to run on the other machine: `muster join ` and an address. It works once."""
    notice: str = ""
    """Why other machines may not reach that address, and what to do. Unset if they should."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("invitation", "invitation", lambda: HostInvitation, False, True),
        Field("command", "command", "string", False, False),
        Field("notice", "notice", "string", False, False),
    )



@dataclass
class HostInvitation(Message):
    """host.v1.HostInvitation"""

    id: str = ""
    """The id of the invitation in other calls: `inv_` and a ULID."""
    state: Union[HostInvitationState, str] = HostInvitationState.UNSPECIFIED
    """What happened to it."""
    name: str = ""
    """The name that the host gets. Unset: the machine’s own name."""
    labels: List[str] = _field(default_factory=list)
    """The labels that the host gets, as `key=value`."""
    created_at: str = ""
    """When it was made: RFC 3339, UTC."""
    expires_at: str = ""
    """When it ends, 15 minutes after it was made: RFC 3339, UTC."""
    host_id: str = ""
    """The host that joined with it. Unset unless it was used."""
    used_at: str = ""
    """When that host joined: RFC 3339, UTC. Unset unless it was used."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("state", "state", lambda: HostInvitationState, False, False),
        Field("name", "name", "string", False, False),
        Field("labels", "labels", "string", True, False),
        Field("created_at", "createdAt", "string", False, False),
        Field("expires_at", "expiresAt", "string", False, False),
        Field("host_id", "hostId", "string", False, False),
        Field("used_at", "usedAt", "string", False, False),
    )



@dataclass
class ListHostInvitationsRequest(Message):
    """host.v1.ListHostInvitationsRequest"""

    FIELDS: ClassVar[Sequence[Field]] = (
    )



@dataclass
class ListHostInvitationsResponse(Message):
    """host.v1.ListHostInvitationsResponse"""

    invitations: List[HostInvitation] = _field(default_factory=list)
    """The invitations, the newest first."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("invitations", "invitations", lambda: HostInvitation, True, False),
    )



@dataclass
class WithdrawHostInvitationRequest(Message):
    """host.v1.WithdrawHostInvitationRequest"""

    invitation_id: str = ""
    """The invitation, by its id or by its host’s name."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("invitation_id", "invitationId", "string", False, False),
    )



@dataclass
class WithdrawHostInvitationResponse(Message):
    """host.v1.WithdrawHostInvitationResponse"""

    invitation: Optional[HostInvitation] = None
    """The invitation after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("invitation", "invitation", lambda: HostInvitation, False, True),
    )



@dataclass
class RemoveHostRequest(Message):
    """host.v1.RemoveHostRequest"""

    host_id: str = ""
    """The host, by id or name."""
    now: bool = False
    """Whether to remove it although it has agents."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host_id", "hostId", "string", False, False),
        Field("now", "now", "bool", False, False),
    )



@dataclass
class RemoveHostResponse(Message):
    """host.v1.RemoveHostResponse"""

    host: Optional[Host] = None
    """The host as last known. Unset if the machine never reported."""
    host_id: str = ""
    """The id of the removed host."""
    agents: List[str] = _field(default_factory=list)
    """The names of its agents that are not archived, at most 100."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host", "host", lambda: Host, False, True),
        Field("host_id", "hostId", "string", False, False),
        Field("agents", "agents", "string", True, False),
    )



@dataclass
class AcknowledgeRunRequest(Message):
    """host.v1.AcknowledgeRunRequest"""

    id: int = 0
    """The id of the run, from list_run_logs."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "int32", False, False),
    )



@dataclass
class AcknowledgeRunResponse(Message):
    """host.v1.AcknowledgeRunResponse"""

    run: Optional[RunLog] = None
    """The acknowledged run."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("run", "run", lambda: RunLog, False, True),
    )



@dataclass
class RunLog(Message):
    """host.v1.RunLog"""

    id: int = 0
    """The id of the run, as get_run_log takes it. Newer runs have higher numbers."""
    agent_id: str = ""
    """The agent it ran for."""
    host_id: str = ""
    """The host it ran on."""
    script: Union[RunScript, str] = RunScript.UNSPECIFIED
    """Which script of the workflow ran."""
    state: Union[RunState, str] = RunState.UNSPECIFIED
    """Whether it is running, and how it ended."""
    started_at: str = ""
    """When it started: RFC 3339, UTC."""
    ended_at: str = ""
    """When it ended: RFC 3339, UTC. Unset while it runs."""
    reason: str = ""
    """How it failed: exit status, signal or time limit. Empty unless it failed."""
    output: str = ""
    """Standard output and error in order of arrival; only their end if `outputTruncated` is true."""
    output_truncated: bool = False
    """Whether `output` lacks its beginning: only its last 1 MiB is kept."""
    acknowledged_at: str = ""
    """When a person acknowledged the failure: RFC 3339, UTC. Unset until then."""
    error_line: str = ""
    """The line of `output` that best explains the failure. Unset unless it failed."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "int32", False, False),
        Field("agent_id", "agentId", "string", False, False),
        Field("host_id", "hostId", "string", False, False),
        Field("script", "script", lambda: RunScript, False, False),
        Field("state", "state", lambda: RunState, False, False),
        Field("started_at", "startedAt", "string", False, False),
        Field("ended_at", "endedAt", "string", False, False),
        Field("reason", "reason", "string", False, False),
        Field("output", "output", "string", False, False),
        Field("output_truncated", "outputTruncated", "bool", False, False),
        Field("acknowledged_at", "acknowledgedAt", "string", False, False),
        Field("error_line", "errorLine", "string", False, False),
    )



@dataclass
class GetRunLogRequest(Message):
    """host.v1.GetRunLogRequest"""

    id: int = 0
    """The id of the run, from list_run_logs."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "int32", False, False),
    )



@dataclass
class GetRunLogResponse(Message):
    """host.v1.GetRunLogResponse"""

    run: Optional[RunLog] = None
    """The run, with all its stored output."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("run", "run", lambda: RunLog, False, True),
    )



@dataclass
class ListRunLogsRequest(Message):
    """host.v1.ListRunLogsRequest"""

    agent_id: str = ""
    """Only runs for this agent. Unset: all."""
    failed: bool = False
    """true: only failed runs that nobody has acknowledged."""
    pagination: Optional[shared.Pagination] = None
    """Which page to return. Unset: the first."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("agent_id", "agentId", "string", False, False),
        Field("failed", "failed", "bool", False, False),
        Field("pagination", "pagination", lambda: shared.Pagination, False, True),
    )



@dataclass
class ListRunLogsResponse(Message):
    """host.v1.ListRunLogsResponse"""

    runs: List[RunLog] = _field(default_factory=list)
    """One page, newest first, each with the end of its output."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("runs", "runs", lambda: RunLog, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
    )



@dataclass
class ListLogRecordsRequest(Message):
    """host.v1.ListLogRecordsRequest"""

    host_id: str = ""
    """The host, by id or name."""
    process: str = ""
    """Only this process, such as `gateway`. Unset: all."""
    count: int = 0
    """How many records at most, 1 to 200. Unset: 100."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("host_id", "hostId", "string", False, False),
        Field("process", "process", "string", False, False),
        Field("count", "count", "int32", False, False),
    )



@dataclass
class ListLogRecordsResponse(Message):
    """host.v1.ListLogRecordsResponse"""

    records: List[str] = _field(default_factory=list)
    """The newest records in ascending order of time, unchanged."""
    processes: List[str] = _field(default_factory=list)
    """The processes that have a log there."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("records", "records", "string", True, False),
        Field("processes", "processes", "string", True, False),
    )
