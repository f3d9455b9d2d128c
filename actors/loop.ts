import { Failure } from '#contract/failure.ts';
import type { Sighting } from '#contract/pane/sighting.ts';
import type { AgentCommit, AgentRecord } from '#contract/wire/agent-record.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { agentDefinition } from '#machines/agent/agent-view.ts';
import { type Decision, decide } from '#machines/decide.ts';

/** Where agents' snapshots are saved. The registry's journal is its store; a host's is the registry, over the bus. */
export interface Journal {
  /** The record as it is. Throws `not_found`. */
  load(agentId: string): Promise<AgentRecord>;
  /**
   * Saves a decision, all of it or nothing, and returns the resulting record. @throws ABORTED when
   * the record has moved since the decision, FAILED_PRECONDITION if the agent was placed again.
   */
  commit(change: AgentCommit): Promise<AgentRecord>;
}

/** What happened to an event. */
export interface Advance {
  readonly record: AgentRecord;
  /** Whether the event made sense in the state that the agent was in. */
  readonly accepted: boolean;
}

/**
 * The one loop: event → the machine decides → commit. If somebody else committed first, the event is decided again on
 * what they left. `done` are keys of effects that the event ends: if none of them is pending any more the event is
 * old news and changes nothing; if the event makes no sense they are ended anyway.
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

/** Ends effects that have no result to report. */
export async function finish(journal: Journal, start: AgentRecord, done: readonly string[]): Promise<AgentRecord> {
  const { record } = await commitOver(recordsOf(journal), start, (current) => {
    const pending = pendingOf(current, done);
    return pending.length > 0 ? commitOf(current, undefined, pending) : undefined;
  });
  return record;
}

/** How a record is read again, and how a change of it is written: all of it or nothing. */
interface Records<Record, Change> {
  reload(record: Record): Promise<Record>;
  /** @throws ABORTED when the record has moved since the decision. */
  commit(change: Change): Promise<Record>;
}

/**
 * Commits what `propose` makes of the record, again and again until nobody else was faster; undefined proposes nothing.
 * Whatever has a machine is committed through here.
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

/** An event without what was seen of the pane, and that. */
function parted(event: AgentEvent | undefined): { plain?: { type: string }; sighting?: Sighting | undefined } {
  if (event === undefined) return {};
  const { sighting, ...plain } = { sighting: undefined, ...event };
  return { plain, sighting };
}

/** What is written of a decision on a record; without one only the effects that are `done` end. */
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
