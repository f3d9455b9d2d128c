import { z } from 'zod';
import { Check } from '#contract/host/check.ts';
import { Key } from '#contract/key.ts';
import { PaneInput } from '#contract/pane/pane.ts';
import { ScreenRule } from '#contract/pane/screen-rule.ts';
import { ScreenTail } from '#contract/pane/sighting.ts';
import { familyPattern, windowIdPattern } from '#contract/pane/window.ts';
import { outputKept, RunScript } from '#contract/run-log.ts';
import { AgentCommit, AgentRecord } from './agent-record.ts';
import { HostFigures } from './figures.ts';
import { HostCondition } from './host-condition.ts';
import { LeftBehind } from './left-behind.ts';
import { reviewCalls } from './review-calls.ts';
import { trialCalls } from './trial-calls.ts';

/** Digests of what files of rules have launched, as people confirmed them for one host, by harness. */
const Confirmed = z.record(z.string(), z.string()).default({});

/** What a host says that it can run. All that it says is in lists of hosts, which one answer has to hold. */
const HarnessNames = z.array(z.string().max(64)).max(500);

/** What a host asks of the registry over its line, at `registry.from.<hostId>.<verb>`. */
export const registryCalls = {
  /** A host comes on line, or says that it is still there (every 5 s). */
  beat: {
    verb: 'beat',
    request: z.object({
      hostId: z.string(),
      name: z.string().max(255),
      harnesses: HarnessNames,
      /** Those of them that are not built in and that a coding agent is behind, as people's files on the host say. */
      codingHarnesses: HarnessNames.optional(),
      /**
       * It is kept with the host and moves nothing. Hosts of before leave it out, and one that cannot be read is left
       * out too.
       */
      condition: HostCondition.optional().catch(undefined),
      /** Terminals of this installation that run on it and that the database does not know, by the family. */
      foundTerminals: z.array(z.string().regex(familyPattern)).max(1_000).optional().catch(undefined),
      /** What it has counted since it was started. */
      figures: HostFigures.optional().catch(undefined),
    }),
    response: z.object({ confirmed: Confirmed, registryNow: z.number().optional() }),
  },
  /**
   * The agents placed on a host whose record moved after the cursor; `out_of_range` if that is of another log. Cursor
   * "" asks for all that are at work: archived ones only while something is still to be done for them. `more`: what the
   * answer had no room for is to be asked for at once.
   */
  changes: {
    verb: 'changes',
    request: z.object({ hostId: z.string(), cursor: z.string() }),
    response: z.object({ agents: z.array(AgentRecord), cursor: z.string(), more: z.boolean() }),
  },
  /**
   * Which of these families have an agent left, archived or not, and of which all agents are gone; what marks the
   * terminals of this installation, and what a person has confirmed for the host that asks.
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
  /** One agent's record. */
  load: {
    verb: 'load',
    request: z.object({ agentId: z.string() }),
    response: AgentRecord,
  },
  /** Writes a decision down. `aborted` if the version moved, `failed_precondition` if the epoch is old. */
  commit: {
    verb: 'commit',
    request: AgentCommit,
    response: AgentRecord,
  },
  /**
   * Reports the run of a workflow's script that an effect asked for: that it began (no `output`), what it wrote so far,
   * and how it ended.
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
  /** A host has typed the line that a doorbell asks for. `failed_precondition` if the epoch is old. */
  rung: {
    verb: 'rung',
    request: z.object({ agentId: z.string(), epoch: z.int(), bellId: z.string() }),
    response: AgentRecord,
  },
  /**
   * The base that an agent's worktree was measured against has moved. The answer: whether it is still to be watched.
   */
  baseMoved: {
    verb: 'base-moved',
    request: z.object({ agentId: z.string() }),
    response: z.object({ isWatched: z.boolean() }),
  },
  /**
   * Whether what the registry has asked this host to do is still wanted, asked right before anything is touched: the
   * agent as it stands, and for how many milliseconds from now on it may be done.
   */
  permit: {
    verb: 'permit',
    request: z.object({ ticket: z.string() }),
    response: z.object({ record: AgentRecord, leftMs: z.int() }),
  },
  /**
   * A new token of the agent's, in the clear, for a window that is about to be opened, which ends all those before, or
   * for a script. None is given to an agent that has ended, nor to a script of one whose tokens a person has ended.
   */
  token: {
    verb: 'token',
    request: z.object({ agentId: z.string(), epoch: z.int(), purpose: z.enum(['window', 'script']) }),
    response: z.object({ token: z.string().optional() }),
  },
} as const;

/** What a pane showed, and what it was read as. */
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

/** What the registry asks of a host over the bus, at `host.<hostId>.<verb>`. */
export const hostCalls = {
  ...reviewCalls,
  ...trialCalls,
  /** Where an agent's window is: names alone, for nothing that a host answers is ever run. */
  attach: {
    verb: 'attach',
    request: z.object({ agentId: z.string() }),
    response: z.object({ family: z.string().regex(familyPattern), windowId: z.string().regex(windowIdPattern) }),
  },
  /** What an agent's pane shows now, what it reads as by which rules, and the rules that lost. */
  look: {
    verb: 'look',
    request: z.object({ agentId: z.string() }),
    response: Seen.extend({
      lost: z.array(z.object({ rule: z.string(), why: z.string() })),
      /** What the pane came to when that is not what its screen alone says, and why. */
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
   * What an agent's pane shows, if that is another screen than the one of the cursor. For half a minute after it was
   * asked the host rings the bell of the pane whenever it writes.
   */
  watch: {
    verb: 'watch',
    request: z.object({ agentId: z.string(), cursor: z.string() }),
    response: z.object({ cursor: z.string(), seen: Seen.optional() }),
  },
  /** Types into the pane of an agent that a person holds. `ticket`: what its permit is asked for with, as below. */
  type: {
    verb: 'type',
    request: z.object({ ticket: z.string(), agentId: z.string(), inputs: z.array(PaneInput) }),
    response: z.object({}),
  },
  /** Types a prompt into an agent's pane and sees it taken. */
  prompt: {
    verb: 'prompt',
    request: z.object({ ticket: z.string(), agentId: z.string(), text: z.string() }),
    response: z.object({}),
  },
  /** Ends the turn that an agent is at. */
  interrupt: {
    verb: 'interrupt',
    request: z.object({ ticket: z.string(), agentId: z.string() }),
    response: z.object({}),
  },
  /** Answers the question on an agent's screen; says what it came to. */
  answer: {
    verb: 'answer',
    request: z.object({
      ticket: z.string(),
      agentId: z.string(),
      screenDigest: z.string(),
      text: z.string(),
      keys: z.array(Key),
    }),
    response: z.object({ screenDigest: z.string().default(''), sameQuestion: z.boolean().default(false) }),
  },
  /**
   * What the host's files of rules have launched, read again, once it has heard what is confirmed: of one harness, or
   * of as many as one answer holds.
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
  /** What the host found of its own machine, and its clock, in milliseconds since 1970. */
  examine: {
    verb: 'examine',
    request: z.object({}),
    response: z.object({ checks: z.array(Check), now: z.int() }),
  },
  /**
   * Resolves a directory of a person: expands `~`, follows it, and says whether it is one and in a git repository,
   * which may be a bare one, and the web addresses of the repositories that its remotes name. `repository` is what all
   * checkouts of that share, `stateFolder` if the host keeps what is its own.
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
  /** Lists the directories that begin as a path of a person does. */
  directories: {
    verb: 'directories',
    request: z.object({ path: z.string() }),
    response: z.object({
      directories: z.array(z.object({ path: z.string(), repository: z.boolean() })).max(50),
      more: z.boolean(),
    }),
  },
  /** Reads the newest records of the logs on its machine. */
  logs: {
    verb: 'logs',
    request: z.object({ process: z.string(), count: z.int() }),
    response: z.object({ records: z.array(z.string()).max(200), processes: z.array(z.string()) }),
  },
  /** What a worktree that is made from a directory, with its changes or not, will lack; nothing if it is in no checkout. */
  leftBehind: {
    verb: 'left-behind',
    request: z.object({ path: z.string(), withChanges: z.boolean() }),
    response: z.object({ leftBehind: LeftBehind.optional() }),
  },
} as const;
