# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from typing import AsyncGenerator, Generator

from ..aio import AsyncService
from ..blocking import Service
from . import forge as messages


class ForgeService(Service):
    """The operations of forge.v1.ForgeService. Watches resume from their cursor after a cut."""

    def check_forge_connection(self, request: messages.CheckForgeConnectionRequest, timeout: float = 30.0) -> messages.CheckForgeConnectionResponse:
        """Asks a connected forge which account its credential belongs to.

        If the forge refuses the credential, so does this call, and its message says what is wrong."""
        return self._call("forge.v1.ForgeService/CheckForgeConnection", request, messages.CheckForgeConnectionResponse, timeout)

    def create_forge_connection(self, request: messages.CreateForgeConnectionRequest, timeout: float = 30.0) -> messages.CreateForgeConnectionResponse:
        """Connects a forge: from then on muster reads the pull requests of its repositories.

        Give exactly one of credential (stored encrypted), credentialEnv (an environment variable of
        the registry), credentialFile (a file on the registry’s computer that only its owner may
        read) and credentialCommand (a program with its arguments, such as gh auth token, run
        without a shell). A host has one connection: a second one is refused as already_exists.
        baseAddress is for self-hosted forges that do not answer at https://host."""
        return self._call("forge.v1.ForgeService/CreateForgeConnection", request, messages.CreateForgeConnectionResponse, timeout)

    def delete_forge_connection(self, request: messages.DeleteForgeConnectionRequest, timeout: float = 30.0) -> messages.DeleteForgeConnectionResponse:
        """Deletes a forge’s connection and its stored credential.

        Its stored pull requests stay, but are no longer updated."""
        return self._call("forge.v1.ForgeService/DeleteForgeConnection", request, messages.DeleteForgeConnectionResponse, timeout)

    def list_forge_connections(self, request: messages.ListForgeConnectionsRequest, timeout: float = 30.0) -> messages.ListForgeConnectionsResponse:
        """Lists the connected forges, ordered by host.

        Shows where each credential comes from, never the credential itself."""
        return self._call("forge.v1.ForgeService/ListForgeConnections", request, messages.ListForgeConnectionsResponse, timeout)

    def list_forge_pull_requests(self, request: messages.ListForgePullRequestsRequest, timeout: float = 30.0) -> messages.ListForgePullRequestsResponse:
        """Lists a repository’s pull requests by asking the forge itself, not the stored rows.

        remoteUrl: git@host:owner/name or https://host/owner/name. With branch, every pull request
        from it, else the open ones. not_found: it does not exist, or the credential cannot see it.
        failed_precondition: tell a person. unavailable: try later."""
        return self._call("forge.v1.ForgeService/ListForgePullRequests", request, messages.ListForgePullRequestsResponse, timeout)

    def list_pull_requests(self, request: messages.ListPullRequestsRequest, timeout: float = 30.0) -> messages.ListPullRequestsResponse:
        """Lists the stored pull requests, most recently changed first.

        As last read from the repositories that agents push to, without asking a forge. Filters:
        agentId (its branch), remoteUrl (in any form that git accepts), state."""
        return self._call("forge.v1.ForgeService/ListPullRequests", request, messages.ListPullRequestsResponse, timeout)

    def sweep_repository(self, request: messages.SweepRepositoryRequest, timeout: float = 30.0) -> messages.SweepRepositoryResponse:
        """Reads a repository’s pull requests now instead of at the next sweep.

        Answers at once; list_pull_requests shows the result a moment later. Repositories that
        agents push to are read regularly, so call this only after a push. failed_precondition: no
        forge is connected for the host. unavailable: the forge allows no request before the time in
        the message."""
        return self._call("forge.v1.ForgeService/SweepRepository", request, messages.SweepRepositoryResponse, timeout)


class AsyncForgeService(AsyncService):
    """The operations of forge.v1.ForgeService, for asyncio. Watches resume from their cursor after a cut."""

    async def check_forge_connection(self, request: messages.CheckForgeConnectionRequest, timeout: float = 30.0) -> messages.CheckForgeConnectionResponse:
        """Asks a connected forge which account its credential belongs to.

        If the forge refuses the credential, so does this call, and its message says what is wrong."""
        return await self._call("forge.v1.ForgeService/CheckForgeConnection", request, messages.CheckForgeConnectionResponse, timeout)

    async def create_forge_connection(self, request: messages.CreateForgeConnectionRequest, timeout: float = 30.0) -> messages.CreateForgeConnectionResponse:
        """Connects a forge: from then on muster reads the pull requests of its repositories.

        Give exactly one of credential (stored encrypted), credentialEnv (an environment variable of
        the registry), credentialFile (a file on the registry’s computer that only its owner may
        read) and credentialCommand (a program with its arguments, such as gh auth token, run
        without a shell). A host has one connection: a second one is refused as already_exists.
        baseAddress is for self-hosted forges that do not answer at https://host."""
        return await self._call("forge.v1.ForgeService/CreateForgeConnection", request, messages.CreateForgeConnectionResponse, timeout)

    async def delete_forge_connection(self, request: messages.DeleteForgeConnectionRequest, timeout: float = 30.0) -> messages.DeleteForgeConnectionResponse:
        """Deletes a forge’s connection and its stored credential.

        Its stored pull requests stay, but are no longer updated."""
        return await self._call("forge.v1.ForgeService/DeleteForgeConnection", request, messages.DeleteForgeConnectionResponse, timeout)

    async def list_forge_connections(self, request: messages.ListForgeConnectionsRequest, timeout: float = 30.0) -> messages.ListForgeConnectionsResponse:
        """Lists the connected forges, ordered by host.

        Shows where each credential comes from, never the credential itself."""
        return await self._call("forge.v1.ForgeService/ListForgeConnections", request, messages.ListForgeConnectionsResponse, timeout)

    async def list_forge_pull_requests(self, request: messages.ListForgePullRequestsRequest, timeout: float = 30.0) -> messages.ListForgePullRequestsResponse:
        """Lists a repository’s pull requests by asking the forge itself, not the stored rows.

        remoteUrl: git@host:owner/name or https://host/owner/name. With branch, every pull request
        from it, else the open ones. not_found: it does not exist, or the credential cannot see it.
        failed_precondition: tell a person. unavailable: try later."""
        return await self._call("forge.v1.ForgeService/ListForgePullRequests", request, messages.ListForgePullRequestsResponse, timeout)

    async def list_pull_requests(self, request: messages.ListPullRequestsRequest, timeout: float = 30.0) -> messages.ListPullRequestsResponse:
        """Lists the stored pull requests, most recently changed first.

        As last read from the repositories that agents push to, without asking a forge. Filters:
        agentId (its branch), remoteUrl (in any form that git accepts), state."""
        return await self._call("forge.v1.ForgeService/ListPullRequests", request, messages.ListPullRequestsResponse, timeout)

    async def sweep_repository(self, request: messages.SweepRepositoryRequest, timeout: float = 30.0) -> messages.SweepRepositoryResponse:
        """Reads a repository’s pull requests now instead of at the next sweep.

        Answers at once; list_pull_requests shows the result a moment later. Repositories that
        agents push to are read regularly, so call this only after a push. failed_precondition: no
        forge is connected for the host. unavailable: the forge allows no request before the time in
        the message."""
        return await self._call("forge.v1.ForgeService/SweepRepository", request, messages.SweepRepositoryResponse, timeout)
