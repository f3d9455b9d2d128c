import type { EntityManager, FilterQuery, InferEntity } from '@mikro-orm/sql';
import { Failure } from '#contract/failure.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { DeadlineEntity } from '#store/deadline/deadline-entity.ts';
import { Fragment } from '#store/kernel/condition.ts';
import { newestFirst, type Position, past } from '#store/kernel/keyset.ts';
import type { LogPositions } from '#store/kernel/log-positions.ts';
import type { Row } from '#store/kernel/row.ts';
import { countOf, rowOf, rowsOf } from '#store/kernel/rows.ts';
import { AgentEntity, type AgentPresence, type StoredAgent } from './agent-entity.ts';
import { EffectEntity } from './effect-entity.ts';
import { countHostAgents, type HostAgentCounts } from './host-agent-counts.ts';

/** A request for a page of agents. */
export interface AgentPage {
  readonly standing: Exclude<AgentPresence, 'gone'>;
  readonly after?: Position | undefined;
  readonly limit: number;
}

/** An agent as its actor holds it, and the position of its last commit. */
interface PositionedRecord {
  readonly record: AgentRecord;
  readonly place: bigint;
}

/** An agent's row, and the agent as its actor holds it. */
export interface AgentWithRecord {
  readonly agent: StoredAgent;
  readonly record: AgentRecord;
}

/** A branch of a repository that agents of a workflow are on. */
export interface AgentBranch {
  readonly workflowId: string;
  readonly repositoryUrl: string;
  readonly branch: string | null;
  /** Whether one of them has a pane. */
  readonly alive: boolean;
}

/** The numbers of agents of a lineage. */
interface Line {
  readonly present: number;
  readonly archived: number;
  readonly launched: number;
}

/** An agent with its whole briefing, which other reads leave out. */
export type BriefedAgent = StoredAgent & Pick<Row<typeof AgentEntity>, 'briefing'>;
const withBriefing = ['briefing'] as const;

/** Reads agents. Deleted agents are found by id and by key, and are in no list. */
export class AgentTable {
  readonly #em: EntityManager;
  readonly #positions: LogPositions;

  constructor(em: EntityManager, positions: LogPositions) {
    this.#em = em;
    this.#positions = positions;
  }

  find(id: string): Promise<StoredAgent | undefined> {
    return rowOf(this.#em, AgentEntity, { id });
  }

  /** The agent that a caller created with an idempotency key. */
  findByKey(createdBy: string, idempotencyKey: string): Promise<StoredAgent | undefined> {
    return rowOf(this.#em, AgentEntity, { createdBy, idempotencyKey });
  }

  /** The agent with a name, unless it is archived. */
  findPresent(name: string): Promise<StoredAgent | undefined> {
    return rowOf(this.#em, AgentEntity, { name, standing: 'present' });
  }

  /** The names, of agents that are not archived, that begin with a text. */
  async presentNames(start: string): Promise<ReadonlySet<string>> {
    const which = { standing: 'present' as const, name: { $gte: start, $lt: `${start}\u{10ffff}` } };
    const rows = await rowsOf(this.#em, AgentEntity, which, { columns: ['name'] });
    return new Set(rows.map(({ name }) => name));
  }

  /** The names of agents, including deleted ones, by id. */
  async namesOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await rowsOf(this.#em, AgentEntity, { id: { $in: [...ids] } }, { columns: ['id', 'name'] });
    return new Map(rows.map(({ id, name }) => [id, name]));
  }

  /** The ids of those agents that are gone. */
  async filterGone(ids: readonly string[]): Promise<ReadonlySet<string>> {
    const rows = await rowsOf(this.#em, AgentEntity, { id: { $in: [...ids] }, standing: 'gone' }, { columns: ['id'] });
    return new Set(rows.map(({ id }) => id));
  }

  /** The versions of agents, by id. A version changes with each decision of the agent's machine. */
  async versionsOf(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const rows = await rowsOf(this.#em, AgentEntity, { id: { $in: [...ids] } }, { columns: ['id', 'version'] });
    return new Map(rows.map(({ id, version }) => [id, version]));
  }

  /** Agents by id; ids without a row are left out. */
  async findAll(ids: readonly string[]): Promise<readonly StoredAgent[]> {
    return ids.length === 0 ? [] : rowsOf(this.#em, AgentEntity, { id: { $in: [...ids] } });
  }

  /** An agent's children that are not gone, oldest first. */
  async childrenOf(parentAgentId: string): Promise<readonly StoredAgent[]> {
    return rowsOf(this.#em, AgentEntity, { parentAgentId, standing: { $ne: 'gone' } }, { orderBy: { id: 'asc' } });
  }

  /** Those of the families that still have an agent on a host. A family is named by its root agent's id. */
  async familiesLeft(families: readonly string[], host: string): Promise<ReadonlySet<string>> {
    const named = { $in: [...families] };
    const which = { host, standing: { $ne: 'gone' as const }, $or: [{ id: named }, { parentAgentId: named }] };
    const rows = await rowsOf(this.#em, AgentEntity, which, { columns: ['family'] });
    return new Set(rows.map(({ family }) => family));
  }

  /** Those of the families that had an agent on a host and have none left anywhere, not even an abandoned one. */
  async familiesGone(families: readonly string[], host: string): Promise<ReadonlySet<string>> {
    const named = { $in: [...families] };
    const members = await rowsOf(
      this.#em,
      AgentEntity,
      { $or: [{ id: named }, { parentAgentId: named }] },
      { columns: ['family', 'host', 'standing', 'abandoned'] },
    );
    const left = new Set(
      members.filter(({ standing, abandoned }) => standing !== 'gone' || abandoned).map(({ family }) => family),
    );
    const here = members.filter((member) => member.host === host).map(({ family }) => family);
    return new Set(here.filter((family) => !left.has(family)));
  }

  /** Whether a conversation is the last one of another agent, including deleted ones. */
  async isSessionOfOthers(id: string, sessionId: string): Promise<boolean> {
    const others = { sessionId, id: { $ne: id } };
    return (await rowsOf(this.#em, AgentEntity, others, { limit: 1, columns: ['id'] })).length > 0;
  }

  /** The first agents on a host by name, including archived ones, and how many there are. */
  async standingOn(
    host: string,
    limit: number,
  ): Promise<{ readonly first: readonly StoredAgent[]; readonly count: number }> {
    const which = { host, queued: false, standing: { $ne: 'gone' as const } };
    const first = await rowsOf(this.#em, AgentEntity, which, { orderBy: { name: 'asc', id: 'asc' }, limit });
    return { first, count: await countOf(this.#em, AgentEntity, which) };
  }

  /** The first agents of a host by name that are not archived. */
  presentOn(host: string, limit: number): Promise<readonly StoredAgent[]> {
    const which = { host, standing: 'present' as const };
    return rowsOf(this.#em, AgentEntity, which, { orderBy: { name: 'asc', id: 'asc' }, limit });
  }

  /** The agents of a workflow, or that an agent launched, that are not archived, oldest first. */
  presentOf(
    owner: { readonly workflowId: string } | { readonly spawnedByAgentId: string },
  ): Promise<readonly StoredAgent[]> {
    return rowsOf(this.#em, AgentEntity, { ...owner, standing: 'present' }, { orderBy: { id: 'asc' } });
  }

  /** The agents of a host with a step that has a time limit. */
  async limitedOn(host: string): Promise<readonly StoredAgent[]> {
    const limited = await rowsOf(this.#em, DeadlineEntity, { owner: 'agent' }, { columns: ['ownerId'] });
    return rowsOf(this.#em, AgentEntity, { host, id: { $in: [...new Set(limited.map(({ ownerId }) => ownerId))] } });
  }

  /** The agents of a host whose machines have recorded that the host is away. */
  async missing(host: string): Promise<readonly StoredAgent[]> {
    const away = { $sql: new Fragment(`"snapshot" -> 'context' ->> 'away' is not null`) };
    return rowsOf(this.#em, AgentEntity, { host, standing: { $ne: 'gone' }, ...away });
  }

  /** How many agents are not archived. */
  countPresent(): Promise<number> {
    return countOf(this.#em, AgentEntity, { standing: 'present' });
  }

  /** Counts the agents with an agent's first ancestor: present, archived, and launched since a time (even deleted). */
  async lineOf(agentId: string, since: number): Promise<Line> {
    const [line] = await this.#em.execute<{ readonly [count in keyof Line]: bigint | number }[]>(
      `with recursive
        up(id, spawner, depth) as (
          select id, spawned_by_agent_id, 0 from agent where id = ?
          union all select a.id, a.spawned_by_agent_id, up.depth + 1 from agent a join up on a.id = up.spawner
        ),
        line(id) as (
          select id from (select id from up order by depth desc limit 1) as first
          union all select a.id from agent a join line on a.spawned_by_agent_id = line.id
        )
      select count(*) filter (where a.standing = 'present') as present,
        count(*) filter (where a.standing = 'archived') as archived, count(*) filter (where a.created_at > ?) as launched
      from agent a join line on a.spawned_by_agent_id = line.id`,
      [agentId, since],
    );
    const { present = 0, archived = 0, launched = 0 } = line ?? {};
    return { present: Number(present), archived: Number(archived), launched: Number(launched) };
  }

  /** How many agents each host has, by its id. Hosts without any are left out. */
  countPlaced(): Promise<ReadonlyMap<string, HostAgentCounts>> {
    return countHostAgents(this.#em);
  }

  /** An agent that a schedule launched and that is being set up, works or waits for a person; undefined without one. */
  async findWorking(scheduleId: string): Promise<StoredAgent | undefined> {
    const present = { scheduleId, standing: 'present' as const };
    const busy = ['AGENT_STATE_THINKING', 'AGENT_STATE_WAITING', 'AGENT_STATE_UNCERTAIN'] as const;
    return rowOf(this.#em, AgentEntity, {
      ...present,
      $or: [{ state: 'AGENT_STATE_SETTING_UP' }, { state: { $in: [...busy] }, alive: true }],
    });
  }

  /** The branches of agents that are not archived, and whether any of these agents is at work there. */
  async branchesNamed(): Promise<readonly AgentBranch[]> {
    const rows = await this.#em.execute<(Omit<AgentBranch, 'alive'> & { readonly busy: unknown })[]>(
      `select "workflow_id" as "workflowId", "repository_url" as "repositoryUrl", "branch",
        max(case when alive then 1 else 0 end) as busy
      from agent where standing = 'present' and repository_url is not null group by repository_url, branch, workflow_id`,
    );
    return rows.map(({ busy, ...row }) => ({ ...row, alive: Boolean(Number(busy)) }));
  }

  /** The ids of agents of a workflow that are not archived and push to one of the addresses, as they name it. */
  async pushingTo(workflowId: string, repositoryUrls: readonly string[]): Promise<readonly string[]> {
    const which = { workflowId, standing: 'present' as const, repositoryUrl: { $in: [...repositoryUrls] } };
    const rows = await rowsOf(this.#em, AgentEntity, which, { columns: ['id'], orderBy: { id: 'asc' } });
    return rows.map(({ id }) => id);
  }

  /** Agents that are not gone whose checkout is on one of the branches, in any repository. */
  onBranches(branches: readonly string[]): Promise<readonly StoredAgent[]> {
    const which = { branch: { $in: [...branches] }, standing: { $ne: 'gone' as const } };
    return rowsOf(this.#em, AgentEntity, which, { orderBy: { id: 'asc' } });
  }

  /** An agent with this profile, archived or not. */
  withProfile(profileId: string): Promise<StoredAgent | undefined> {
    return rowOf(this.#em, AgentEntity, { profileId, standing: { $ne: 'gone' } });
  }

  /** Whether a workflow has agents that are not deleted. */
  async isFiledUnder(workflowId: string): Promise<boolean> {
    const which = { workflowId, standing: { $ne: 'gone' as const } };
    return (await rowsOf(this.#em, AgentEntity, which, { limit: 1, columns: ['id'] })).length > 0;
  }

  /** A page of agents, most recently updated first. */
  async page({ standing, after, limit }: AgentPage): Promise<readonly StoredAgent[]> {
    return rowsOf(this.#em, AgentEntity, { standing, ...past(after) }, { orderBy: newestFirst, limit });
  }

  /** Agents, including deleted ones, with a fact after a position in the log, in the order of their last facts. */
  async movedAfter(seq: bigint, limit: number): Promise<readonly StoredAgent[]> {
    const where = { movedSeq: { $gt: seq, ...(await this.#positions.limit('facts')) } };
    return rowsOf(this.#em, AgentEntity, where, { orderBy: { movedSeq: 'asc' }, limit });
  }

  /** An agent with its whole briefing. */
  async findWithBriefing(id: string): Promise<BriefedAgent | undefined> {
    const [row] = await rowsOf(this.#em, AgentEntity, { id }, { limit: 1, also: withBriefing });
    return row;
  }

  /** The whole briefings of agents, by id. */
  async briefingsOf(ids: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const rows = await rowsOf(this.#em, AgentEntity, { id: { $in: [...ids] } }, { columns: ['id', 'briefing'] });
    return new Map(rows.map(({ id, briefing }) => [id, briefing]));
  }

  /** An agent with its record, in two reads. @throws NOT_FOUND */
  async whole(id: string): Promise<AgentWithRecord> {
    const found = await rowsOf(this.#em, AgentEntity, { id }, { limit: 1, also: withBriefing });
    const [[row], [record]] = [found, await this.#records(found)];
    if (row === undefined || record === undefined)
      throw new Failure('AGENT_NOT_FOUND', `There is no agent ${id}`, { metadata: { agentId: id } });
    const { briefing: _, ...agent } = row;
    return { agent, record };
  }

  /** The position of the newest commit to any agent that can be read; zero if there is none. */
  lastPosition(): Promise<bigint> {
    return this.#positions.end('records');
  }

  /** The agents of a host with a commit after a position, including deleted ones, in the order of the commits. */
  async changesOn(host: string, after: bigint, limit: number): Promise<readonly PositionedRecord[]> {
    return this.#placed(
      { host, queued: false, recordSeq: { $gt: after, ...(await this.#positions.limit('records')) } },
      limit,
    );
  }

  /**
   * Like `changesOn`, but only agents that need an actor: those that are not archived, and archived ones with pending
   * effects.
   */
  async atWorkOn(host: string, after: bigint, limit: number): Promise<readonly PositionedRecord[]> {
    const pending = await rowsOf(this.#em, EffectEntity, {}, { columns: ['agent'] });
    const unfinished = { standing: 'archived', id: { $in: pending.map(({ agent }) => agent) } } as const;
    return this.#placed(
      { host, queued: false, recordSeq: { $gt: after }, $or: [{ standing: 'present' }, unfinished] },
      limit,
    );
  }

  async #placed(
    which: FilterQuery<InferEntity<typeof AgentEntity>>,
    limit: number,
  ): Promise<readonly PositionedRecord[]> {
    const inOrder = { orderBy: { recordSeq: 'asc' }, limit, also: withBriefing } as const;
    const agents = await rowsOf(this.#em, AgentEntity, which, inOrder);
    const places = agents.map(({ recordSeq }) => recordSeq);
    return (await this.#records(agents)).map((record, row) => ({ record, place: places[row] ?? 0n }));
  }

  async #records(agents: readonly BriefedAgent[]): Promise<AgentRecord[]> {
    const ids = agents.map(({ id }) => id);
    const effects = await rowsOf(
      this.#em,
      EffectEntity,
      { agent: { $in: ids } },
      { orderBy: { version: 'asc', place: 'asc' } },
    );
    const pending = Map.groupBy(effects, ({ agent }) => agent);
    return agents.map((agent) => ({
      id: agent.id,
      family: agent.family,
      hostId: agent.host,
      epoch: agent.epoch,
      version: agent.version,
      snapshot: agent.snapshot,
      launch: { ...agent.launch, name: agent.name, briefing: agent.briefing },
      ...(agent.bell == null ? {} : { bell: agent.bell }),
      effects: (pending.get(agent.id) ?? []).map(({ key, kind, params, trace }) => ({
        key,
        kind,
        params,
        ...(trace == null ? {} : { trace }),
      })),
    }));
  }
}
