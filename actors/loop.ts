import { Failure } from '#contract/failure.ts';
import type { Sighting } from '#contract/pane/sighting.ts';
import type { AgentCommit, AgentRecord } from '#contract/wire/agent-record.ts';
import type { AgentEvent } from '#machines/agent/agent-context.ts';
import { agentLife } from '#machines/agent/agent-view.ts';
import { type Decision, decide } from '#machines/decide.ts';

/** Where agents' lives are written down. The registry's journal is its store; a host's is the registry, over the bus. */
export interface Journal {
  /** The record as it stands. Throws `not_found`. */
  load(agentId: string): Promise<AgentRecord>;
  /**
   * Writes a decision down, all of it or nothing, and answers with the record that came of it. Throws `aborted` where
   * the record has moved since the decision, `failed_precondition` where the agent was placed anew.
   */
  commit(change: AgentCommit): Promise<AgentRecord>;
}

/** What became of an event. */
export interface Advance {
  readonly record: AgentRecord;
  /** Whether the event made sense in the state that the agent was in. */
  readonly accepted: boolean;
}

/**
 * The one loop: event → the machine decides → commit. Where somebody else committed first, the event is decided anew on
 * what they left. `done` are keys of effects that the event ends: where none of them is pending any more the event is
 * old news and changes nothing; where the event makes no sense they are ended all the same.
 */
export async function advance(
  journal: Journal,
  start: AgentRecord,
  event: AgentEvent,
  done: readonly string[] = [],
): Promise<Advance> {
  return commitOver(journal, start, (record) => {
    const held = heldOf(record, done);
    const isOld = done.length > 0 && held.length === 0;
    const decision = isOld ? undefined : decide(agentLife, record.snapshot, event);
    return decision || held.length > 0 ? commitOf(record, decision, held, event) : undefined;
  });
}

/** Ends effects that have no result to tell. */
export async function finish(journal: Journal, start: AgentRecord, done: readonly string[]): Promise<AgentRecord> {
  const { record } = await commitOver(journal, start, (current) => {
    const held = heldOf(current, done);
    return held.length > 0 ? commitOf(current, undefined, held) : undefined;
  });
  return record;
}

/** Commits what `propose` makes of the record, again and again until nobody else was faster; undefined proposes nothing. */
async function commitOver(
  journal: Journal,
  start: AgentRecord,
  propose: (record: AgentRecord) => AgentCommit | undefined,
): Promise<Advance> {
  let record = start;
  for (;;) {
    const change = propose(record);
    if (!change) return { record, accepted: false };
    try {
      return { record: await journal.commit(change), accepted: true };
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'aborted') throw error;
      record = await journal.load(record.id);
    }
  }
}

function heldOf(record: AgentRecord, done: readonly string[]): string[] {
  return record.effects.map(({ key }) => key).filter((key) => done.includes(key));
}

/** An event without what was seen of the pane, and that. */
function parted(event: AgentEvent | undefined): { told?: { type: string }; sighting?: Sighting | undefined } {
  if (event === undefined) return {};
  const { sighting, ...told } = { sighting: undefined, ...event };
  return { told, sighting };
}

/** What is written of a decision on a record; without one only the effects that are `done` end. */
export function commitOf(
  record: AgentRecord,
  decision: Decision | undefined,
  done: readonly string[],
  event?: AgentEvent,
): AgentCommit {
  const { told, sighting } = parted(event);
  const moves = decision?.facts.some(({ kind }) => kind === 'agent.state-moved') ?? false;
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
    ...(told && decision ? { event: told } : {}),
    ...(sighting && moves ? { sighting } : {}),
  };
}
