import { z } from 'zod';
import { harnessVersionPattern } from '#contract/pane/harness-version.ts';
import { maxPackageBytes } from './move-calls.ts';

/** A host and a port that an isolated agent asked for. */
export const destinationForm = /^[\w.:[\]-]{1,260}:[0-9]{1,5}$/;

/**
 * The maximum length of a text from a host, in characters: an agent's row contains some, and must fit into an answer.
 */
const max = 64 * 1024;
const Line = z.string().max(max);
/** A text for people, cut to the maximum length. */
const Text = z.string().transform((text) => text.slice(0, max));

/** How something failed, and its output. */
const Account = z.object({ summary: Text, output: Text });

/** A time in milliseconds since 1970 that a calendar has. */
const Time = z.number().min(0).max(8.64e15);

const Reading = z.object({
  state: z.enum(['AGENT_STATE_IDLE', 'AGENT_STATE_THINKING', 'AGENT_STATE_WAITING', 'AGENT_STATE_UNCERTAIN']),
  reason: Text,
  asked: Text.optional(),
  drafted: z.boolean().exactOptional(),
  asksUnseen: z.boolean().exactOptional(),
  stuck: z.boolean().exactOptional(),
  exited: z.boolean().exactOptional(),
  limit: z
    .object({
      kind: z.enum(['usage', 'credential']),
      until: z.int().min(0).max(8.64e15).exactOptional(),
      continues: z.literal(true).exactOptional(),
    })
    .exactOptional(),
});

const Ending = z.object({
  kind: z.enum(['exited', 'killed', 'shell', 'window-closed', 'terminal-lost', 'rebooted', 'limit']),
  status: z.int().exactOptional(),
  signal: z.string().max(40).exactOptional(),
  exceeded: z.string().max(100).exactOptional(),
});

const Worktree = z.object({
  repository: Line,
  path: Line,
  branch: Line,
  baseSha: Line,
  copied: z.array(Line).max(1_000),
});

/**
 * The events that a host may send to its agent's machine: results of effects, and observations. All other events come
 * from calls and deadlines, and only the registry creates them.
 */
export const HostEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('WORKTREE_READY'), worktree: Worktree }),
  z.object({ type: z.literal('SETUP_DONE') }),
  z.object({
    type: z.literal('WINDOW_OPENED'),
    paneId: Line,
    sessionId: Line.exactOptional(),
    harnessVersion: z.string().regex(harnessVersionPattern).exactOptional(),
    versionPending: z.literal(true).exactOptional(),
    boot: z.string().max(100).exactOptional(),
  }),
  z.object({
    type: z.literal('VERSION_READ'),
    paneId: Line,
    harnessVersion: z.string().regex(harnessVersionPattern),
  }),
  z.object({
    type: z.literal('CONNECTION_REFUSED'),
    destination: z.string().regex(destinationForm),
  }),
  z.object({
    type: z.literal('PACKED'),
    package: z.object({
      bytes: z.int().min(1).max(maxPackageBytes),
      digest: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  }),
  z.object({ type: z.literal('UNPACKED'), worktree: Worktree.exactOptional() }),
  z.object({ type: z.literal('BRIEFED'), reading: Reading }),
  z.object({ type: z.literal('WORKTREE_INSPECTED') }),
  z.object({ type: z.literal('PANE_CLOSED') }),
  z.object({ type: z.literal('TEARDOWN_DONE') }),
  z.object({ type: z.literal('UNSTOPPED'), reason: Text }),
  z.object({ type: z.literal('RESUMED'), outcome: z.enum(['continued', 'left', 'failed', 'looked']), why: Text }),
  z.object({ type: z.literal('WORKTREE_REMOVED'), kept: Line.exactOptional() }),
  z.object({
    type: z.literal('STEP_FAILED'),
    step: z.enum([
      'provisioning',
      'preparing',
      'opening',
      'briefing',
      'inspecting',
      'closing',
      'tearing down',
      'removing',
      'packing',
      'unpacking',
    ]),
    reason: Text,
    account: Account.exactOptional(),
  }),
  z.object({ type: z.literal('READING'), reading: Reading }),
  z.object({ type: z.literal('PROMPTED'), reading: Reading }),
  z.object({
    type: z.literal('REPORTED'),
    report: z.object({ reason: Text, at: Time }),
  }),
  z.object({
    type: z.literal('CHECKOUT_READ'),
    checkout: z.object({
      branch: Line.exactOptional(),
      headSha: Line.exactOptional(),
      repositoryUrl: Line.exactOptional(),
      sequenceInProgress: z.boolean().exactOptional(),
      diff: z
        .object({ files: z.int32().min(1), additions: z.int32().min(0), deletions: z.int32().min(0) })
        .exactOptional(),
    }),
    worktreeGone: z.boolean(),
  }),
  z.object({ type: z.literal('DOUBTED'), reason: Text }),
  z.object({
    type: z.literal('PANE_GONE'),
    reason: Text,
    briefed: z.boolean(),
    account: Account.exactOptional(),
    at: Time.exactOptional(),
    lost: z.boolean().exactOptional(),
    ending: Ending.exactOptional(),
  }),
]);
export type HostEvent = z.infer<typeof HostEvent>;

/** The types of events that a host may send. */
export const hostEventTypes: readonly string[] = HostEvent.options.map(({ shape }) => shape.type.value);
