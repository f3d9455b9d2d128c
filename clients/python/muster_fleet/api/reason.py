# Written by `npm run proto` from the table in src/contract. Do not edit.
from enum import Enum


class Reason(str, Enum):
    """Why muster refuses a call: the closed list. A newer muster may send others."""

    INVALID_FIELD = "INVALID_FIELD"
    """A field has an invalid value; `field` names it, and the error details list every field at fault."""

    UNKNOWN_FIELD = "UNKNOWN_FIELD"
    """The message has no field of that name."""

    DUPLICATE_FIELD = "DUPLICATE_FIELD"
    """A field is given twice."""

    CONFLICTING_FIELDS = "CONFLICTING_FIELDS"
    """The request sets fields that exclude each other."""

    AGENT_REQUIRED = "AGENT_REQUIRED"
    """The request names no agent, and its caller is not an agent."""

    INVALID_CURSOR = "INVALID_CURSOR"
    """The cursor does not belong to this listing: start without one."""

    CURSOR_EXPIRED = "CURSOR_EXPIRED"
    """The facts after the cursor are no longer kept: read again."""

    LOG_REPLACED = "LOG_REPLACED"
    """The cursor belongs to a log that was replaced: read again."""

    INVALID_CRON = "INVALID_CRON"
    """A cron expression cannot be read, or never fires."""

    INVALID_TIMEZONE = "INVALID_TIMEZONE"
    """The time zone database has no zone of that name."""

    MALFORMED_REQUEST = "MALFORMED_REQUEST"
    """The bytes of the request do not have the declared encoding."""

    REQUEST_TOO_COMPLEX = "REQUEST_TOO_COMPLEX"
    """The message is nested too deeply or has too many names and values."""

    UNSUPPORTED_PROTOCOL_VERSION = "UNSUPPORTED_PROTOCOL_VERSION"
    """The request uses an unknown version of Connect's protocol."""

    INVALID_TIMEOUT = "INVALID_TIMEOUT"
    """The timeout header cannot be read."""

    UNKNOWN_COMPRESSION = "UNKNOWN_COMPRESSION"
    """The request's compression is not supported."""

    OPERATION_UNKNOWN = "OPERATION_UNKNOWN"
    """This version has no such operation."""

    NO_SUCH_PATH = "NO_SUCH_PATH"
    """Nothing is served at the path."""

    METHOD_NOT_ALLOWED = "METHOD_NOT_ALLOWED"
    """The path does not accept that HTTP method."""

    UNSUPPORTED_CONTENT_TYPE = "UNSUPPORTED_CONTENT_TYPE"
    """The path does not accept that content type."""

    UNSUPPORTED_EXPECTATION = "UNSUPPORTED_EXPECTATION"
    """The header `Expect` asks for something other than `100-continue`."""

    UNSUPPORTED_HTTP_VERSION = "UNSUPPORTED_HTTP_VERSION"
    """The path does not accept that version of HTTP."""

    REQUEST_TIMED_OUT = "REQUEST_TIMED_OUT"
    """The request did not arrive in time."""

    REQUEST_TOO_LARGE = "REQUEST_TOO_LARGE"
    """The request is too large, as received or decompressed."""

    HEADERS_TOO_LARGE = "HEADERS_TOO_LARGE"
    """The headers of the request are too large."""

    CALLER_GONE = "CALLER_GONE"
    """The connection ended before the request did."""

    GATEWAY_OVERLOADED = "GATEWAY_OVERLOADED"
    """More calls arrive than the gateway can handle: wait a second."""

    REQUEST_MEMORY_FULL = "REQUEST_MEMORY_FULL"
    """Requests in progress use all the memory for requests: wait a second."""

    TOO_MANY_WATCHES = "TOO_MANY_WATCHES"
    """The token has reached its limit of open watches."""

    TOO_MANY_UNKNOWN_TOKENS = "TOO_MANY_UNKNOWN_TOKENS"
    """Too many calls from one address had an unknown token."""

    MESSAGE_TOO_LARGE = "MESSAGE_TOO_LARGE"
    """The request is larger than the bus allows."""

    ANSWER_TOO_LARGE = "ANSWER_TOO_LARGE"
    """The answer is larger than the bus allows: request less."""

    CREDENTIAL_MISSING = "CREDENTIAL_MISSING"
    """The call names no caller."""

    CREDENTIAL_UNKNOWN = "CREDENTIAL_UNKNOWN"
    """The token is unknown."""

    CREDENTIAL_ENDED = "CREDENTIAL_ENDED"
    """The token is no longer valid, for example because its agent is archived or deleted."""

    SIGN_IN_CODE_INVALID = "SIGN_IN_CODE_INVALID"
    """The sign-in code was used, has expired or was never issued."""

    SESSION_NOT_PROVEN = "SESSION_NOT_PROVEN"
    """The request carries no proof of the browser's session, or a wrong one."""

    NOT_OFFERED = "NOT_OFFERED"
    """The operation is not offered to the caller's role."""

    PEOPLE_ONLY = "PEOPLE_ONLY"
    """Only people may use this operation or field."""

    NOT_YOURS = "NOT_YOURS"
    """It belongs to another agent, which the caller may not control."""

    BEYOND_OWN_RIGHTS = "BEYOND_OWN_RIGHTS"
    """An agent may not grant more rights than it has itself."""

    WORKFLOW_GONE = "WORKFLOW_GONE"
    """The caller's workflow, which grants its rights, is gone."""

    MAIL_NOT_ALLOWED = "MAIL_NOT_ALLOWED"
    """The caller may not mail that agent."""

    HOST_NAME_NOT_ALLOWED = "HOST_NAME_NOT_ALLOWED"
    """The request's `Host` is not a name of the gateway."""

    ORIGIN_NOT_ALLOWED = "ORIGIN_NOT_ALLOWED"
    """A page of that origin may not call the gateway."""

    AGENT_NOT_FOUND = "AGENT_NOT_FOUND"
    """There is no such agent."""

    NO_LIVE_AGENT = "NO_LIVE_AGENT"
    """No agent is live."""

    AMBIGUOUS_NAME = "AMBIGUOUS_NAME"
    """Several agents match the name."""

    NO_RESULT = "NO_RESULT"
    """The agent has not reported a result."""

    RESULT_UNFITTING = "RESULT_UNFITTING"
    """The result is not JSON, or does not fit the schema that the agent was launched with."""

    WRONG_AGENT_STATE = "WRONG_AGENT_STATE"
    """The agent's state does not allow it."""

    AGENT_HELD = "AGENT_HELD"
    """A person has taken the agent over."""

    AGENT_NOT_HELD = "AGENT_NOT_HELD"
    """A person has to hold the agent first, and nobody does."""

    AGENT_HAS_NO_WINDOW = "AGENT_HAS_NO_WINDOW"
    """The agent has no window at the moment."""

    AGENT_TOKENS_ENDED = "AGENT_TOKENS_ENDED"
    """The agent is archived or being deleted, so it gets no token."""

    AGENT_PLACED_ANEW = "AGENT_PLACED_ANEW"
    """The agent has been placed again, so the write of the earlier placement is refused."""

    MOVE_NOT_POSSIBLE = "MOVE_NOT_POSSIBLE"
    """The agent cannot move to another host as it is."""

    CONVERSATION_NOT_CARRIED = "CONVERSATION_NOT_CARRIED"
    """The CLI's conversation cannot be carried to another host."""

    PACKAGE_REFUSED = "PACKAGE_REFUSED"
    """What a host sent of a moving agent is not what it announced, or would be written where it does
    not belong."""

    PACKAGE_TOO_LARGE = "PACKAGE_TOO_LARGE"
    """A moving agent has more work than is carried to another host."""

    AGENT_GONE = "AGENT_GONE"
    """The agent is gone, and nothing of it remains on the host."""

    EVENT_NOT_POSSIBLE = "EVENT_NOT_POSSIBLE"
    """The agent's machine does not accept the event in its state."""

    STALE_VERSION = "STALE_VERSION"
    """The agent changed meanwhile: read it again, then decide again."""

    NAME_TAKEN = "NAME_TAKEN"
    """The name is taken."""

    AGENT_CEILING_REACHED = "AGENT_CEILING_REACHED"
    """There is no room for another agent: do not retry, tell the person."""

    ARCHIVE_FULL = "ARCHIVE_FULL"
    """The archive has no room for more agents of this lineage."""

    LAUNCH_RATE_EXCEEDED = "LAUNCH_RATE_EXCEEDED"
    """This lineage launched too many agents within a minute."""

    PARENT_NOT_ELIGIBLE = "PARENT_NOT_ELIGIBLE"
    """The parent cannot have this child in its state."""

    PARENT_NOT_LIVE = "PARENT_NOT_LIVE"
    """The agent's parent is archived or gone."""

    LAUNCH_FAILED = "LAUNCH_FAILED"
    """The launch failed; the message says at which step and why."""

    LAUNCH_ENDED = "LAUNCH_ENDED"
    """The launch ended before the briefing was typed."""

    CHANGE_FAILED = "CHANGE_FAILED"
    """The change to the agent was started and failed; the message says why."""

    WORK_WOULD_BE_LOST = "WORK_WOULD_BE_LOST"
    """The worktree has work that would be lost."""

    HOST_STILL_HEARD = "HOST_STILL_HEARD"
    """The agent's host still sends beats, so the agent cannot be abandoned."""

    BRIEFING_NOT_TAKEN = "BRIEFING_NOT_TAKEN"
    """The CLI did not accept its briefing."""

    PANE_STILL_LIVES = "PANE_STILL_LIVES"
    """A pane that seemed to have ended is still running."""

    HARNESS_UNAVAILABLE = "HARNESS_UNAVAILABLE"
    """No eligible host can run the harness, or no harness is named."""

    ISOLATION_UNAVAILABLE = "ISOLATION_UNAVAILABLE"
    """The host cannot isolate the agent as required; the message says what is missing."""

    ISOLATION_UNSAFE = "ISOLATION_UNSAFE"
    """Isolating the agent would not hold; the message says what it could reach, or where a link leads."""

    HARNESS_NOT_FOUND = "HARNESS_NOT_FOUND"
    """There is no harness of that name."""

    HARNESS_EXISTS = "HARNESS_EXISTS"
    """A harness of that name already exists."""

    RULES_KEY_INVALID = "RULES_KEY_INVALID"
    """The file does not contain an Ed25519 key for signing rules."""

    RULES_BUNDLE_INVALID = "RULES_BUNDLE_INVALID"
    """The file is not a bundle of rules, or its rules are invalid."""

    RULES_NOT_TRUSTED = "RULES_NOT_TRUSTED"
    """The bundle has no valid signature by a key that a person trusts."""

    RULES_OUTDATED = "RULES_OUTDATED"
    """The bundle is older than the installed or built-in rules, or comes from another publisher."""

    RULES_NOT_INSTALLED = "RULES_NOT_INSTALLED"
    """No bundle of rules is installed, or the key is not trusted."""

    HARNESS_FILE_NOT_FOUND = "HARNESS_FILE_NOT_FOUND"
    """No rules file has a launch part for the harness."""

    LAUNCH_NOT_CONFIRMED = "LAUNCH_NOT_CONFIRMED"
    """No person has confirmed what the harness launches."""

    LAUNCH_FILE_CHANGED = "LAUNCH_FILE_CHANGED"
    """What the harness launches has changed since it was shown."""

    COMMAND_NOT_FOUND = "COMMAND_NOT_FOUND"
    """The harness's command is not on the host's PATH."""

    FLAGS_UNREADABLE = "FLAGS_UNREADABLE"
    """The launch flags cannot be split into words."""

    SCRIPT_FAILED = "SCRIPT_FAILED"
    """A script of the workflow failed, or could not be started."""

    WINDOW_NOT_OPENED = "WINDOW_NOT_OPENED"
    """No window could be opened for the agent."""

    WINDOW_SCROLLED = "WINDOW_SCROLLED"
    """Nothing was typed: a person is scrolling in the window."""

    AGENT_WAITS = "AGENT_WAITS"
    """Nothing was typed: the agent waits for a person's answer."""

    AGENT_AT_WORK = "AGENT_AT_WORK"
    """Nothing was typed: the agent is working, and its CLI does not queue prompts."""

    DRAFT_IN_COMPOSER = "DRAFT_IN_COMPOSER"
    """Nothing was typed: the composer holds unsent text."""

    CLI_ENDED = "CLI_ENDED"
    """Nothing was typed: the CLI has ended."""

    SCREEN_UNCLEAR = "SCREEN_UNCLEAR"
    """Nothing was typed: the screen does not show that the CLI is ready."""

    AGENT_NOT_RUNNING = "AGENT_NOT_RUNNING"
    """Nothing was typed: the agent is not running."""

    DOORBELL_CLAIMED = "DOORBELL_CLAIMED"
    """The doorbell is already claimed, so it no longer rings."""

    DOORBELL_NOT_TAKEN = "DOORBELL_NOT_TAKEN"
    """The CLI did not accept the doorbell's line."""

    NOTHING_TO_ANSWER = "NOTHING_TO_ANSWER"
    """Nothing was typed: the agent asks no question."""

    NO_TURN = "NO_TURN"
    """Nothing was typed: the agent has no turn to interrupt."""

    SCREEN_CHANGED = "SCREEN_CHANGED"
    """The screen has changed since the answer was given."""

    TYPING_UNCONFIRMED = "TYPING_UNCONFIRMED"
    """Something was typed without the expected effect: check before you try again."""

    TYPING_TIMED_OUT = "TYPING_TIMED_OUT"
    """Part of it may have been typed before time ran out: check before you try again."""

    TYPING_INTERRUPTED = "TYPING_INTERRUPTED"
    """Part of it may have been typed before it was refused: check before you try again."""

    TYPING_TOO_LATE = "TYPING_TOO_LATE"
    """Nothing more was typed, because its time ran out."""

    CLI_ENDED_MEANWHILE = "CLI_ENDED_MEANWHILE"
    """The CLI ended during the typing."""

    MAIL_NOT_FOUND = "MAIL_NOT_FOUND"
    """The caller has no such mail."""

    MAILBOX_CLOSED = "MAILBOX_CLOSED"
    """The agent accepts no mail at the moment."""

    MAIL_LIMIT_REACHED = "MAIL_LIMIT_REACHED"
    """The mail was not sent: this chain or sender has reached its limit."""

    DOORBELL_OF_OTHER_AGENT = "DOORBELL_OF_OTHER_AGENT"
    """The doorbell belongs to another agent."""

    PANE_NOT_FOUND = "PANE_NOT_FOUND"
    """There is no such pane."""

    TRANSITION_NOT_FOUND = "TRANSITION_NOT_FOUND"
    """No such transition is on record."""

    MACHINE_NOT_FOUND = "MACHINE_NOT_FOUND"
    """There is no machine of that name."""

    SUBJECT_NOT_FOUND = "SUBJECT_NOT_FOUND"
    """The machine has no instance of that id."""

    RESOURCE_NOT_FOUND = "RESOURCE_NOT_FOUND"
    """Nothing has that resource address."""

    HOST_NOT_FOUND = "HOST_NOT_FOUND"
    """There is no such host."""

    HOST_AMBIGUOUS = "HOST_AMBIGUOUS"
    """Several hosts have that name: use an id."""

    HOST_LOST = "HOST_LOST"
    """The host is silent or lost, so muster did not ask it."""

    HOST_SILENT = "HOST_SILENT"
    """muster asked the host, and it does not answer."""

    HOST_TIMED_OUT = "HOST_TIMED_OUT"
    """muster asked the host, and it did not answer in time."""

    OUTCOME_UNKNOWN = "OUTCOME_UNKNOWN"
    """The host began the work and did not report its result: it may have been done."""

    CALL_NOT_BEGUN = "CALL_NOT_BEGUN"
    """Nothing was done, because the time ran out before it started."""

    CALL_TOO_LATE = "CALL_TOO_LATE"
    """The request arrived after its caller had stopped waiting."""

    PERMIT_EXPIRED = "PERMIT_EXPIRED"
    """Nothing was done: the caller had stopped waiting when the host received it."""

    NO_HOST_AVAILABLE = "NO_HOST_AVAILABLE"
    """No eligible host is online."""

    HOST_DRAINED = "HOST_DRAINED"
    """A person has drained the host, so no new agent is placed on it."""

    HOST_DISK_LOW = "HOST_DISK_LOW"
    """The disk of the host has less free space than its floor, so nothing is launched there."""

    HOST_IN_USE = "HOST_IN_USE"
    """The host cannot be forgotten or removed in its state."""

    HOST_STOPPING = "HOST_STOPPING"
    """The host is stopping."""

    HOST_OUTDATED = "HOST_OUTDATED"
    """The host runs a version of muster that is too old."""

    PROTOCOL_UNSUPPORTED = "PROTOCOL_UNSUPPORTED"
    """A host or gateway and the registry run versions of muster that do not understand each other."""

    HOST_NOT_INTRODUCED = "HOST_NOT_INTRODUCED"
    """The host has not identified its computer yet."""

    HOST_NOT_ENTITLED = "HOST_NOT_ENTITLED"
    """A host may report only for itself and its agents."""

    HOST_NOT_ADMITTED = "HOST_NOT_ADMITTED"
    """The host is new, and too many new hosts exist or it changes too often."""

    HOST_DUPLICATED = "HOST_DUPLICATED"
    """Two computers use one host's key."""

    HOST_KEY_CHANGED = "HOST_KEY_CHANGED"
    """The host's key differs from the known one."""

    HOST_SESSION_ENDED = "HOST_SESSION_ENDED"
    """The host's session has ended: open a new one."""

    DIRECTORY_MISSING = "DIRECTORY_MISSING"
    """A required directory is gone."""

    DIRECTORY_CHANGED = "DIRECTORY_CHANGED"
    """A directory's path leads to another directory than at first use."""

    FILE_NOT_PRIVATE = "FILE_NOT_PRIVATE"
    """Users other than its owner may open or change a file or folder that must be private."""

    FILE_NOT_USABLE = "FILE_NOT_USABLE"
    """A file or folder cannot be used as it is."""

    OPEN_FILES_EXHAUSTED = "OPEN_FILES_EXHAUSTED"
    """The process has reached its limit of open files."""

    TOO_MANY_FILES = "TOO_MANY_FILES"
    """More files match than muster copies."""

    INVALID_PATH = "INVALID_PATH"
    """A path cannot be used."""

    INVALID_VALUE = "INVALID_VALUE"
    """One part of muster passed an invalid value to another."""

    TERMINAL_REQUIRED = "TERMINAL_REQUIRED"
    """The command needs a terminal, and there is none."""

    TERMINAL_UNAVAILABLE = "TERMINAL_UNAVAILABLE"
    """Neither tmux nor embedded panes are available for agents."""

    TERMINAL_RELEASED = "TERMINAL_RELEASED"
    """The terminal was released: ask for it again."""

    OTHER_TERMINAL_IN_USE = "OTHER_TERMINAL_IN_USE"
    """Agents still run in the other kind of terminal."""

    ATTACH_NOT_POSSIBLE = "ATTACH_NOT_POSSIBLE"
    """The window cannot be attached to from here."""

    TMUX_UNAVAILABLE = "TMUX_UNAVAILABLE"
    """tmux does not answer, or refuses."""

    PROGRAM_NOT_STARTED = "PROGRAM_NOT_STARTED"
    """A program cannot be started."""

    INVITATION_NOT_FOUND = "INVITATION_NOT_FOUND"
    """There is no such invitation."""

    INVITATION_UNKNOWN = "INVITATION_UNKNOWN"
    """The token of the invitation was never issued."""

    INVITATION_USED = "INVITATION_USED"
    """A machine has joined with the invitation: it works once."""

    INVITATION_EXPIRED = "INVITATION_EXPIRED"
    """The invitation is older than 15 minutes."""

    INVITATION_WITHDRAWN = "INVITATION_WITHDRAWN"
    """A person withdrew the invitation."""

    HOST_NAME_TAKEN = "HOST_NAME_TAKEN"
    """A host, or an open invitation, has that name."""

    JOIN_PROTOCOL_UNSUPPORTED = "JOIN_PROTOCOL_UNSUPPORTED"
    """The machine and the registry run versions of muster that cannot join each other."""

    JOIN_LINE_INVALID = "JOIN_LINE_INVALID"
    """The line is not one that `muster host invite` prints."""

    JOIN_NOT_POSSIBLE = "JOIN_NOT_POSSIBLE"
    """The machine cannot join in its state."""

    JOIN_UNFINISHED = "JOIN_UNFINISHED"
    """Joining with the state folder was interrupted: it belongs to no installation yet."""

    JOIN_UNREACHABLE = "JOIN_UNREACHABLE"
    """The machine cannot reach the gateway or the bus that the line names."""

    JOIN_SERVER_MISTAKEN = "JOIN_SERVER_MISTAKEN"
    """The server at the address of the line has another certificate than the line says, or is not
    muster."""

    SERVICE_MANAGER_MISSING = "SERVICE_MANAGER_MISSING"
    """No systemd or launchd runs for this user, so muster cannot install itself as a service."""

    SERVICE_NOT_INSTALLED = "SERVICE_NOT_INSTALLED"
    """The service manager refuses the service, has another one of its name, or has none."""

    HOST_NOT_JOINED = "HOST_NOT_JOINED"
    """The host did not join by an invitation, so muster did not issue its credential."""

    HOST_REMOVED = "HOST_REMOVED"
    """A person removed the host: its keys are refused permanently."""

    RENEWAL_NOT_PROVEN = "RENEWAL_NOT_PROVEN"
    """The request for new certificates is not signed by the key of the host."""

    REVIEW_NOT_FOUND = "REVIEW_NOT_FOUND"
    """The caller has no such review."""

    REVIEW_THREAD_NOT_FOUND = "REVIEW_THREAD_NOT_FOUND"
    """There is no such review thread that the caller may see."""

    REVIEW_MESSAGE_NOT_FOUND = "REVIEW_MESSAGE_NOT_FOUND"
    """There is no such comment."""

    REVIEW_ROUND_NOT_FOUND = "REVIEW_ROUND_NOT_FOUND"
    """The agent has no such review round."""

    NO_REVIEW_ROUND = "NO_REVIEW_ROUND"
    """The agent has no review round yet."""

    NOTHING_TO_REVIEW = "NOTHING_TO_REVIEW"
    """The work differs neither from its base nor from the previous round."""

    NO_WORKTREE_YET = "NO_WORKTREE_YET"
    """The agent's worktree does not exist yet."""

    REVIEW_EMPTY = "REVIEW_EMPTY"
    """Only an approval may be released without any comment or summary."""

    REVIEW_FULL = "REVIEW_FULL"
    """The review has reached its limit of comments: release it."""

    REVIEW_RELEASED = "REVIEW_RELEASED"
    """The review is released and cannot change."""

    REVIEW_NOT_RELEASED = "REVIEW_NOT_RELEASED"
    """The review is not released yet."""

    REVIEW_NOT_DELIVERABLE = "REVIEW_NOT_DELIVERABLE"
    """The agent under review cannot receive it."""

    SUGGESTION_NOT_APPLICABLE = "SUGGESTION_NOT_APPLICABLE"
    """The suggestion cannot be applied to the file as it is."""

    INVALID_RANGE = "INVALID_RANGE"
    """The lines are not a range of the file."""

    NOT_A_REPOSITORY = "NOT_A_REPOSITORY"
    """The directory is not in a git repository."""

    REPOSITORY_EMPTY = "REPOSITORY_EMPTY"
    """The repository has no commit yet."""

    REPOSITORY_UNREADABLE = "REPOSITORY_UNREADABLE"
    """git cannot read part of the repository or its configuration."""

    COMMIT_NOT_FOUND = "COMMIT_NOT_FOUND"
    """The repository has no such commit."""

    GIT_OPERATION_UNDER_WAY = "GIT_OPERATION_UNDER_WAY"
    """A merge, rebase or cherry-pick is in progress."""

    GIT_LOCKED = "GIT_LOCKED"
    """Another git process holds a lock."""

    GIT_FAILED = "GIT_FAILED"
    """A git command failed."""

    GIT_NOT_STARTED = "GIT_NOT_STARTED"
    """git could not be started."""

    GIT_OUTPUT_TOO_LARGE = "GIT_OUTPUT_TOO_LARGE"
    """A git command wrote more than muster reads."""

    GIT_TIMED_OUT = "GIT_TIMED_OUT"
    """A git command took too long and was ended."""

    GIT_CANCELLED = "GIT_CANCELLED"
    """A git command was ended because its caller stopped waiting."""

    FILE_CHANGED = "FILE_CHANGED"
    """A file or the checkout changed meanwhile: try again."""

    FILE_NOT_FOUND = "FILE_NOT_FOUND"
    """There is no such file."""

    FILE_NOT_SHOWN = "FILE_NOT_SHOWN"
    """The file is binary or too large to be shown."""

    INVALID_BRANCH_NAME = "INVALID_BRANCH_NAME"
    """The text is not a valid branch name."""

    BRANCH_EXISTS = "BRANCH_EXISTS"
    """The branch already exists and cannot be used."""

    WORKTREE_PATH_TAKEN = "WORKTREE_PATH_TAKEN"
    """Something else is at the worktree's path."""

    WORKTREE_NOT_MADE = "WORKTREE_NOT_MADE"
    """The worktree could not be created: the folder is not writable, or objects are missing."""

    WORKTREE_DISK_FULL = "WORKTREE_DISK_FULL"
    """The worktree could not be created: the disk is full."""

    WORKFLOW_NOT_FOUND = "WORKFLOW_NOT_FOUND"
    """There is no such workflow."""

    WORKFLOW_IN_USE = "WORKFLOW_IN_USE"
    """The workflow still has agents, archived ones included."""

    PROFILE_NOT_FOUND = "PROFILE_NOT_FOUND"
    """There is no such profile."""

    PROFILE_IN_USE = "PROFILE_IN_USE"
    """A workflow still names the profile, or an agent has it."""

    SECRET_UNAVAILABLE = "SECRET_UNAVAILABLE"
    """A secret of the agent’s profile cannot be read or handed over on its host."""

    PROFILE_UNFIT = "PROFILE_UNFIT"
    """The profile has something that the agent’s CLI cannot be given."""

    NOTHING_TO_TRY = "NOTHING_TO_TRY"
    """The workflow has no setup script, or its agents get no worktree in which it would run."""

    TRIAL_NOT_FOUND = "TRIAL_NOT_FOUND"
    """The host has no such trial of a setup script: it ended long ago, or the host was restarted."""

    TRIAL_LIMIT_REACHED = "TRIAL_LIMIT_REACHED"
    """The host has reached its limit of concurrent trials."""

    BUDGET_SPENT = "BUDGET_SPENT"
    """A budget is used up: nothing is launched or typed until a person continues or raises it, or its
    day ends."""

    BUDGET_OWNER_NOT_FOUND = "BUDGET_OWNER_NOT_FOUND"
    """There is no agent, workflow or schedule with the id, so it has no budget."""

    NO_BUDGET = "NO_BUDGET"
    """The agent, workflow or schedule has no budget."""

    SCHEDULE_NOT_FOUND = "SCHEDULE_NOT_FOUND"
    """There is no such schedule."""

    SCHEDULE_RUN_NOT_FOUND = "SCHEDULE_RUN_NOT_FOUND"
    """No such run of a schedule is on record."""

    WRONG_SCHEDULE_RUN_STATE = "WRONG_SCHEDULE_RUN_STATE"
    """The run's state does not allow it."""

    LEASE_LOST = "LEASE_LOST"
    """The run was cancelled or leased to another worker."""

    RUN_NOT_FOUND = "RUN_NOT_FOUND"
    """There is no such run of a script."""

    RUN_NOT_FAILED = "RUN_NOT_FAILED"
    """The run did not fail, so there is nothing to acknowledge."""

    FORGE_CONNECTION_NOT_FOUND = "FORGE_CONNECTION_NOT_FOUND"
    """There is no such forge connection."""

    FORGE_CONNECTION_EXISTS = "FORGE_CONNECTION_EXISTS"
    """The forge's host already has a connection."""

    FORGE_NOT_CONNECTED = "FORGE_NOT_CONNECTED"
    """No forge is connected for that host."""

    FORGE_REFUSED = "FORGE_REFUSED"
    """The forge refuses the address or the credential."""

    FORGE_CREDENTIAL_UNREADABLE = "FORGE_CREDENTIAL_UNREADABLE"
    """The forge's credential cannot be read."""

    FORGE_ANSWER_NOT_FOUND = "FORGE_ANSWER_NOT_FOUND"
    """The forge has no such repository, or the credential cannot see it."""

    FORGE_CURSOR_INVALID = "FORGE_CURSOR_INVALID"
    """The forge does not know the cursor."""

    FORGE_UNAVAILABLE = "FORGE_UNAVAILABLE"
    """The forge cannot be reached, or its answer cannot be read."""

    FORGE_RATE_LIMITED = "FORGE_RATE_LIMITED"
    """The forge’s rate limit is reached: wait."""

    FORGE_TIMED_OUT = "FORGE_TIMED_OUT"
    """The forge did not answer in time."""

    REPOSITORY_NOT_FOUND = "REPOSITORY_NOT_FOUND"
    """There is no such repository, or no person has confirmed it for the workflow."""

    REPOSITORY_LIMIT_REACHED = "REPOSITORY_LIMIT_REACHED"
    """The workflow has reached its limit of repositories."""

    NOTIFICATION_NOT_SET = "NOTIFICATION_NOT_SET"
    """Neither a webhook nor a command is set."""

    INTERNAL = "INTERNAL"
    """A bug in muster: its log says more."""

    UNKNOWN = "UNKNOWN"
    """The failure has no reason, or one that cannot be read."""

    NOBODY_ANSWERS = "NOBODY_ANSWERS"
    """Nobody answers on the bus: the registry or the host is not running."""

    NO_ANSWER = "NO_ANSWER"
    """No answer came in time: it may have been done."""

    RESPONDER_LOST = "RESPONDER_LOST"
    """The process that should answer has died or hangs: it may have been done."""

    BUS_UNAVAILABLE = "BUS_UNAVAILABLE"
    """The bus cannot be reached: it may have been done."""

    BUS_NOT_CONFIGURED = "BUS_NOT_CONFIGURED"
    """The process does not know how to join the bus."""

    BUS_ADDRESS_INVALID = "BUS_ADDRESS_INVALID"
    """The bus's address or subject cannot be used."""

    BUS_CREDENTIAL_REFUSED = "BUS_CREDENTIAL_REFUSED"
    """The bus refuses the credentials of the process."""

    BUS_RIGHT_MISSING = "BUS_RIGHT_MISSING"
    """The bus does not permit the process to answer on that subject."""

    SEAL_KEY_MISSING = "SEAL_KEY_MISSING"
    """The request or its answer is a secret, and it cannot be sealed without a key: nothing was done."""

    REGISTRY_SILENT = "REGISTRY_SILENT"
    """The registry does not answer: try again in a moment."""

    BUS_TAKEN = "BUS_TAKEN"
    """Another registry answers on this bus."""

    BUS_DIVIDED = "BUS_DIVIDED"
    """Registries of one database are on different buses."""

    OTHER_INSTALLATION = "OTHER_INSTALLATION"
    """The registry on this bus belongs to another installation."""

    DATABASE_REPLACED = "DATABASE_REPLACED"
    """The registry's database was restored from a copy."""

    DISK_FULL = "DISK_FULL"
    """The disk is full: nothing was written."""

    DISK_FAILED = "DISK_FAILED"
    """The disk failed to read or write the database."""

    DATABASE_READ_ONLY = "DATABASE_READ_ONLY"
    """The database or its file system is read-only."""

    DATABASE_CANNOT_OPEN = "DATABASE_CANNOT_OPEN"
    """The database or its log cannot be opened."""

    DATABASE_DAMAGED = "DATABASE_DAMAGED"
    """The database is damaged."""

    DATABASE_MOVED = "DATABASE_MOVED"
    """The database's file was moved, removed or replaced."""

    DATABASE_LOG_MISSING = "DATABASE_LOG_MISSING"
    """The database's log is missing."""

    DATABASE_BUSY = "DATABASE_BUSY"
    """Another program holds the database."""

    DATABASE_UNAVAILABLE = "DATABASE_UNAVAILABLE"
    """PostgreSQL does not answer: nothing was written."""

    DATABASE_CONTENDED = "DATABASE_CONTENDED"
    """Other writers kept changing the same rows: nothing was written."""

    DATABASE_UNSUITABLE = "DATABASE_UNSUITABLE"
    """The PostgreSQL database cannot be used: its version, rights, password or certificates do not
    fit."""

    DATABASE_NOT_EMPTY = "DATABASE_NOT_EMPTY"
    """The target database is not empty: nothing was written."""

    DATABASE_COPY_DIFFERS = "DATABASE_COPY_DIFFERS"
    """A copy of the database differs from the original: it was discarded."""

    COMMIT_UNKNOWN = "COMMIT_UNKNOWN"
    """The connection to PostgreSQL was lost during a commit: it may have been done."""

    BACKUP_UNREADABLE = "BACKUP_UNREADABLE"
    """The file is not a backup of muster, is truncated or was changed: nothing was restored."""

    PASSPHRASE_WRONG = "PASSPHRASE_WRONG"
    """The backup is encrypted, and the passphrase is missing or wrong: nothing was restored."""

    RESTORE_UNFINISHED = "RESTORE_UNFINISHED"
    """A restore into the state folder was interrupted: restore the backup again."""

    INSTALLATION_EXISTS = "INSTALLATION_EXISTS"
    """The state folder already has an installation: nothing was restored."""

    FILE_EXISTS = "FILE_EXISTS"
    """The file already exists and was not overwritten."""

    OUT_OF_MEMORY = "OUT_OF_MEMORY"
    """The database has run out of memory."""

    DATABASE_MISSING = "DATABASE_MISSING"
    """The database is missing from the state folder, but its secrets are there."""

    SECRET_EXPOSED = "SECRET_EXPOSED"
    """Users other than its owner may open a file with a secret."""

    SECRET_MISSING = "SECRET_MISSING"
    """The key file beside the database is missing."""

    SECRET_DIFFERS = "SECRET_DIFFERS"
    """A key file of the state folder is not the installation's."""

    KEY_UNREADABLE = "KEY_UNREADABLE"
    """A key file does not contain a key."""

    NEWER_VERSION_REQUIRED = "NEWER_VERSION_REQUIRED"
    """A newer version of muster wrote the state folder: run that version."""

    UPGRADE_NOT_POSSIBLE = "UPGRADE_NOT_POSSIBLE"
    """muster cannot be upgraded so, and nothing was changed; the message says what to do."""

    DOWNGRADE_REFUSED = "DOWNGRADE_REFUSED"
    """The version is older than the installed one: nothing was changed."""

    UPGRADE_RETURNED = "UPGRADE_RETURNED"
    """The new version did not get ready, or the upgrade was interrupted: the previous version is back."""

    UPGRADE_UNFINISHED = "UPGRADE_UNFINISHED"
    """An upgrade is in progress, or was interrupted and cannot be undone automatically."""

    ALREADY_RUNNING = "ALREADY_RUNNING"
    """muster already runs on this state folder."""

    PORT_TAKEN = "PORT_TAKEN"
    """Another program has the port, or muster cannot listen on it."""

    STOPPED = "STOPPED"
    """It ended because its process is stopping."""

    INVALID_SETTING = "INVALID_SETTING"
    """A setting in the environment is invalid."""

    INVALID_USAGE = "INVALID_USAGE"
    """The command line is invalid."""

    SERVICE_UNREACHABLE = "SERVICE_UNREACHABLE"
    """muster cannot be reached at its address."""

    ANSWER_INTERRUPTED = "ANSWER_INTERRUPTED"
    """The answer was interrupted: it may have been done."""

    ANSWER_UNREADABLE = "ANSWER_UNREADABLE"
    """The answer cannot be read."""

    FILE_UNREADABLE = "FILE_UNREADABLE"
    """A file cannot be read by this user."""

    LOG_NOT_FOUND = "LOG_NOT_FOUND"
    """There is no such log."""

    WAIT_ENDED = "WAIT_ENDED"
    """The awaited result did not arrive in time."""

    NOT_CONFIRMED = "NOT_CONFIRMED"
    """The person did not confirm the action."""

