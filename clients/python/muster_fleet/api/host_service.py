# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from typing import AsyncGenerator, Generator

from ..aio import AsyncService
from ..blocking import Service
from . import host as messages


class HostService(Service):
    """The operations of host.v1.HostService. Watches resume from their cursor after a cut."""

    def confirm_harness(self, request: messages.ConfirmHarnessRequest, timeout: float = 30.0) -> messages.ConfirmHarnessResponse:
        """Confirms the launch part of a rules file on a host, until the file changes.

        hostId is an id or a name; digest is the one that list_harness_launches returned with what
        you saw. failed_precondition if the file has changed since: look again. A host has one
        confirmed digest per harness: confirming another one replaces it."""
        return self._call("host.v1.HostService/ConfirmHarness", request, messages.ConfirmHarnessResponse, timeout)

    def drain_host(self, request: messages.DrainHostRequest, timeout: float = 30.0) -> messages.DrainHostResponse:
        """Closes a host to new agents, or opens it again. Its present agents continue.

        hostId is an id or a name. No new agent is placed there, even if a workflow or a request
        names it; only children still join their parents. undo opens it again, and admits a new
        host. Draining a draining host changes nothing. move has its agents move away; moves says
        for each where to, or why it stays."""
        return self._call("host.v1.HostService/DrainHost", request, messages.DrainHostResponse, timeout)

    def forget_host(self, request: messages.ForgetHostRequest, timeout: float = 30.0) -> messages.ForgetHostResponse:
        """Forgets a lost host that will never return, once it has no agents.

        hostId is an id or a name. failed_precondition while it is online, and while it has agents,
        even archived ones: delete_agent with abandon removes those. Nothing on the computer is
        touched; if it returns after all, it is a new host."""
        return self._call("host.v1.HostService/ForgetHost", request, messages.ForgetHostResponse, timeout)

    def forget_host_key(self, request: messages.ForgetHostKeyRequest, timeout: float = 30.0) -> messages.ForgetHostKeyResponse:
        """Lets a host that lost its key use a new one: the first key that connects is its key from
        then on.

        hostId is an id or a name. For a host that is refused because its key was lost. Make sure
        that nobody can impersonate it: whoever has its credential for the bus and connects first
        becomes that host. Its agents are not touched."""
        return self._call("host.v1.HostService/ForgetHostKey", request, messages.ForgetHostKeyResponse, timeout)

    def list_directories(self, request: messages.ListDirectoriesRequest, timeout: float = 30.0) -> messages.ListDirectoriesResponse:
        """Lists the directories on a host whose paths begin with a given one, to choose one.

        hostId is an id or a name. path is absolute or begins with ~/; the part after its last / is
        the beginning of a name. Lists only what the user of muster on that host may read.
        failed_precondition if there is no such folder."""
        return self._call("host.v1.HostService/ListDirectories", request, messages.ListDirectoriesResponse, timeout)

    def list_harness_launches(self, request: messages.ListHarnessLaunchesRequest, timeout: float = 30.0) -> messages.ListHarnessLaunchesResponse:
        """Lists the launch parts of rules files on a host, and whether a person has confirmed them.

        hostId is an id or a name. The host reads its files again. harness limits the list to one;
        without it, the list has as many as fit into one answer."""
        return self._call("host.v1.HostService/ListHarnessLaunches", request, messages.ListHarnessLaunchesResponse, timeout)

    def list_hosts(self, request: messages.ListHostsRequest, timeout: float = 30.0) -> messages.ListHostsResponse:
        """Lists the hosts: the computers that agents are placed on.

        A silent or lost host keeps its agents until it returns."""
        return self._call("host.v1.HostService/ListHosts", request, messages.ListHostsResponse, timeout)

    def run_doctor(self, request: messages.RunDoctorRequest, timeout: float = 30.0) -> messages.RunDoctorResponse:
        """Checks what the registry and every host need on their computers. Changes nothing.

        hostId, an id or a name, limits it to one host. A host that does not answer within five
        seconds gets a failed check that says so; new hosts are not asked. Each check says what was
        found and what to do."""
        return self._call("host.v1.HostService/RunDoctor", request, messages.RunDoctorResponse, timeout)

    def update_host(self, request: messages.UpdateHostRequest, timeout: float = 30.0) -> messages.UpdateHostResponse:
        """Sets the labels of a host, its limits, and after how much silence it counts as lost.

        hostId is an id or a name. An omitted field stays. Name a field in clear to return it to its
        default. A launch that a limit leaves no room for waits; what is in progress continues."""
        return self._call("host.v1.HostService/UpdateHost", request, messages.UpdateHostResponse, timeout)

    def invite_host(self, request: messages.InviteHostRequest, timeout: float = 30.0) -> messages.InviteHostResponse:
        """Invites a machine to join as a host: returns the one line to run there, which works once,
        for 15 minutes.

        command is the line to run on the other machine; it contains a secret. The host gets the
        name and the labels of the invitation, and is admitted. already_exists if a host or an open
        invitation has the name. list_host_invitations shows what happened to it,
        withdraw_host_invitation ends it."""
        return self._call("host.v1.HostService/InviteHost", request, messages.InviteHostResponse, timeout)

    def list_host_invitations(self, request: messages.ListHostInvitationsRequest, timeout: float = 30.0) -> messages.ListHostInvitationsResponse:
        """Lists the invitations for machines to join as hosts, and what happened to them.

        The newest first. Those that were used, withdrawn or ran out are listed for a day."""
        return self._call("host.v1.HostService/ListHostInvitations", request, messages.ListHostInvitationsResponse, timeout)

    def withdraw_host_invitation(self, request: messages.WithdrawHostInvitationRequest, timeout: float = 30.0) -> messages.WithdrawHostInvitationResponse:
        """Withdraws an invitation, so that no machine can join with it any more.

        invitationId is its id, or the name that its host would have got. failed_precondition if a
        machine has joined with it: remove_host removes that host. Withdrawing an ended one changes
        nothing."""
        return self._call("host.v1.HostService/WithdrawHostInvitation", request, messages.WithdrawHostInvitationResponse, timeout)

    def remove_host(self, request: messages.RemoveHostRequest, timeout: float = 30.0) -> messages.RemoveHostResponse:
        """Removes a host that joined by an invitation: its keys are refused permanently, and its
        connection ends at once.

        hostId is an id or a name. failed_precondition while it has agents that are not archived,
        unless now is true. Its agents keep their last known state and say that their host was
        removed; their windows and worktrees on the machine are not touched, and delete_agent with
        abandon gives them up. To return, the machine joins again as a new host. Repeat the call if
        it fails with unavailable."""
        return self._call("host.v1.HostService/RemoveHost", request, messages.RemoveHostResponse, timeout)

    def acknowledge_run(self, request: messages.AcknowledgeRunRequest, timeout: float = 30.0) -> messages.AcknowledgeRunResponse:
        """Acknowledges a failed run, so that its agent no longer shows it.

        failedRun on the agent is then unset, or names an older unacknowledged failure. A run that
        did not fail is refused as failed_precondition; acknowledging twice changes nothing."""
        return self._call("host.v1.HostService/AcknowledgeRun", request, messages.AcknowledgeRunResponse, timeout)

    def get_run_log(self, request: messages.GetRunLogRequest, timeout: float = 30.0) -> messages.GetRunLogResponse:
        """Returns one run of a script with all its stored output, also while it runs.

        id comes from list_run_logs, or from an agent’s failedRunLog."""
        return self._call("host.v1.HostService/GetRunLog", request, messages.GetRunLogResponse, timeout)

    def list_run_logs(self, request: messages.ListRunLogsRequest, timeout: float = 30.0) -> messages.ListRunLogsResponse:
        """Lists runs of workflow scripts for agents, newest first, with the end of their output.

        agentId limits it to one agent, failed to failed runs that nobody has acknowledged.
        get_run_log returns the whole output. The last 100 runs of each agent are kept until it is
        deleted."""
        return self._call("host.v1.HostService/ListRunLogs", request, messages.ListRunLogsResponse, timeout)

    def list_log_records(self, request: messages.ListLogRecordsRequest, timeout: float = 30.0) -> messages.ListLogRecordsResponse:
        """Reads the newest log records of muster’s own processes on a host’s computer, merged by time.

        hostId is an id or a name. Covers the processes that share the host’s state folder. Each
        record is a line of JSON, cut after 2,000 characters. There may be fewer than count, as many
        as fit into one answer."""
        return self._call("host.v1.HostService/ListLogRecords", request, messages.ListLogRecordsResponse, timeout)


class AsyncHostService(AsyncService):
    """The operations of host.v1.HostService, for asyncio. Watches resume from their cursor after a cut."""

    async def confirm_harness(self, request: messages.ConfirmHarnessRequest, timeout: float = 30.0) -> messages.ConfirmHarnessResponse:
        """Confirms the launch part of a rules file on a host, until the file changes.

        hostId is an id or a name; digest is the one that list_harness_launches returned with what
        you saw. failed_precondition if the file has changed since: look again. A host has one
        confirmed digest per harness: confirming another one replaces it."""
        return await self._call("host.v1.HostService/ConfirmHarness", request, messages.ConfirmHarnessResponse, timeout)

    async def drain_host(self, request: messages.DrainHostRequest, timeout: float = 30.0) -> messages.DrainHostResponse:
        """Closes a host to new agents, or opens it again. Its present agents continue.

        hostId is an id or a name. No new agent is placed there, even if a workflow or a request
        names it; only children still join their parents. undo opens it again, and admits a new
        host. Draining a draining host changes nothing. move has its agents move away; moves says
        for each where to, or why it stays."""
        return await self._call("host.v1.HostService/DrainHost", request, messages.DrainHostResponse, timeout)

    async def forget_host(self, request: messages.ForgetHostRequest, timeout: float = 30.0) -> messages.ForgetHostResponse:
        """Forgets a lost host that will never return, once it has no agents.

        hostId is an id or a name. failed_precondition while it is online, and while it has agents,
        even archived ones: delete_agent with abandon removes those. Nothing on the computer is
        touched; if it returns after all, it is a new host."""
        return await self._call("host.v1.HostService/ForgetHost", request, messages.ForgetHostResponse, timeout)

    async def forget_host_key(self, request: messages.ForgetHostKeyRequest, timeout: float = 30.0) -> messages.ForgetHostKeyResponse:
        """Lets a host that lost its key use a new one: the first key that connects is its key from
        then on.

        hostId is an id or a name. For a host that is refused because its key was lost. Make sure
        that nobody can impersonate it: whoever has its credential for the bus and connects first
        becomes that host. Its agents are not touched."""
        return await self._call("host.v1.HostService/ForgetHostKey", request, messages.ForgetHostKeyResponse, timeout)

    async def list_directories(self, request: messages.ListDirectoriesRequest, timeout: float = 30.0) -> messages.ListDirectoriesResponse:
        """Lists the directories on a host whose paths begin with a given one, to choose one.

        hostId is an id or a name. path is absolute or begins with ~/; the part after its last / is
        the beginning of a name. Lists only what the user of muster on that host may read.
        failed_precondition if there is no such folder."""
        return await self._call("host.v1.HostService/ListDirectories", request, messages.ListDirectoriesResponse, timeout)

    async def list_harness_launches(self, request: messages.ListHarnessLaunchesRequest, timeout: float = 30.0) -> messages.ListHarnessLaunchesResponse:
        """Lists the launch parts of rules files on a host, and whether a person has confirmed them.

        hostId is an id or a name. The host reads its files again. harness limits the list to one;
        without it, the list has as many as fit into one answer."""
        return await self._call("host.v1.HostService/ListHarnessLaunches", request, messages.ListHarnessLaunchesResponse, timeout)

    async def list_hosts(self, request: messages.ListHostsRequest, timeout: float = 30.0) -> messages.ListHostsResponse:
        """Lists the hosts: the computers that agents are placed on.

        A silent or lost host keeps its agents until it returns."""
        return await self._call("host.v1.HostService/ListHosts", request, messages.ListHostsResponse, timeout)

    async def run_doctor(self, request: messages.RunDoctorRequest, timeout: float = 30.0) -> messages.RunDoctorResponse:
        """Checks what the registry and every host need on their computers. Changes nothing.

        hostId, an id or a name, limits it to one host. A host that does not answer within five
        seconds gets a failed check that says so; new hosts are not asked. Each check says what was
        found and what to do."""
        return await self._call("host.v1.HostService/RunDoctor", request, messages.RunDoctorResponse, timeout)

    async def update_host(self, request: messages.UpdateHostRequest, timeout: float = 30.0) -> messages.UpdateHostResponse:
        """Sets the labels of a host, its limits, and after how much silence it counts as lost.

        hostId is an id or a name. An omitted field stays. Name a field in clear to return it to its
        default. A launch that a limit leaves no room for waits; what is in progress continues."""
        return await self._call("host.v1.HostService/UpdateHost", request, messages.UpdateHostResponse, timeout)

    async def invite_host(self, request: messages.InviteHostRequest, timeout: float = 30.0) -> messages.InviteHostResponse:
        """Invites a machine to join as a host: returns the one line to run there, which works once,
        for 15 minutes.

        command is the line to run on the other machine; it contains a secret. The host gets the
        name and the labels of the invitation, and is admitted. already_exists if a host or an open
        invitation has the name. list_host_invitations shows what happened to it,
        withdraw_host_invitation ends it."""
        return await self._call("host.v1.HostService/InviteHost", request, messages.InviteHostResponse, timeout)

    async def list_host_invitations(self, request: messages.ListHostInvitationsRequest, timeout: float = 30.0) -> messages.ListHostInvitationsResponse:
        """Lists the invitations for machines to join as hosts, and what happened to them.

        The newest first. Those that were used, withdrawn or ran out are listed for a day."""
        return await self._call("host.v1.HostService/ListHostInvitations", request, messages.ListHostInvitationsResponse, timeout)

    async def withdraw_host_invitation(self, request: messages.WithdrawHostInvitationRequest, timeout: float = 30.0) -> messages.WithdrawHostInvitationResponse:
        """Withdraws an invitation, so that no machine can join with it any more.

        invitationId is its id, or the name that its host would have got. failed_precondition if a
        machine has joined with it: remove_host removes that host. Withdrawing an ended one changes
        nothing."""
        return await self._call("host.v1.HostService/WithdrawHostInvitation", request, messages.WithdrawHostInvitationResponse, timeout)

    async def remove_host(self, request: messages.RemoveHostRequest, timeout: float = 30.0) -> messages.RemoveHostResponse:
        """Removes a host that joined by an invitation: its keys are refused permanently, and its
        connection ends at once.

        hostId is an id or a name. failed_precondition while it has agents that are not archived,
        unless now is true. Its agents keep their last known state and say that their host was
        removed; their windows and worktrees on the machine are not touched, and delete_agent with
        abandon gives them up. To return, the machine joins again as a new host. Repeat the call if
        it fails with unavailable."""
        return await self._call("host.v1.HostService/RemoveHost", request, messages.RemoveHostResponse, timeout)

    async def acknowledge_run(self, request: messages.AcknowledgeRunRequest, timeout: float = 30.0) -> messages.AcknowledgeRunResponse:
        """Acknowledges a failed run, so that its agent no longer shows it.

        failedRun on the agent is then unset, or names an older unacknowledged failure. A run that
        did not fail is refused as failed_precondition; acknowledging twice changes nothing."""
        return await self._call("host.v1.HostService/AcknowledgeRun", request, messages.AcknowledgeRunResponse, timeout)

    async def get_run_log(self, request: messages.GetRunLogRequest, timeout: float = 30.0) -> messages.GetRunLogResponse:
        """Returns one run of a script with all its stored output, also while it runs.

        id comes from list_run_logs, or from an agent’s failedRunLog."""
        return await self._call("host.v1.HostService/GetRunLog", request, messages.GetRunLogResponse, timeout)

    async def list_run_logs(self, request: messages.ListRunLogsRequest, timeout: float = 30.0) -> messages.ListRunLogsResponse:
        """Lists runs of workflow scripts for agents, newest first, with the end of their output.

        agentId limits it to one agent, failed to failed runs that nobody has acknowledged.
        get_run_log returns the whole output. The last 100 runs of each agent are kept until it is
        deleted."""
        return await self._call("host.v1.HostService/ListRunLogs", request, messages.ListRunLogsResponse, timeout)

    async def list_log_records(self, request: messages.ListLogRecordsRequest, timeout: float = 30.0) -> messages.ListLogRecordsResponse:
        """Reads the newest log records of muster’s own processes on a host’s computer, merged by time.

        hostId is an id or a name. Covers the processes that share the host’s state folder. Each
        record is a line of JSON, cut after 2,000 characters. There may be fewer than count, as many
        as fit into one answer."""
        return await self._call("host.v1.HostService/ListLogRecords", request, messages.ListLogRecordsResponse, timeout)
