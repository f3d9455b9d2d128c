# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from typing import AsyncGenerator, Generator

from ..aio import AsyncService
from ..blocking import Service
from . import profile as messages


class ProfileService(Service):
    """The operations of profile.v1.ProfileService. Watches resume from their cursor after a cut."""

    def list_profiles(self, request: messages.ListProfilesRequest, timeout: float = 30.0) -> messages.ListProfilesResponse:
        """Lists profiles, most recently updated first.

        Shows where each secret comes from, never the secret itself."""
        return self._call("profile.v1.ProfileService/ListProfiles", request, messages.ListProfilesResponse, timeout)

    def create_profile(self, request: messages.CreateProfileRequest, timeout: float = 30.0) -> messages.CreateProfileResponse:
        """Creates a profile: variables, secrets and the account that agents of workflows and launches
        get.

        Each secret has exactly one of env, file and command, which the agent’s host reads whenever
        it starts the agent, and value, which muster stores encrypted. No answer contains a value.
        Names are unique: a taken one is refused as already_exists."""
        return self._call("profile.v1.ProfileService/CreateProfile", request, messages.CreateProfileResponse, timeout)

    def update_profile(self, request: messages.UpdateProfileRequest, timeout: float = 30.0) -> messages.UpdateProfileResponse:
        """Changes a profile. Running agents keep what they have; each gets the change with its next
        start.

        An omitted field stays. A given secret replaces the one with the same variable; the others
        stay, unless removeSecrets names them. Name a field in clear to empty it."""
        return self._call("profile.v1.ProfileService/UpdateProfile", request, messages.UpdateProfileResponse, timeout)

    def delete_profile(self, request: messages.DeleteProfileRequest, timeout: float = 30.0) -> messages.DeleteProfileResponse:
        """Deletes a profile that no workflow names and no agent has, with its stored secrets.

        failed_precondition while a workflow names it or an agent has it, even an archived one."""
        return self._call("profile.v1.ProfileService/DeleteProfile", request, messages.DeleteProfileResponse, timeout)


class AsyncProfileService(AsyncService):
    """The operations of profile.v1.ProfileService, for asyncio. Watches resume from their cursor after a cut."""

    async def list_profiles(self, request: messages.ListProfilesRequest, timeout: float = 30.0) -> messages.ListProfilesResponse:
        """Lists profiles, most recently updated first.

        Shows where each secret comes from, never the secret itself."""
        return await self._call("profile.v1.ProfileService/ListProfiles", request, messages.ListProfilesResponse, timeout)

    async def create_profile(self, request: messages.CreateProfileRequest, timeout: float = 30.0) -> messages.CreateProfileResponse:
        """Creates a profile: variables, secrets and the account that agents of workflows and launches
        get.

        Each secret has exactly one of env, file and command, which the agent’s host reads whenever
        it starts the agent, and value, which muster stores encrypted. No answer contains a value.
        Names are unique: a taken one is refused as already_exists."""
        return await self._call("profile.v1.ProfileService/CreateProfile", request, messages.CreateProfileResponse, timeout)

    async def update_profile(self, request: messages.UpdateProfileRequest, timeout: float = 30.0) -> messages.UpdateProfileResponse:
        """Changes a profile. Running agents keep what they have; each gets the change with its next
        start.

        An omitted field stays. A given secret replaces the one with the same variable; the others
        stay, unless removeSecrets names them. Name a field in clear to empty it."""
        return await self._call("profile.v1.ProfileService/UpdateProfile", request, messages.UpdateProfileResponse, timeout)

    async def delete_profile(self, request: messages.DeleteProfileRequest, timeout: float = 30.0) -> messages.DeleteProfileResponse:
        """Deletes a profile that no workflow names and no agent has, with its stored secrets.

        failed_precondition while a workflow names it or an agent has it, even an archived one."""
        return await self._call("profile.v1.ProfileService/DeleteProfile", request, messages.DeleteProfileResponse, timeout)
