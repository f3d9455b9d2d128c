import type { EntityManager } from '@mikro-orm/sqlite';
import type { AgentRole } from '#contract/agent/agent.ts';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { Clock } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';
import { summaryLength } from '#contract/page.ts';
import type { AgentCommit, AgentRecord, Launch } from '#contract/wire/agent-record.ts';
import type { DeadlineTable } from '#store/deadline/deadline-table.ts';
import type { FactTable } from '#store/fact/fact-table.ts';
import { jsonOf } from '#store/kernel/json.ts';
import { rowOf, rowsOf } from '#store/kernel/rows.ts';
import type { TransitionTable } from '#store/machine/transition-table.ts';
import type { RunTable } from '#store/run/run-table.ts';
import { type Columns, columnsOf, timesOf, type ViewOf } from './agent-columns.ts';
import { AgentEntity, type StoredAgent, type StoredMetadata } from './agent-entity.ts';
import type { AgentTable } from './agent-table.ts';
import { EffectEntity } from './effect-entity.ts';
import type { MoveTable } from './move-table.ts';

/** What a machine's first decision says. */
interface FirstDecision {
  readonly snapshot: StoredSnapshot;
  readonly effects: readonly { readonly kind: string; readonly params: Readonly<Record<string, unknown>> }[];
  readonly facts: readonly { readonly kind: string; readonly detail: Readonly<Record<string, unknown>> }[];
  readonly deadlines: Readonly<Record<string, number | null>>;
}

/** What waits for an agent, as its row shows it. */
export type Waiting = Pick<StoredAgent, 'unreadMail' | 'bell' | 'bellRaisedAt' | 'bellRungAt'>;

/** What reviews made of an agent's work, as its row shows it. */
export type Reviewed = Pick<
  StoredAgent,
  | 'treeStanding'
  | 'treeStandingSha'
  | 'movedSinceRound'
  | 'localReviewRounds'
  | 'unreadThreads'
  | 'localReviewVerdict'
  | 'localReviewTree'
  | 'localReviewConclusion'
  | 'uncountedReviewConclusion'
>;

/** An agent that is to be written down. */
export interface NewAgent {
  readonly id: string;
  readonly parentAgentId: string | undefined;
  readonly spawnedByAgentId: string | undefined;
  /** Who creates it: `person`, or an agent's id. */
  readonly createdBy: string;
  readonly idempotencyKey: string | undefined;
  readonly hostId: string;
  readonly workflowId: string;
  readonly role: AgentRole;
  /** The agent that is called whenever this one finishes, fails or waits. */
  readonly resultFor?: string | undefined;
  /** The schedule that launches it, and whether that keeps it out of listings for people. */
  readonly scheduleId?: string | undefined;
  readonly hidden?: boolean | undefined;
  readonly launch: Launch;
  readonly decision: FirstDecision;
}

interface Parts {
  readonly em: EntityManager;
  readonly clock: Clock;
  readonly viewOf: ViewOf;
  /** A snapshot in the version that this muster writes. */
  readonly current: (snapshot: StoredSnapshot, cwd: string) => StoredSnapshot;
  readonly agents: AgentTable;
  readonly facts: FactTable;
  readonly deadlines: DeadlineTable;
  readonly moves: MoveTable;
  readonly runs: RunTable;
  readonly transitions: TransitionTable;
  /** The trace under way. */
  readonly traceOf: () => string | undefined;
}

/** The columns of a row that no snapshot decides. */
type Noted = Partial<Pick<StoredAgent, 'mark' | 'metadata' | 'failedRunLog'> & Reviewed>;

/** The only place where agents are written: whatever a decision asks for is one commit. */
export class AgentJournal {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The record as it stands. @throws Failure `not_found`. */
  load(agentId: string): Promise<AgentRecord> {
    return this.#parts.agents.record(agentId);
  }

  /** Writes a new agent down with its first decision. */
  async insert(agent: NewAgent): Promise<void> {
    const { em, clock, viewOf, agents, facts, deadlines } = this.#parts;
    const { id } = agent;
    const { briefing, name: _, ...launch } = agent.launch;
    const decision = { ...agent.decision, snapshot: this.#parts.current(agent.decision.snapshot, launch.cwd) };
    const now = clock.now();
    const version = 1;
    const movedSeq = await facts.append(decision.facts.map((fact) => ({ ...fact, subjectId: id })));
    await em.insert(AgentEntity, {
      id,
      family: agent.parentAgentId ?? id,
      host: agent.hostId,
      epoch: 1,
      version,
      snapshot: jsonOf(decision.snapshot),
      launch,
      briefing,
      ...openingOf(briefing),
      workflowId: agent.workflowId,
      role: agent.role,
      parentAgentId: agent.parentAgentId ?? null,
      spawnedByAgentId: agent.spawnedByAgentId ?? null,
      createdBy: agent.createdBy,
      resultFor: agent.resultFor ?? null,
      scheduleId: agent.scheduleId ?? null,
      hidden: agent.hidden ?? false,
      idempotencyKey: agent.idempotencyKey ?? null,
      ...columnsOf(viewOf(decision.snapshot), launch.cwd),
      createdAt: now,
      updatedAt: now,
      stateChangedAt: now,
      movedSeq: movedSeq ?? 0n,
      recordSeq: (await agents.lastPlace()) + 1n,
    });
    await this.#ask(id, version, decision.effects);
    await deadlines.set({ owner: 'agent', ownerId: id }, decision.deadlines);
    const to = viewOf(decision.snapshot).phase;
    await this.#parts.transitions.append({
      machine: 'agent',
      subject: id,
      event: undefined,
      from: '',
      to,
      ...decision,
    });
  }

  /**
   * Writes a decision down, all of it or nothing, and gives the record that came of it. `known` is the agent's row where this
   * piece of work has just read it.
   * @throws Failure `not_found`; `failed_precondition` where the agent was placed anew, `aborted` where it has moved since.
   */
  async commit(given: AgentCommit, known?: StoredAgent): Promise<AgentRecord> {
    const { em, clock, viewOf, agents, facts, deadlines } = this.#parts;
    const { agentId: id } = given;
    const before = known ?? (await agents.find(id));
    checkCommit(given, before);
    // A host of an older muster has decided on what that knew.
    const change = { ...given, snapshot: this.#parts.current(given.snapshot, before.launch.cwd) };
    const version = before.version + 1;
    const columns = columnsOf(viewOf(change.snapshot), before.launch.cwd);
    const movedSeq = await facts.append(change.facts.map((fact) => ({ ...fact, subjectId: id })));
    await em.nativeUpdate(
      AgentEntity,
      { id, version: before.version },
      {
        version,
        snapshot: jsonOf(change.snapshot),
        ...columns,
        ...timesOf(before, columns, clock.now()),
        mark: columns.standing === 'gone' ? null : before.mark,
        movedSeq: movedSeq ?? before.movedSeq,
        recordSeq: (await agents.lastPlace()) + 1n,
      },
    );
    if (change.done.length > 0) await em.nativeDelete(EffectEntity, { agent: id, key: { $in: change.done } });
    await this.#callOff(id, change.done);
    await this.#ask(id, version, change.effects);
    await deadlines.set({ owner: 'agent', ownerId: id }, change.deadlines);
    await this.#move(before, columns, change.sighting);
    if (change.event !== undefined) {
      const [from, to] = [viewOf(before.snapshot).phase, viewOf(change.snapshot).phase];
      await this.#parts.transitions.append({ ...change, machine: 'agent', subject: id, event: change.event, from, to });
    }
    return agents.record(id);
  }

  async #callOff(id: string, effects: readonly string[]): Promise<void> {
    const { facts, runs } = this.#parts;
    const state = 'RUN_STATE_CALLED_OFF';
    const ended = await runs.callOff(id, effects);
    await facts.append(
      ended.map(({ id: run, agent, script }) => ({
        kind: 'run.ended',
        subjectId: agent,
        detail: { run, script, state },
      })),
    );
  }

  /** Keeps a move of the state, with what was seen; moves and runs go with the agent. */
  async #move(before: StoredAgent, after: Columns, sighting: AgentCommit['sighting']): Promise<void> {
    const { moves, runs } = this.#parts;
    const { state: to, stateReason: reason, standing } = after;
    if (standing === 'gone') {
      await moves.forget(before.id);
      await runs.forget(before.id);
    } else if (before.state !== to || before.stateReason !== reason) {
      await moves.append(before.id, { from: before.state, to, reason, sighting });
    }
  }

  /**
   * Writes down what waits for an agent now, and tells it. The record that its host has moves where its doorbell does; gives
   * whether it did.
   */
  async setWaiting(id: string, waiting: Partial<Waiting>): Promise<boolean> {
    const { em, clock, agents, facts } = this.#parts;
    const before = await agents.find(id);
    if (before === undefined) throw new Failure('not_found', `There is no agent ${id}`);
    const after: Waiting = { ...waitingOf(before), ...waiting };
    const doorbell = after.bellRaisedAt == null ? 'none' : after.bellRungAt == null ? 'raised' : 'rung';
    const detail = { unreadMail: after.unreadMail, doorbell };
    const movedSeq = await facts.append([{ kind: 'agent.changed', subjectId: id, detail }]);
    const isMoved = JSON.stringify(before.bell) !== JSON.stringify(after.bell);
    const place = isMoved ? { version: before.version + 1, recordSeq: (await agents.lastPlace()) + 1n } : {};
    const shown = { updatedAt: clock.now(), movedSeq: movedSeq ?? before.movedSeq };
    await em.nativeUpdate(
      AgentEntity,
      { id },
      { ...after, bell: after.bell && jsonOf(after.bell), ...place, ...shown },
    );
    return isMoved;
  }

  /** Gives an agent its mark, taking it from whoever holds it; null takes it away. Tells it where anything moved. */
  async setMark(agent: StoredAgent, mark: string | null): Promise<void> {
    const { em } = this.#parts;
    if (agent.mark === mark) return;
    const holder = mark === null ? null : await rowOf(em, AgentEntity, { mark });
    if (holder) await this.#write(holder.id, { mark: null });
    await this.#write(agent.id, { mark });
  }

  /** Gives an agent what it records about its work. Tells it. */
  async setMetadata({ id }: StoredAgent, metadata: readonly StoredMetadata[]): Promise<void> {
    await this.#write(id, { metadata }, { metadata: metadata.map(({ key }) => key) });
  }

  /** Shows an agent's newest failed run that nobody has looked at; null where there is none. Tells it where that moved. */
  async setFailedRun({ id, failedRunLog: before }: StoredAgent, failedRunLog: number | null): Promise<void> {
    if (before !== failedRunLog) await this.#write(id, { failedRunLog });
  }

  /** Tells that a pull request of an agent's branch moved, which its row shows. */
  async tellPullRequest(id: string, detail: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#write(id, {}, detail);
  }

  /** Shows what reviews made of an agent's work. Tells it where anything moved. */
  async setReviewed(agent: StoredAgent, reviewed: Partial<Reviewed>): Promise<void> {
    const columns = Object.keys(reviewed) as (keyof Reviewed)[];
    const isMoved = columns.some(
      (column) => JSON.stringify(agent[column] ?? null) !== JSON.stringify(reviewed[column] ?? null),
    );
    if (isMoved) await this.#write(agent.id, jsonOf(reviewed));
  }

  /**
   * Notes of a host's agents that what is known of them was last known at a time, in milliseconds since 1970; null where the host
   * is heard of again. Tells it of each, so that whoever watches is told the row.
   */
  async setLastKnown(host: string, at: number | null): Promise<void> {
    const { em, facts } = this.#parts;
    const which = { host, standing: { $ne: 'gone' as const } };
    const found = await rowsOf(em, AgentEntity, which, { columns: ['id'], orderBy: { id: 'asc' } });
    const before = await facts.lastSeq();
    const detail = { hostIsLost: at !== null };
    const last = await facts.append(found.map(({ id }) => ({ kind: 'agent.changed', subjectId: id, detail })));
    if (last === undefined) return;
    await em.execute(
      `update "agent" set "last_known_at" = ?, "moved_seq" = told."seq"
      from (select "subject_id", max("seq") as "seq" from "fact" where "seq" > ? group by "subject_id") as told
      where told."subject_id" = "agent"."id" and "agent"."host_id" = ? and "agent"."standing" <> 'gone'`,
      [at, before, host],
    );
  }

  async #write(id: string, columns: Noted, detail: Readonly<Record<string, unknown>> = columns): Promise<void> {
    const { em, clock, facts } = this.#parts;
    const movedSeq = await facts.append([{ kind: 'agent.changed', subjectId: id, detail }]);
    await em.nativeUpdate(
      AgentEntity,
      { id },
      { ...columns, updatedAt: clock.now(), ...(movedSeq === undefined ? {} : { movedSeq }) },
    );
  }

  async #ask(agent: string, version: number, effects: FirstDecision['effects']): Promise<void> {
    const trace = this.#parts.traceOf() ?? null;
    for (const [place, { kind, params }] of effects.entries()) {
      const key = `${agent}/${version}/${place}`;
      await this.#parts.em.insert(EffectEntity, { key, agent, version, place, kind, params: jsonOf(params), trace });
    }
  }
}

function waitingOf({ unreadMail, bell, bellRaisedAt, bellRungAt }: StoredAgent): Waiting {
  return { unreadMail, bell, bellRaisedAt, bellRungAt };
}

function checkCommit(change: AgentCommit, before: StoredAgent | undefined): asserts before is StoredAgent {
  const { agentId: id, epoch, version } = change;
  if (before === undefined) throw new Failure('not_found', `There is no agent ${id}`);
  if (epoch !== before.epoch) {
    throw new Failure(
      'failed_precondition',
      `Agent ${id} was placed anew (epoch ${before.epoch}), so a write of epoch ${epoch} is refused: let go of it`,
    );
  }
  if (version !== before.version) {
    throw new Failure(
      'aborted',
      `Agent ${id} has moved to version ${before.version} since version ${version}: read it again and decide anew`,
    );
  }
}

/** The first characters of a briefing, never cut inside one, and whether more follow. */
function openingOf(briefing: string): { opening: string; openingCut: boolean } {
  const start = [...briefing.slice(0, 2 * summaryLength)].slice(0, summaryLength).join('');
  return { opening: start, openingCut: start.length < briefing.length };
}
