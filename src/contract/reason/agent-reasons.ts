import type { ReasonMeaning } from './reason-meaning.ts';

/** Why something cannot be done with an agent, its launch, its pane or its mail. */
export const agentReasons = {
  AGENT_NOT_FOUND: {
    code: 'not_found',
    meaning: 'There is no such agent.',
    metadata: { agentId: 'The id or name that was asked for.' },
  },
  NO_LIVE_AGENT: { code: 'not_found', meaning: 'No agent is live.' },
  AMBIGUOUS_NAME: {
    code: 'invalid_argument',
    meaning: 'Several agents match the name.',
    metadata: {
      ids: 'The ids of those that match, most recently updated first, at most eight, separated by spaces.',
      count: 'How many match.',
    },
  },
  NO_RESULT: {
    code: 'not_found',
    meaning: 'The agent has not reported a result.',
    metadata: { agentId: 'The agent.' },
  },
  RESULT_UNFITTING: {
    code: 'invalid_argument',
    meaning: 'The result is not JSON, or does not fit the schema that the agent was launched with.',
  },
  WRONG_AGENT_STATE: {
    code: 'failed_precondition',
    meaning: "The agent's state does not allow it.",
    metadata: {
      agentId: 'The agent.',
      state: 'Its state, as `AgentState` names it.',
      phase: 'The state of its machine.',
    },
  },
  AGENT_HELD: {
    code: 'failed_precondition',
    meaning: 'A person has taken the agent over.',
    metadata: { agentId: 'The agent, by its id or its name.', heldAt: 'Since when, in RFC 3339.' },
  },
  AGENT_NOT_HELD: {
    code: 'failed_precondition',
    meaning: 'A person has to hold the agent first, and nobody does.',
  },
  AGENT_HAS_NO_WINDOW: {
    code: 'failed_precondition',
    meaning: 'The agent has no window at the moment.',
    metadata: { agentId: 'The agent.' },
  },
  AGENT_TOKENS_ENDED: {
    code: 'failed_precondition',
    meaning: 'The agent is archived or being deleted, so it gets no token.',
  },
  AGENT_PLACED_ANEW: {
    code: 'failed_precondition',
    meaning: 'The agent has been placed again, so the write of the earlier placement is refused.',
  },
  MOVE_NOT_POSSIBLE: {
    code: 'failed_precondition',
    meaning: 'The agent cannot move to another host as it is.',
    metadata: { agentId: 'The agent.' },
  },
  CONVERSATION_NOT_CARRIED: {
    code: 'failed_precondition',
    meaning: "The CLI's conversation cannot be carried to another host.",
  },
  PACKAGE_REFUSED: {
    code: 'failed_precondition',
    meaning:
      'What a host sent of a moving agent is not what it announced, or would be written where it does not belong.',
  },
  PACKAGE_TOO_LARGE: {
    code: 'resource_exhausted',
    meaning: 'A moving agent has more work than is carried to another host.',
  },
  AGENT_GONE: { code: 'failed_precondition', meaning: 'The agent is gone, and nothing of it remains on the host.' },
  EVENT_NOT_POSSIBLE: {
    code: 'failed_precondition',
    meaning: "The agent's machine does not accept the event in its state.",
  },
  STALE_VERSION: { code: 'aborted', meaning: 'The agent changed meanwhile: read it again, then decide again.' },
  NAME_TAKEN: {
    code: 'already_exists',
    meaning: 'The name is taken.',
    metadata: { name: 'The name.', holderId: 'Who has it.' },
  },
  AGENT_CEILING_REACHED: {
    code: 'resource_exhausted',
    meaning: 'There is no room for another agent: do not retry, tell the person.',
  },
  ARCHIVE_FULL: {
    code: 'resource_exhausted',
    meaning: 'The archive has no room for more agents of this lineage.',
    metadata: { limit: 'How many it may hold.' },
  },
  LAUNCH_RATE_EXCEEDED: {
    code: 'resource_exhausted',
    meaning: 'This lineage launched too many agents within a minute.',
    metadata: { limitPerMinute: 'How many it may launch.' },
  },
  PARENT_NOT_ELIGIBLE: { code: 'failed_precondition', meaning: 'The parent cannot have this child in its state.' },
  PARENT_NOT_LIVE: { code: 'failed_precondition', meaning: "The agent's parent is archived or gone." },
  LAUNCH_FAILED: { code: 'failed_precondition', meaning: 'The launch failed; the message says at which step and why.' },
  LAUNCH_ENDED: { code: 'aborted', meaning: 'The launch ended before the briefing was typed.' },
  CHANGE_FAILED: {
    code: 'failed_precondition',
    meaning: 'The change to the agent was started and failed; the message says why.',
  },
  WORK_WOULD_BE_LOST: { code: 'failed_precondition', meaning: 'The worktree has work that would be lost.' },
  HOST_STILL_HEARD: {
    code: 'failed_precondition',
    meaning: "The agent's host still sends beats, so the agent cannot be abandoned.",
  },
  BRIEFING_NOT_TAKEN: { code: 'failed_precondition', meaning: 'The CLI did not accept its briefing.' },
  PANE_STILL_LIVES: { code: 'unavailable', meaning: 'A pane that seemed to have ended is still running.' },
  HARNESS_UNAVAILABLE: {
    code: 'failed_precondition',
    meaning: 'No eligible host can run the harness, or no harness is named.',
  },
  ISOLATION_UNAVAILABLE: {
    code: 'failed_precondition',
    meaning: 'The host cannot isolate the agent as required; the message says what is missing.',
  },
  ISOLATION_UNSAFE: {
    code: 'failed_precondition',
    meaning: 'Isolating the agent would not hold; the message says what it could reach, or where a link leads.',
  },
  HARNESS_NOT_FOUND: { code: 'not_found', meaning: 'There is no harness of that name.' },
  HARNESS_EXISTS: { code: 'already_exists', meaning: 'A harness of that name already exists.' },
  RULES_KEY_INVALID: {
    code: 'invalid_argument',
    meaning: 'The file does not contain an Ed25519 key for signing rules.',
  },
  RULES_BUNDLE_INVALID: {
    code: 'invalid_argument',
    meaning: 'The file is not a bundle of rules, or its rules are invalid.',
  },
  RULES_NOT_TRUSTED: {
    code: 'failed_precondition',
    meaning: 'The bundle has no valid signature by a key that a person trusts.',
  },
  RULES_OUTDATED: {
    code: 'failed_precondition',
    meaning: 'The bundle is older than the installed or built-in rules, or comes from another publisher.',
  },
  RULES_NOT_INSTALLED: { code: 'not_found', meaning: 'No bundle of rules is installed, or the key is not trusted.' },
  HARNESS_FILE_NOT_FOUND: { code: 'not_found', meaning: 'No rules file has a launch part for the harness.' },
  LAUNCH_NOT_CONFIRMED: { code: 'failed_precondition', meaning: 'No person has confirmed what the harness launches.' },
  LAUNCH_FILE_CHANGED: {
    code: 'failed_precondition',
    meaning: 'What the harness launches has changed since it was shown.',
  },
  COMMAND_NOT_FOUND: { code: 'failed_precondition', meaning: "The harness's command is not on the host's PATH." },
  FLAGS_UNREADABLE: { code: 'failed_precondition', meaning: 'The launch flags cannot be split into words.' },
  SCRIPT_FAILED: { code: 'failed_precondition', meaning: 'A script of the workflow failed, or could not be started.' },
  WINDOW_NOT_OPENED: { code: 'unavailable', meaning: 'No window could be opened for the agent.' },
  WINDOW_SCROLLED: { code: 'failed_precondition', meaning: 'Nothing was typed: a person is scrolling in the window.' },
  AGENT_WAITS: { code: 'failed_precondition', meaning: "Nothing was typed: the agent waits for a person's answer." },
  AGENT_AT_WORK: {
    code: 'failed_precondition',
    meaning: 'Nothing was typed: the agent is working, and its CLI does not queue prompts.',
  },
  DRAFT_IN_COMPOSER: {
    code: 'failed_precondition',
    meaning: 'Nothing was typed: the composer holds unsent text.',
  },
  CLI_ENDED: { code: 'failed_precondition', meaning: 'Nothing was typed: the CLI has ended.' },
  SCREEN_UNCLEAR: {
    code: 'failed_precondition',
    meaning: 'Nothing was typed: the screen does not show that the CLI is ready.',
  },
  AGENT_NOT_RUNNING: {
    code: 'failed_precondition',
    meaning: 'Nothing was typed: the agent is not running.',
  },
  DOORBELL_CLAIMED: { code: 'failed_precondition', meaning: 'The doorbell is already claimed, so it no longer rings.' },
  DOORBELL_NOT_TAKEN: { code: 'failed_precondition', meaning: "The CLI did not accept the doorbell's line." },
  NOTHING_TO_ANSWER: { code: 'failed_precondition', meaning: 'Nothing was typed: the agent asks no question.' },
  NO_TURN: {
    code: 'failed_precondition',
    meaning: 'Nothing was typed: the agent has no turn to interrupt.',
  },
  SCREEN_CHANGED: {
    code: 'aborted',
    meaning: 'The screen has changed since the answer was given.',
    metadata: { screenDigest: 'The digest of the current screen.' },
  },
  TYPING_UNCONFIRMED: {
    code: 'aborted',
    meaning: 'Something was typed without the expected effect: check before you try again.',
  },
  TYPING_TIMED_OUT: {
    code: 'deadline_exceeded',
    meaning: 'Part of it may have been typed before time ran out: check before you try again.',
  },
  TYPING_INTERRUPTED: {
    code: 'aborted',
    meaning: 'Part of it may have been typed before it was refused: check before you try again.',
  },
  TYPING_TOO_LATE: { code: 'unavailable', meaning: 'Nothing more was typed, because its time ran out.' },
  CLI_ENDED_MEANWHILE: { code: 'aborted', meaning: 'The CLI ended during the typing.' },
  MAIL_NOT_FOUND: { code: 'not_found', meaning: 'The caller has no such mail.' },
  MAILBOX_CLOSED: { code: 'failed_precondition', meaning: 'The agent accepts no mail at the moment.' },
  MAIL_LIMIT_REACHED: {
    code: 'resource_exhausted',
    meaning: 'The mail was not sent: this chain or sender has reached its limit.',
  },
  DOORBELL_OF_OTHER_AGENT: { code: 'failed_precondition', meaning: 'The doorbell belongs to another agent.' },
  PANE_NOT_FOUND: { code: 'not_found', meaning: 'There is no such pane.' },
  TRANSITION_NOT_FOUND: { code: 'not_found', meaning: 'No such transition is on record.' },
  MACHINE_NOT_FOUND: {
    code: 'not_found',
    meaning: 'There is no machine of that name.',
    metadata: { machine: 'The name.' },
  },
  SUBJECT_NOT_FOUND: {
    code: 'not_found',
    meaning: 'The machine has no instance of that id.',
    metadata: { machine: 'The machine.', subjectId: 'The id.' },
  },
  RESOURCE_NOT_FOUND: {
    code: 'not_found',
    meaning: 'Nothing has that resource address.',
    metadata: { uri: 'The address.' },
  },
} as const satisfies Readonly<Record<string, ReasonMeaning>>;
