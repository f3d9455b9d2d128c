# Written by `npm run proto` from the table in src/contract. Do not edit.
from __future__ import annotations

from dataclasses import dataclass, field as _field
from datetime import datetime
from enum import Enum
from typing import ClassVar, List, Optional, Sequence, Union

from ..message import Field, Message
from . import shared


@dataclass
class ListProfilesRequest(Message):
    """profile.v1.ListProfilesRequest"""

    pagination: Optional[shared.Pagination] = None
    """Which page to return. Unset: the first."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("pagination", "pagination", lambda: shared.Pagination, False, True),
    )



@dataclass
class ListProfilesResponse(Message):
    """profile.v1.ListProfilesResponse"""

    profiles: List[Profile] = _field(default_factory=list)
    """One page, most recently updated first."""
    next_page_token: str = ""
    """Pass it back as pagination.cursor for the next page. Unset on the last page."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("profiles", "profiles", lambda: Profile, True, False),
        Field("next_page_token", "nextPageToken", "string", False, False),
    )



@dataclass
class Profile(Message):
    """profile.v1.Profile"""

    id: str = ""
    """The id of the profile in every other call: `prf_` and a ULID."""
    name: str = ""
    """Its name, unique among profiles. At most 200 characters."""
    environment: List[str] = _field(default_factory=list)
    """Variables that are not secret, each as `NAME=value`. They replace those of the workflow."""
    secrets: List[ProfileSecret] = _field(default_factory=list)
    """Secrets, by variable and source. Resolved on the agent’s host when it starts."""
    home: str = ""
    """The folder with the CLI’s settings and credentials on the agent’s host, absolute or beginning
    with `~`. Passed in the variable that the CLI has for it, such as `CLAUDE_CONFIG_DIR`."""
    account: str = ""
    """The account that the CLI’s credential belongs to, as agents’ rows show it."""
    created_at: str = ""
    """When it was created: RFC 3339, UTC."""
    updated_at: str = ""
    """When it was last changed: RFC 3339, UTC."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("id", "id", "string", False, False),
        Field("name", "name", "string", False, False),
        Field("environment", "environment", "string", True, False),
        Field("secrets", "secrets", lambda: ProfileSecret, True, False),
        Field("home", "home", "string", False, False),
        Field("account", "account", "string", False, False),
        Field("created_at", "createdAt", "string", False, False),
        Field("updated_at", "updatedAt", "string", False, False),
    )



@dataclass
class ProfileSecret(Message):
    """profile.v1.ProfileSecret"""

    variable: str = ""
    """The environment variable that agents and scripts get it in."""
    env: str = ""
    """The environment variable of the agent’s host that contains it."""
    file: str = ""
    """A file on the agent’s host that contains it, readable only by its owner."""
    command: List[str] = _field(default_factory=list)
    """A program that prints it, with its arguments. It runs on the agent’s host, without a shell."""
    kept: bool = False
    """Whether muster stores the value, encrypted."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("variable", "variable", "string", False, False),
        Field("env", "env", "string", False, False),
        Field("file", "file", "string", False, False),
        Field("command", "command", "string", True, False),
        Field("kept", "kept", "bool", False, False),
    )



@dataclass
class CreateProfileRequest(Message):
    """profile.v1.CreateProfileRequest"""

    name: str = ""
    """Its name, unique among profiles. At most 200 characters."""
    environment: List[str] = _field(default_factory=list)
    """Variables that are not secret, each as `NAME=value`. They replace those of the workflow."""
    secrets: List[GivenSecret] = _field(default_factory=list)
    """Secrets, by variable and source. Resolved on the agent’s host when it starts."""
    home: str = ""
    """The folder with the CLI’s settings and credentials on the agent’s host, absolute or beginning
    with `~`. Passed in the variable that the CLI has for it, such as `CLAUDE_CONFIG_DIR`."""
    account: str = ""
    """The account that the CLI’s credential belongs to, as agents’ rows show it."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("name", "name", "string", False, False),
        Field("environment", "environment", "string", True, False),
        Field("secrets", "secrets", lambda: GivenSecret, True, False),
        Field("home", "home", "string", False, False),
        Field("account", "account", "string", False, False),
    )



@dataclass
class GivenSecret(Message):
    """profile.v1.GivenSecret"""

    variable: str = ""
    """The environment variable that agents and scripts get it in."""
    env: str = ""
    """The environment variable of the agent’s host that contains it."""
    file: str = ""
    """A file on the agent’s host that contains it, readable only by its owner."""
    command: List[str] = _field(default_factory=list)
    """A program that prints it, with its arguments. It runs on the agent’s host, without a shell."""
    value: str = ""
    """The secret itself, which muster stores encrypted."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("variable", "variable", "string", False, False),
        Field("env", "env", "string", False, False),
        Field("file", "file", "string", False, False),
        Field("command", "command", "string", True, False),
        Field("value", "value", "string", False, False),
    )



@dataclass
class CreateProfileResponse(Message):
    """profile.v1.CreateProfileResponse"""

    profile: Optional[Profile] = None
    """The new profile."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("profile", "profile", lambda: Profile, False, True),
    )



@dataclass
class UpdateProfileRequest(Message):
    """profile.v1.UpdateProfileRequest"""

    profile_id: str = ""
    """The profile, by its id: `prf_` and a ULID."""
    name: str = ""
    """Its name, unique among profiles. At most 200 characters."""
    environment: List[str] = _field(default_factory=list)
    """Variables that are not secret, each as `NAME=value`. They replace those of the workflow."""
    secrets: List[GivenSecret] = _field(default_factory=list)
    """Secrets to add, or to replace by variable."""
    home: str = ""
    """The folder with the CLI’s settings and credentials on the agent’s host, absolute or beginning
    with `~`. Passed in the variable that the CLI has for it, such as `CLAUDE_CONFIG_DIR`."""
    account: str = ""
    """The account that the CLI’s credential belongs to, as agents’ rows show it."""
    remove_secrets: List[str] = _field(default_factory=list)
    """The variables of secrets to remove."""
    clear: List[str] = _field(default_factory=list)
    """Fields to empty, by name. A field that is also given is set instead."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("profile_id", "profileId", "string", False, False),
        Field("name", "name", "string", False, False),
        Field("environment", "environment", "string", True, False),
        Field("secrets", "secrets", lambda: GivenSecret, True, False),
        Field("home", "home", "string", False, False),
        Field("account", "account", "string", False, False),
        Field("remove_secrets", "removeSecrets", "string", True, False),
        Field("clear", "clear", "string", True, False),
    )



@dataclass
class UpdateProfileResponse(Message):
    """profile.v1.UpdateProfileResponse"""

    profile: Optional[Profile] = None
    """The profile after the call."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("profile", "profile", lambda: Profile, False, True),
    )



@dataclass
class DeleteProfileRequest(Message):
    """profile.v1.DeleteProfileRequest"""

    profile_id: str = ""
    """The profile, by its id: `prf_` and a ULID."""
    FIELDS: ClassVar[Sequence[Field]] = (
        Field("profile_id", "profileId", "string", False, False),
    )



@dataclass
class DeleteProfileResponse(Message):
    """profile.v1.DeleteProfileResponse"""

    FIELDS: ClassVar[Sequence[Field]] = (
    )
