import type { ReasonMeaning } from './reason-meaning.ts';

/** Why something cannot be done with a workflow, a schedule, a run, a forge or notifications. */
export const fleetReasons = {
  WORKFLOW_NOT_FOUND: {
    code: 'not_found',
    meaning: 'There is no such workflow.',
    metadata: { workflowId: 'The id or name that was asked for.' },
  },
  WORKFLOW_IN_USE: {
    code: 'failed_precondition',
    meaning: 'The workflow still has agents, archived ones included.',
  },
  PROFILE_NOT_FOUND: {
    code: 'not_found',
    meaning: 'There is no such profile.',
    metadata: { profileId: 'The id or name that was asked for.' },
  },
  PROFILE_IN_USE: {
    code: 'failed_precondition',
    meaning: 'A workflow still names the profile, or an agent has it.',
  },
  SECRET_UNAVAILABLE: {
    code: 'failed_precondition',
    meaning: 'A secret of the agent’s profile cannot be read or handed over on its host.',
  },
  PROFILE_UNFIT: {
    code: 'failed_precondition',
    meaning: 'The profile has something that the agent’s CLI cannot be given.',
  },
  NOTHING_TO_TRY: {
    code: 'failed_precondition',
    meaning: 'The workflow has no setup script, or its agents get no worktree in which it would run.',
  },
  TRIAL_NOT_FOUND: {
    code: 'not_found',
    meaning: 'The host has no such trial of a setup script: it ended long ago, or the host was restarted.',
  },
  TRIAL_LIMIT_REACHED: { code: 'resource_exhausted', meaning: 'The host has reached its limit of concurrent trials.' },
  BUDGET_SPENT: {
    code: 'resource_exhausted',
    meaning:
      'A budget is used up: nothing is launched or typed until a person continues or raises it, or its day ends.',
    metadata: { ownerId: 'Whose budget: the id of an agent, a workflow or a schedule.' },
  },
  BUDGET_OWNER_NOT_FOUND: {
    code: 'not_found',
    meaning: 'There is no agent, workflow or schedule with the id, so it has no budget.',
    metadata: { ownerId: 'The id that was asked for.' },
  },
  NO_BUDGET: {
    code: 'not_found',
    meaning: 'The agent, workflow or schedule has no budget.',
    metadata: { ownerId: 'The id that was asked for.' },
  },
  SCHEDULE_NOT_FOUND: {
    code: 'not_found',
    meaning: 'There is no such schedule.',
    metadata: { scheduleId: 'The id or name that was asked for.' },
  },
  SCHEDULE_RUN_NOT_FOUND: {
    code: 'not_found',
    meaning: 'No such run of a schedule is on record.',
    metadata: { runId: 'The id.' },
  },
  WRONG_SCHEDULE_RUN_STATE: {
    code: 'failed_precondition',
    meaning: "The run's state does not allow it.",
    metadata: { runId: 'The run.', state: 'Its state, as `ScheduleRunState` names it.' },
  },
  LEASE_LOST: { code: 'aborted', meaning: 'The run was cancelled or leased to another worker.' },
  RUN_NOT_FOUND: { code: 'not_found', meaning: 'There is no such run of a script.', metadata: { runId: 'The id.' } },
  RUN_NOT_FAILED: { code: 'failed_precondition', meaning: 'The run did not fail, so there is nothing to acknowledge.' },
  FORGE_CONNECTION_NOT_FOUND: {
    code: 'not_found',
    meaning: 'There is no such forge connection.',
    metadata: { connectionId: 'The id or host that was asked for.' },
  },
  FORGE_CONNECTION_EXISTS: {
    code: 'already_exists',
    meaning: "The forge's host already has a connection.",
    metadata: { connectionId: 'The existing connection.' },
  },
  FORGE_NOT_CONNECTED: {
    code: 'failed_precondition',
    meaning: 'No forge is connected for that host.',
    metadata: { host: 'The host.' },
  },
  FORGE_REFUSED: { code: 'failed_precondition', meaning: 'The forge refuses the address or the credential.' },
  FORGE_CREDENTIAL_UNREADABLE: { code: 'failed_precondition', meaning: "The forge's credential cannot be read." },
  FORGE_ANSWER_NOT_FOUND: {
    code: 'not_found',
    meaning: 'The forge has no such repository, or the credential cannot see it.',
  },
  FORGE_CURSOR_INVALID: { code: 'invalid_argument', meaning: 'The forge does not know the cursor.' },
  FORGE_UNAVAILABLE: {
    code: 'unavailable',
    meaning: 'The forge cannot be reached, or its answer cannot be read.',
  },
  FORGE_RATE_LIMITED: { code: 'unavailable', meaning: 'The forge’s rate limit is reached: wait.' },
  FORGE_TIMED_OUT: { code: 'deadline_exceeded', meaning: 'The forge did not answer in time.' },
  REPOSITORY_NOT_FOUND: {
    code: 'not_found',
    meaning: 'There is no such repository, or no person has confirmed it for the workflow.',
  },
  REPOSITORY_LIMIT_REACHED: {
    code: 'failed_precondition',
    meaning: 'The workflow has reached its limit of repositories.',
  },
  NOTIFICATION_NOT_SET: { code: 'failed_precondition', meaning: 'Neither a webhook nor a command is set.' },
} as const satisfies Readonly<Record<string, ReasonMeaning>>;
