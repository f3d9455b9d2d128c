import { z } from 'zod';
import { Check } from '#contract/host/check.ts';
import { Key } from '#contract/key.ts';
import { PaneInput } from '#contract/pane/pane.ts';
import { ScreenRule } from '#contract/pane/screen-rule.ts';
import { ScreenTail } from '#contract/pane/sighting.ts';
import { familyPattern, windowIdPattern } from '#contract/pane/window.ts';
import { outputKept, RunScript } from '#contract/run-log.ts';
import { AgentCommit, AgentRecord } from './agent-record.ts';
import { approvalCalls } from './approval-calls.ts';
import { Departure } from './departure.ts';
import { HostFigures } from './figures.ts';
import { HostCondition } from './host-condition.ts';
import { Certificates } from './host-joining.ts';
import { HostProfile } from './host-profile.ts';
import { LeftBehind } from './left-behind.ts';
import { moveCalls } from './move-calls.ts';
import { reviewCalls } from './review-calls.ts';
import { roomCalls } from './room-calls.ts';
import { trialCalls } from './trial-calls.ts';

/** The digests of rules files' launch parts that people confirmed for one host, by harness. */
const Confirmed = z.record(z.string(), z.string()).default({});

/** The harnesses that a host can run. Limited, because one answer with all hosts must hold them. */
const HarnessNames = z.array(z.string().max(64)).max(500);

/** The calls of a host to the registry, over its line at `registry.from.<hostId>.<verb>`. */
export const registryCalls = {
  /** Reports that a host is online, every 5 s. */
  beat: {
    verb: 'beat',
    request: z.object({
      hostId: z.string(),
      name: z.string().max(255),
      harnesses: HarnessNames,
      /** Those of them that are not built in and whose CLI is a coding agent, according to the host's rules files. */
      codingHarnesses: HarnessNames.optional(),
      /** Stored with the host; causes no transition. Older hosts omit it, and an invalid one is ignored. */
      condition: HostCondition.optional().catch(undefined),
      /** Families of this installation whose terminals run on the host but which the database does not have. */
      foundTerminals: z.array(z.string().regex(familyPattern)).max(1_000).optional().catch(undefined),
      /** The host's counters since it started. */
      figures: HostFigures.optional().catch(undefined),
    }),
    response: z.object({
      confirmed: Confirmed,
      registryNow: z.number().optional(),
      /** How long the host waits until its next beat, in milliseconds. Older registries omit it. */
      nextMs: z.number().min(1_000).max(600_000).optional(),
    }),
  },
  /**
   * The agents of a host whose record changed after the cursor; `out_of_range` if the cursor is of another log. The
   * cursor "" requests all current agents; archived ones only while they have something to do. `more`: the answer had
   * no room for all, so the host asks again at once.
   */
  changes: {
    verb: 'changes',
    request: z.object({ hostId: z.string(), cursor: z.string() }),
    response: z.object({
      agents: z.array(AgentRecord),
      cursor: z.string(),
      more: z.boolean(),
      /** Agents that this host no longer has, until it has reported what it did with what they left. */
      departures: z.array(Departure).default([]),
    }),
  },
  /**
   * Which of these families have an agent left, archived or not, and of which all agents are gone; also the mark of
   * this installation's terminals, and what a person has confirmed for the host.
   */
  families: {
    verb: 'families',
    request: z.object({ families: z.array(z.string()) }),
    response: z.object({
      installation: z.string(),
      left: z.array(z.string()),
      gone: z.array(z.string()).default([]),
      confirmed: Confirmed,
    }),
  },
  /** One agent's record. `acts`: the host asks before it types on its own initiative. */
  load: {
    verb: 'load',
    request: z.object({ agentId: z.string(), acts: z.boolean().optional() }),
    response: AgentRecord,
  },
  /** Commits a decision. `aborted` if the version has changed, `failed_precondition` if the epoch is old. */
  commit: {
    verb: 'commit',
    request: AgentCommit,
    response: AgentRecord,
  },
  /**
   * A piece of the package of an agent that moves to this host, as Base64, which may be shorter than asked; empty at its
   * end. `failed_precondition` if the agent does not move to this host, or no longer does.
   */
  piece: {
    verb: 'piece',
    request: z.object({ agentId: z.string(), epoch: z.int(), offset: z.int().min(0) }),
    response: z.object({ data: z.string() }),
  },
  /** Reports that what an agent left on this host was dealt with, and what of it is still there. */
  departed: {
    verb: 'departed',
    request: z.object({ id: z.string(), remains: z.array(z.string().max(8_192)).max(20) }),
    response: z.object({}),
  },
  /**
   * Reports the run of a workflow's script for an effect: its start (without `output`), its output so far, and how it
   * ended.
   */
  run: {
    verb: 'run',
    request: z.object({
      agentId: z.string(),
      epoch: z.int(),
      effect: z.string(),
      script: RunScript,
      output: z.object({ output: z.string().max(outputKept), cut: z.boolean() }).optional(),
      end: z.object({ failed: z.boolean(), reason: z.string().max(8_192) }).optional(),
    }),
    response: z.object({}),
  },
  /** Reports that the host has typed a doorbell's line. `failed_precondition` if the epoch is old. */
  rung: {
    verb: 'rung',
    request: z.object({ agentId: z.string(), epoch: z.int(), bellId: z.string() }),
    response: AgentRecord,
  },
  /** Reports that the base of an agent's worktree has moved. Answers whether to keep watching it. */
  baseMoved: {
    verb: 'base-moved',
    request: z.object({ agentId: z.string() }),
    response: z.object({ isWatched: z.boolean() }),
  },
  /**
   * Requests a permit for what the registry has asked this host to do, right before it is done. Answers with the
   * current agent, and for how many milliseconds the permit is valid.
   */
  permit: {
    verb: 'permit',
    request: z.object({ ticket: z.string() }),
    response: z.object({ record: AgentRecord, leftMs: z.int() }),
  },
  /**
   * New certificates for the keys that the host joined with, which the registry has: none is named. `failed_precondition`
   * for a host that did not join by an invitation.
   */
  renew: {
    verb: 'renew',
    request: z.object({}),
    response: Certificates,
  },
  /**
   * The profile of an agent, for a window that is about to be opened or a script; none if it has none. The values of
   * secrets that muster stores are in it, unencrypted but for the session's own sealing.
   */
  profile: {
    verb: 'profile',
    request: z.object({ agentId: z.string(), epoch: z.int() }),
    response: z.object({ profile: HostProfile.optional() }),
  },
  /**
   * A new, unencrypted token of the agent: for a window that is about to be opened, which revokes all earlier ones, or
   * for a script. There is none for an agent that has ended, nor for a script of one whose tokens a person has revoked.
   */
  token: {
    verb: 'token',
    request: z.object({ agentId: z.string(), epoch: z.int(), purpose: z.enum(['window', 'script']) }),
    response: z.object({ token: z.string().optional() }),
  },
} as const;

/** What a pane showed, and what was read from it. */
const Seen = z.object({
  /** When it was read, in milliseconds since 1970. */
  at: z.int(),
  screen: ScreenTail,
  screenDigest: z.string(),
  reading: z.object({
    state: ScreenRule.shape.state,
    rule: z.string(),
    evidence: z.array(z.string()),
    answer: z.enum(['line', 'secret']).optional(),
    reason: z.string(),
    detail: z.string(),
  }),
});

/** The calls of the registry to a host, over the bus at `host.<hostId>.<verb>`. */
export const hostCalls = {
  ...approvalCalls,
  ...moveCalls,
  ...reviewCalls,
  ...trialCalls,
  ...roomCalls,
  /** Where an agent's window is. Only names, because muster never runs anything from a host's answer. */
  attach: {
    verb: 'attach',
    request: z.object({ agentId: z.string() }),
    response: z.object({ family: z.string().regex(familyPattern), windowId: z.string().regex(windowIdPattern) }),
  },
  /** What an agent's pane shows now, what was read from it by which rules, and the rules that did not decide. */
  look: {
    verb: 'look',
    request: z.object({ agentId: z.string() }),
    response: Seen.extend({
      lost: z.array(z.object({ rule: z.string(), why: z.string() })),
      /** The state of the pane, if other evidence than its screen decided it, and why. */
      verdict: z.object({ state: ScreenRule.shape.state, reason: z.string(), why: z.string() }).optional(),
      rules: z.object({
        harness: z.string(),
        version: z.string(),
        file: z.string().optional(),
        faults: z.array(z.object({ line: z.int(), reason: z.string() })).optional(),
        instead: z.string().optional(),
        recordedWith: z.string().optional(),
      }),
    }),
  },
  /**
   * What an agent's pane shows, if the screen differs from the cursor's. For half a minute after each call the host
   * announces on the bus whenever the pane changes.
   */
  watch: {
    verb: 'watch',
    request: z.object({ agentId: z.string(), cursor: z.string() }),
    response: z.object({ cursor: z.string(), seen: Seen.optional() }),
  },
  /** Types into the pane of an agent that a person holds. The host requests its permit with `ticket`, as below. */
  type: {
    verb: 'type',
    request: z.object({ ticket: z.string(), agentId: z.string(), inputs: z.array(PaneInput) }),
    response: z.object({}),
  },
  /** Types a prompt into an agent's pane, submits it and checks that the CLI accepted it. */
  prompt: {
    verb: 'prompt',
    request: z.object({ ticket: z.string(), agentId: z.string(), text: z.string() }),
    response: z.object({}),
  },
  /** Interrupts an agent's current turn. */
  interrupt: {
    verb: 'interrupt',
    request: z.object({ ticket: z.string(), agentId: z.string() }),
    response: z.object({}),
  },
  /** Answers the question on an agent's screen. Returns the resulting screen. */
  answer: {
    verb: 'answer',
    request: z.object({
      ticket: z.string(),
      agentId: z.string(),
      screenDigest: z.string(),
      text: z.string(),
      keys: z.array(Key),
      /** The question that a rule answers: nothing is typed at any other one. */
      questionDigest: z.string().optional(),
    }),
    response: z.object({ screenDigest: z.string().default(''), sameQuestion: z.boolean().default(false) }),
  },
  /**
   * The launch parts of the host's rules files, read again, and whether they are confirmed: of one harness, or of as
   * many as fit into one answer.
   */
  launches: {
    verb: 'launches',
    request: z.object({ harness: z.string().optional() }),
    response: z.object({
      launches: z.array(
        z.object({
          harness: z.string(),
          path: z.string(),
          launch: z.string(),
          digest: z.string(),
          confirmed: z.boolean(),
        }),
      ),
    }),
  },
  /** The checks of the host's computer, and its clock in milliseconds since 1970. */
  examine: {
    verb: 'examine',
    request: z.object({}),
    response: z.object({ checks: z.array(Check), now: z.int() }),
  },
  /**
   * Resolves a person's path: expands `~`, follows links, and returns whether it is a directory, whether it is in a git
   * repository (perhaps a bare one), and the web addresses of the repository's remotes. `repository` is the git
   * directory that all its checkouts share; `stateFolder` is the host's own.
   */
  directory: {
    verb: 'directory',
    request: z.object({ path: z.string() }),
    response: z.object({
      path: z.string(),
      isDirectory: z.boolean(),
      isRepository: z.boolean(),
      repositories: z.array(z.string()).default([]),
      repository: z.string().optional(),
      stateFolder: z.string().optional(),
    }),
  },
  /** Lists the directories whose path begins with the given one. */
  directories: {
    verb: 'directories',
    request: z.object({ path: z.string() }),
    response: z.object({
      directories: z.array(z.object({ path: z.string(), repository: z.boolean() })).max(50),
      more: z.boolean(),
    }),
  },
  /** Reads the newest records of the logs on the host's computer. */
  logs: {
    verb: 'logs',
    request: z.object({ process: z.string(), count: z.int() }),
    response: z.object({ records: z.array(z.string()).max(200), processes: z.array(z.string()) }),
  },
  /** A text that an agent wrote, with each character of a secret masked that this host knows. */
  redact: {
    verb: 'redact',
    request: z.object({ text: z.string().max(100_000) }),
    response: z.object({ text: z.string() }),
  },
  /** What a worktree made from a directory will lack, with or without its changes; unset if it is not in a checkout. */
  leftBehind: {
    verb: 'left-behind',
    request: z.object({ path: z.string(), withChanges: z.boolean() }),
    response: z.object({ leftBehind: LeftBehind.optional() }),
  },
} as const;
