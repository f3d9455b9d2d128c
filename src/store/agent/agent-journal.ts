import type { EntityManager } from '@mikro-orm/sql';
import type { StoredSnapshot, ViewedFault } from '#contract/agent/agent-view.ts';
import type { Clock } from '#contract/clock.ts';
import { Failure } from '#contract/failure.ts';
import { openingOf } from '#contract/page.ts';
import type { AgentCommit, AgentRecord, Launch, PendingEffect } from '#contract/wire/agent-record.ts';
import type { FactTable } from '#store/fact/fact-table.ts';
import type { InstanceJournal } from '#store/instance/instance-journal.ts';
import { insertAll } from '#store/kernel/insert-all.ts';
import { jsonOf } from '#store/kernel/json.ts';
import type { LogPositions } from '#store/kernel/log-positions.ts';
import { rowOf } from '#store/kernel/rows.ts';
import { ComputedValue, changedColumns, updateRow } from '#store/kernel/update-row.ts';
import type { RunTable } from '#store/run/run-table.ts';
import { type Columns, columnsOf, timesOf, type ViewOf } from './agent-columns.ts';
import { AgentEntity, type StoredAgent, type StoredMetadata } from './agent-entity.ts';
import type { AgentTable, AgentWithRecord } from './agent-table.ts';
import type { AgentTransitionTable } from './agent-transition-table.ts';
import { checkCommit } from './check-commit.ts';
import { EffectEntity } from './effect-entity.ts';
import type { FirstDecision, NewAgent } from './new-agent.ts';
import type { ResultTable } from './result-table.ts';
import type { ReviewColumns } from './review-columns.ts';
import { type HostRemoval, writeAllOn } from './write-all-on.ts';

/** The mail and doorbell that wait for an agent, as its row shows them. */
export type DoorbellColumns = Pick<StoredAgent, 'unreadMail' | 'bell' | 'bellRaisedAt' | 'bellRungAt'>;

interface Parts {
  readonly em: EntityManager;
  readonly clock: Clock;
  readonly viewOf: ViewOf;
  /** A snapshot in the current version. */
  readonly current: (snapshot: StoredSnapshot, cwd: string) => StoredSnapshot;
  readonly agents: AgentTable;
  readonly facts: FactTable;
  readonly instances: InstanceJournal;
  readonly moves: AgentTransitionTable;
  readonly positions: LogPositions;
  readonly runs: RunTable;
  readonly results: ResultTable;
  /** The current trace. */
  readonly traceOf: () => string | undefined;
}

/** The next position after all commits to agents, on a database with one writer at a time. */
const nextRecord = new ComputedValue('(select coalesce(max("record_seq"), 0) + 1 from "agent")');

/** A run that failed, and why. */
interface FailedRun {
  readonly id: number;
  readonly fault: ViewedFault;
}

/** The columns of the host that an agent moves to. */
type NewPlace = Pick<StoredAgent, 'host' | 'epoch' | 'cwd' | 'lastKnownAt' | 'hostRemovedAt'>;

/** The columns of a row that are not derived from a snapshot. */
type AgentColumns = Partial<
  Pick<StoredAgent, 'mark' | 'metadata' | 'resultAt' | 'failedRunLog' | 'failedRunFault' | 'launch' | 'profileId'> &
    NewPlace &
    ReviewColumns & { readonly briefing: string }
>;

/** The only code that writes agents: everything that a decision requests is one commit. */
export class AgentJournal {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The agent's current record. @throws NOT_FOUND when there is no such agent */
  async load(agentId: string): Promise<AgentRecord> {
    return (await this.#parts.agents.whole(agentId)).record;
  }

  /** Inserts a new agent with its first decision. */
  async insert(agent: NewAgent): Promise<void> {
    const { clock, viewOf, agents, instances } = this.#parts;
    const { id } = agent;
    const { briefing, name: _, ...launch } = agent.launch;
    const decision = { ...agent.decision, snapshot: this.#parts.current(agent.decision.snapshot, launch.cwd) };
    const now = clock.now();
    const phase = viewOf(decision.snapshot).phase;
    await instances.begin('agent', [
      {
        row: {
          id,
          family: agent.parentAgentId ?? id,
          host: agent.hostId,
          epoch: 1,
          snapshot: decision.snapshot,
          launch,
          briefing,
          ...openingOf(briefing),
          task: agent.task ?? '',
          workflowId: agent.workflowId,
          profileId: launch.profileId ?? null,
          role: agent.role,
          parentAgentId: agent.parentAgentId ?? null,
          spawnedByAgentId: agent.spawnedByAgentId ?? null,
          createdBy: agent.createdBy,
          resultFor: agent.resultFor ?? null,
          scheduleId: agent.scheduleId ?? null,
          budgetScheduleId: agent.budgetScheduleId ?? null,
          hidden: agent.hidden ?? false,
          idempotencyKey: agent.idempotencyKey ?? null,
          ...columnsOf(viewOf(decision.snapshot), launch.cwd),
          createdAt: now,
          updatedAt: now,
          stateChangedAt: now,
          recordSeq: (await this.#parts.positions.take(1)) ?? (await agents.lastPosition()) + 1n,
        },
        facts: decision.facts.map((fact) => ({ ...fact, subjectId: id })),
        deadlines: decision.deadlines,
        transition: { ...decision, event: undefined, from: '', to: phase },
      },
    ]);
    await this.#ask(id, 1, decision.effects);
  }

  /**
   * Saves a decision, all of it or nothing, and returns the resulting agent. `known` is the agent if the caller has
   * just read it in this transaction.
   * @throws NOT_FOUND when there is no such agent, FAILED_PRECONDITION when the agent was placed again, ABORTED when it
   *   has changed since the decision
   */
  async commit(given: AgentCommit, known?: AgentWithRecord): Promise<AgentWithRecord> {
    const { em, clock, viewOf, agents, instances } = this.#parts;
    const { agentId: id, event, done } = given;
    const { agent: before, record } = known ?? (await agents.whole(id));
    checkCommit(given, before);
    // A host that runs an older version decides on an older snapshot.
    const snapshot = jsonOf(this.#parts.current(given.snapshot, before.launch.cwd));
    const columns = columnsOf(viewOf(snapshot), before.launch.cwd);
    const times = timesOf(before, columns, clock.now());
    const [from, to] = [viewOf(before.snapshot).phase, viewOf(snapshot).phase];
    const after = await instances.commit({
      machine: 'agent',
      before,
      snapshot,
      columns: {
        ...changedColumns(before, { ...columns, ...times }),
        ...(columns.standing === 'gone' && { mark: null }),
      },
      computed: { recordSeq: await this.#nextRecord() },
      facts: given.facts.map((fact) => ({ ...fact, subjectId: id })),
      deadlines: given.deadlines,
      transition: event && { event, from, to, effects: given.effects, facts: given.facts },
    });
    if (done.length > 0) await em.nativeDelete(EffectEntity, { agent: id, key: { $in: done } });
    await this.#cancelRuns(id, done);
    const asked = await this.#ask(id, after.version, given.effects);
    await this.#move(before, columns, given.sighting);
    const effects = [...record.effects.filter(({ key }) => !done.includes(key)), ...asked];
    const launched = { ...record.launch, name: after.name };
    return { agent: after, record: { ...record, version: after.version, snapshot, launch: launched, effects } };
  }

  /** The position of the current commit among those of all agents. */
  async #nextRecord(): Promise<ComputedValue> {
    const place = await this.#parts.positions.take(1);
    return place === undefined ? nextRecord : new ComputedValue('?', place);
  }

  async #cancelRuns(id: string, effects: readonly string[]): Promise<void> {
    const { facts, runs } = this.#parts;
    const state = 'RUN_STATE_CALLED_OFF';
    const ended = await runs.cancel(id, effects);
    await facts.append(
      ended.map(({ id: run, agent, script }) => ({
        kind: 'run.ended',
        subjectId: agent,
        detail: { run, script, state },
      })),
    );
  }

  /**
   * Records a transition of the state, with the screen that caused it. Transitions and runs are deleted with the agent.
   */
  async #move(before: StoredAgent, after: Columns, sighting: AgentCommit['sighting']): Promise<void> {
    const { moves, runs, results } = this.#parts;
    const { state: to, stateReason: reason, standing } = after;
    if (standing === 'gone') {
      await moves.forget(before.id);
      await runs.forget(before.id);
      await results.forget(before.id);
    } else if (before.state !== to || before.stateReason !== reason) {
      await moves.append(before.id, { from: before.state, to, reason, sighting });
    }
  }

  /**
   * Saves the mail and doorbell that wait for an agent, and publishes the change. If the doorbell changes, so does the
   * record that its host has: then the agent is returned. `known` is its row, if the caller has just read it.
   */
  async setWaiting(
    id: string,
    waiting: Partial<DoorbellColumns>,
    known?: StoredAgent,
  ): Promise<StoredAgent | undefined> {
    const { em, clock, agents, facts } = this.#parts;
    const before = known ?? (await agents.find(id));
    if (before === undefined)
      throw new Failure('AGENT_NOT_FOUND', `There is no agent ${id}`, { metadata: { agentId: id } });
    const after: DoorbellColumns = { ...waitingOf(before), ...waiting };
    const doorbell = after.bellRaisedAt == null ? 'none' : after.bellRungAt == null ? 'raised' : 'rung';
    const detail = { unreadMail: after.unreadMail, doorbell };
    const movedSeq = await facts.append([{ kind: 'agent.changed', subjectId: id, detail }]);
    const isChanged = JSON.stringify(before.bell) !== JSON.stringify(after.bell);
    const { version } = before;
    const place = isChanged ? { version: version + 1, recordSeq: await this.#nextRecord() } : {};
    const shown = { ...after, updatedAt: clock.now(), movedSeq };
    const written = await updateRow(em, em.getMetadata().get(AgentEntity), { id, version }, { ...shown, ...place });
    if (written === undefined) throw new Failure('INTERNAL', `Agent ${id} has changed since it was read`);
    return isChanged ? { ...before, ...after, version: version + 1 } : undefined;
  }

  /**
   * Gives an agent a mark, and removes it from the agent that had it; null removes the agent's mark. Publishes a
   * change.
   */
  async setMark(agent: StoredAgent, mark: string | null): Promise<void> {
    const { em } = this.#parts;
    if (agent.mark === mark) return;
    const holder = mark === null ? null : await rowOf(em, AgentEntity, { mark });
    if (holder) await this.#write(holder.id, { mark: null });
    await this.#write(agent.id, { mark });
  }

  /** Saves the next launch of an agent. Its host reads it after the next commit. */
  async setLaunch(id: string, launch: StoredAgent['launch']): Promise<void> {
    await this.#write(id, { launch, profileId: launch.profileId ?? null }, { launch: 'current workflow' });
  }

  /** Assigns a host and a launch to an agent that waited. Its machine gets the event next. */
  async place(id: string, hostId: string, { briefing, name: _, ...launch }: Launch): Promise<void> {
    const profileId = launch.profileId ?? null;
    const columns = { host: hostId, launch, profileId, briefing, ...openingOf(briefing), lastKnownAt: null };
    await this.#write(id, columns, { host: hostId });
  }

  /** Assigns another host, epoch and directory to an agent that moves. */
  async placeAnew({ id, launch: before, cwd: shown }: StoredAgent, { cwd, ...place }: NewPlace): Promise<void> {
    const { repository: _, ...launch } = { ...before, cwd };
    const columns = { ...place, launch, ...(shown === before.cwd && { cwd }) };
    await this.#write(id, columns, { host: place.host });
  }

  /** Saves when an agent reported a result. Publishes it. */
  async setResultAt({ id }: StoredAgent, resultAt: number): Promise<void> {
    await this.#write(id, { resultAt }, {}, 'agent.reported-result');
  }

  /** Saves what an agent records about its work. Publishes it. */
  async setMetadata({ id }: StoredAgent, metadata: readonly StoredMetadata[]): Promise<void> {
    await this.#write(id, { metadata }, { metadata: metadata.map(({ key }) => key) });
  }

  /**
   * Saves an agent's newest failed and unacknowledged run, and why it failed; null if there is none.
   * Publishes a change.
   */
  async setFailedRun({ id, failedRunLog: before }: StoredAgent, run: FailedRun | null): Promise<void> {
    const failedRunLog = run?.id ?? null;
    if (before !== failedRunLog) await this.#write(id, { failedRunLog, failedRunFault: run?.fault ?? null });
  }

  /** Publishes that the pull request that an agent's row shows has changed. */
  async touchPullRequest(id: string, detail: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#write(id, {}, detail);
  }

  /** Saves the review results of an agent's work. Publishes a change. */
  async setReviewed(agent: StoredAgent, reviewed: Partial<ReviewColumns>): Promise<void> {
    const columns = Object.keys(reviewed) as (keyof ReviewColumns)[];
    const isChanged = columns.some(
      (column) => JSON.stringify(agent[column] ?? null) !== JSON.stringify(reviewed[column] ?? null),
    );
    if (isChanged) await this.#write(agent.id, jsonOf(reviewed));
  }

  /**
   * Saves the time at which the state of a host's agents was last known, in milliseconds since 1970; null once the host
   * is back. Publishes a change of each, so that watchers get the row.
   */
  async setLastKnown(host: string, at: number | null): Promise<void> {
    const assigned = { columns: '"last_known_at" = ?', values: [at] };
    await writeAllOn(this.#parts, host, assigned, { hostIsLost: at !== null });
  }

  /**
   * Saves when a person removed a host, and when the state of its agents was last known, in
   * milliseconds since 1970. Their epoch rises: no later write of that host counts. Publishes a change of each.
   */
  async leaveRemoved(host: string, { lastKnownAt, removedAt }: HostRemoval): Promise<void> {
    const columns = '"last_known_at" = coalesce("last_known_at", ?), "host_removed_at" = ?, "epoch" = "epoch" + 1';
    await writeAllOn(this.#parts, host, { columns, values: [lastKnownAt, removedAt] }, { hostIsRemoved: true });
  }

  async #write(id: string, columns: AgentColumns, detail: object = columns, kind = 'agent.changed'): Promise<void> {
    const { em, clock, facts } = this.#parts;
    const movedSeq = await facts.append([{ kind, subjectId: id, detail: { ...detail } }]);
    await em.nativeUpdate(
      AgentEntity,
      { id },
      { ...columns, updatedAt: clock.now(), ...(movedSeq === undefined ? {} : { movedSeq }) },
    );
  }

  /** Records the requested effects, and returns them as the agent's record has them. */
  async #ask(agent: string, version: number, effects: FirstDecision['effects']): Promise<PendingEffect[]> {
    const trace = this.#parts.traceOf();
    const asked = effects.map(({ kind, params }, place) => {
      const effect = { key: `${agent}/${version}/${place}`, kind, params: jsonOf(params) };
      return { effect: trace === undefined ? effect : { ...effect, trace }, place };
    });
    const rows = asked.map(({ effect, place }) => ({ trace: null, ...effect, agent, version, place }));
    await insertAll(this.#parts.em, EffectEntity, rows, ['key']);
    return asked.map(({ effect }) => effect);
  }
}

function waitingOf({ unreadMail, bell, bellRaisedAt, bellRungAt }: StoredAgent): DoorbellColumns {
  return { unreadMail, bell, bellRaisedAt, bellRungAt };
}
