import { Failure } from '#contract/failure.ts';
import type { Sighting } from '#contract/pane/sighting.ts';
import type { AgentCommit, AgentRecord } from '#contract/wire/agent-record.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { type Decision, decide } from '#machines/decide.ts';

/** Storage of agents' snapshots: the registry's store, or for a host the registry over the bus. */
export interface Journal {
  /** The current record. @throws NOT_FOUND when there is no such agent */
  load(agentId: string): Promise<AgentRecord>;
  /**
   * Saves a decision atomically and returns the resulting record.
   * @throws ABORTED when another commit came first; FAILED_PRECONDITION when the agent was placed again
   */
  commit(change: AgentCommit): Promise<AgentRecord>;
}

/** The result of an event. */
export interface Advance {
  readonly record: AgentRecord;
  /** Whether the event was possible in the agent's state. */
  readonly accepted: boolean;
}

/**
 * The one loop: event → the machine decides → commit. If another commit came first, the event is decided again on the
 * newer record. `done` holds the keys of the effects that the event completes. If none of them is pending, the event is
 * outdated and changes nothing. If the event is not possible in the agent's state, they are completed anyway.
 */
export async function advance(
  journal: Journal,
  start: AgentRecord,
  event: AgentEvent,
  done: readonly string[] = [],
): Promise<Advance> {
  return commitOver(recordsOf(journal), start, (record) => {
    const pending = pendingOf(record, done);
    const isOld = done.length > 0 && pending.length === 0;
    const decision = isOld ? undefined : decide(agentDefinition, record.snapshot, event);
    return decision || pending.length > 0 ? commitOf(record, decision, pending, event) : undefined;
  });
}

/** Completes effects that have no result to report. */
export async function finish(journal: Journal, start: AgentRecord, done: readonly string[]): Promise<AgentRecord> {
  const { record } = await commitOver(recordsOf(journal), start, (current) => {
    const pending = pendingOf(current, done);
    return pending.length > 0 ? commitOf(current, undefined, pending) : undefined;
  });
  return record;
}

/** Reads a record again, and saves a change of it atomically. */
interface Records<Record, Change> {
  reload(record: Record): Promise<Record>;
  /** @throws ABORTED when another commit came first */
  commit(change: Change): Promise<Record>;
}

/**
 * Commits what `propose` returns for a record. If another commit came first, reads the record and proposes again. If it
 * proposes undefined, nothing is committed. All machines are committed through here.
 */
export async function commitOver<Record, Change>(
  records: Records<Record, Change>,
  start: Record,
  propose: (record: Record) => Change | undefined | Promise<Change | undefined>,
): Promise<{ readonly record: Record; readonly accepted: boolean }> {
  let record = start;
  for (;;) {
    const change = await propose(record);
    if (!change) return { record, accepted: false };
    try {
      return { record: await records.commit(change), accepted: true };
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'aborted') throw error;
      record = await records.reload(record);
    }
  }
}

function recordsOf(journal: Journal): Records<AgentRecord, AgentCommit> {
  return { reload: ({ id }) => journal.load(id), commit: (change) => journal.commit(change) };
}

function pendingOf(record: AgentRecord, done: readonly string[]): string[] {
  return record.effects.map(({ key }) => key).filter((key) => done.includes(key));
}

/** Splits an event from the observation of the pane that it carries. */
function parted(event: AgentEvent | undefined): { plain?: { type: string }; sighting?: Sighting | undefined } {
  if (event === undefined) return {};
  const { sighting, ...plain } = { sighting: undefined, ...event };
  return { plain, sighting };
}

/** The commit of a decision on a record. Without a decision, only the effects in `done` are completed. */
export function commitOf(
  record: AgentRecord,
  decision: Decision | undefined,
  done: readonly string[],
  event?: AgentEvent,
): AgentCommit {
  const { plain, sighting } = parted(event);
  const changesState = decision?.facts.some(({ kind }) => kind === 'agent.state-moved') ?? false;
  const ended = decision?.cancels ? record.effects.map(({ key }) => key) : done;
  return {
    agentId: record.id,
    epoch: record.epoch,
    version: record.version,
    snapshot: decision?.snapshot ?? record.snapshot,
    effects: decision?.effects.map(({ kind, params }) => ({ kind, params: { ...params } })) ?? [],
    done: [...ended],
    facts: decision?.facts.map(({ kind, detail }) => ({ kind, detail: { ...detail } })) ?? [],
    deadlines: { ...decision?.deadlines },
    ...(plain && decision ? { event: plain } : {}),
    ...(sighting && changesState ? { sighting } : {}),
  };
}
