import { defineEntity, p } from '@mikro-orm/sql';
import type { AgentRole } from '#contract/agent/agent.ts';
import type { AgentState } from '#contract/agent/agent-state.ts';
import type { OverBudget, StoredSnapshot, ViewedEnding, ViewedFault, ViewedPark } from '#contract/agent/agent-view.ts';
import type { ReviewConclusion } from '#contract/review/review.ts';
import type { ReviewTreeStanding, ReviewVerdict } from '#contract/review/review-thread.ts';
import type { Bell, Launch } from '#contract/wire/agent-record.ts';
import { HostEntity } from '#store/host/host-entity.ts';
import type { Row } from '#store/kernel/row.ts';

/** Whether an agent is in the list, archived, or deleted and kept only for its idempotency key. */
export type AgentPresence = 'present' | 'archived' | 'gone';

/** A fact that an agent recorded about its own work; `at` in milliseconds since 1970. */
export interface StoredMetadata {
  readonly key: string;
  readonly value: string;
  readonly at: number;
}

/** An agent: what it was launched with, its machine's snapshot, and the columns that people see. */
export const AgentEntity = defineEntity({
  name: 'Agent',
  tableName: 'agent',
  properties: {
    id: p.string().primary(),
    /** The root of its family: its parent's id, or its own. */
    family: p.string(),
    host: () =>
      p.manyToOne(HostEntity).mapToPk().name('host_id').deleteRule('no action').updateRule('no action').index(false),
    epoch: p.integer(),
    version: p.integer(),
    snapshot: p.json<StoredSnapshot>(),
    launch: p.json<Omit<Launch, 'briefing' | 'name'>>(),
    /** The whole briefing. It may be long, so it is read only on request. */
    briefing: p.text().lazy(),
    /** The first characters of the briefing, and whether more follow. */
    opening: p.text(),
    openingCut: p.boolean(),
    /** The first line of what it was asked to do. */
    task: p.text().default(''),
    workflowId: p.string(),
    /** The profile that it was launched with. */
    profileId: p.string().nullable(),
    role: p.string().$type<AgentRole>(),
    parentAgentId: p.string().nullable(),
    spawnedByAgentId: p.string().nullable(),
    scheduleId: p.string().nullable(),
    /** The schedule to whose budget its work counts: it launched the agent, or one that this descends from. */
    budgetScheduleId: p.string().name('budget_schedule_id').nullable(),
    /** Whether its schedule keeps it out of listings for people. */
    hidden: p.boolean().default(false),
    /** Who created it: `person`, or an agent's id. */
    createdBy: p.string(),
    idempotencyKey: p.string().nullable(),
    /** The agent whose doorbell rings whenever this one finishes, ends, fails or waits. */
    resultFor: p.string().nullable(),
    mark: p.string().nullable(),
    // Columns that are derived from the snapshot.
    name: p.string(),
    standing: p.string().$type<AgentPresence>(),
    /** Whether it is gone because a person abandoned it together with its host. */
    abandoned: p.boolean().default(false),
    state: p.string().$type<AgentState>(),
    stateReason: p.text(),
    waitingFor: p.text().default(''),
    alive: p.boolean(),
    /** Whether it waits to be placed: until then, its host is only one that it may be placed on. */
    queued: p.boolean().default(false),
    paneId: p.string().nullable(),
    cwd: p.text(),
    branch: p.string().nullable(),
    headSha: p.string().nullable(),
    repositoryUrl: p.string().nullable(),
    sequenceInProgress: p.boolean(),
    // How much its own worktree differs from its base; 0 if that was never measured.
    filesChanged: p.integer().default(0),
    linesAdded: p.integer().default(0),
    linesDeleted: p.integer().default(0),
    worktreeRemoved: p.boolean(),
    reportedReason: p.text().default(''),
    /** Whether its CLI says that it asks, while its screen shows no question. */
    asksUnseen: p.boolean().default(false),
    sessionId: p.string().nullable(),
    /** The version that the CLI in its window reported at its start. */
    harnessVersion: p.string().nullable(),
    /** Destinations that its isolation has refused, the newest last. */
    refusedConnections: p.json<readonly string[]>().name('refused_connections').default('[]'),
    heldAt: p.bigint('number').nullable(),
    /** Why its deletion was refused; empty if it was not. */
    refusedDeletion: p.text().default(''),
    /** The detail behind the reason of a failure. */
    fault: p.json<ViewedFault>().nullable(),
    /** When its CLI was found to have ended, in milliseconds since 1970, and whether that was with its terminal. */
    endedAt: p.bigint('number').nullable(),
    windowLost: p.boolean().default(false),
    /** How its CLI ended; null while it runs, or if that is not known. */
    ending: p.json<ViewedEnding>().nullable(),
    /** When it last reported a result, in milliseconds since 1970. */
    resultAt: p.bigint('number').name('result_at').nullable(),
    /** How much disk its own worktree takes, in bytes, and when that was measured; null before. */
    diskBytes: p.bigint('number').name('disk_bytes').nullable(),
    diskMeasuredAt: p.bigint('number').name('disk_measured_at').nullable(),
    /** The budget that is used up, so that it is held; null if none is. */
    overBudget: p.json<OverBudget>().name('over_budget').nullable(),
    /** How many turns it has finished; null if that is not known. */
    turns: p.integer().nullable(),
    /** When its host last sent a beat, in milliseconds since 1970; null unless that host is lost. */
    lastKnownAt: p.bigint('number').nullable(),
    /** When a person removed its host, in milliseconds since 1970; null if it was not removed. */
    hostRemovedAt: p.bigint('number').name('host_removed_at').nullable(),
    /** The host that it moves to, or is to move to, as people call it; null if it does not move. */
    movingTo: p.string().nullable(),
    /** Why its last move failed; empty if it did not. */
    failedMove: p.text().default(''),
    /** Why and until when it is parked; null if it is not. */
    park: p.json<ViewedPark>().nullable(),
    /** What the agent recorded about its own work, in the order in which the keys were added. */
    metadata: p.json<readonly StoredMetadata[]>().default('[]'),
    /** The newest failed and unacknowledged script run. */
    failedRunLog: p.integer().nullable(),
    /** How that run failed. */
    failedRunFault: p.json<ViewedFault>().nullable(),
    // Mail and doorbell that wait for it.
    /** How much mail it has not taken. */
    unreadMail: p.integer().default(0),
    /** The doorbell that its host is to ring. */
    bell: p.json<Bell>().nullable(),
    /** Since when a doorbell waits to be claimed, and when it was rung. */
    bellRaisedAt: p.bigint('number').nullable(),
    bellRungAt: p.bigint('number').nullable(),
    // The result of reviews of its work, and how its worktree compared with them when it was last measured.
    treeStanding: p.string().$type<ReviewTreeStanding>().nullable(),
    treeStandingSha: p.string().nullable(),
    movedSinceRound: p.string().nullable(),
    localReviewRounds: p.integer().default(0),
    /** How many threads of reviews of its work a person has not read. */
    unreadThreads: p.integer().default(0),
    localReviewVerdict: p.string().$type<ReviewVerdict>().nullable(),
    localReviewTree: p.string().$type<ReviewTreeStanding>().nullable(),
    /** Who gave the verdict, and a newer one that does not count. */
    localReviewConclusion: p.json<ReviewConclusion>().nullable(),
    uncountedReviewConclusion: p.json<ReviewConclusion>().nullable(),
    // Times, in milliseconds since 1970.
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
    stateChangedAt: p.bigint('number'),
    archivedAt: p.bigint('number').nullable(),
    /** When its deletion was complete. */
    goneAt: p.bigint('number').nullable(),
    /** The position in the log of the last fact about it. */
    movedSeq: p.bigint('bigint'),
    /** The position of its last commit among those of all agents. Its host continues reading from here. */
    recordSeq: p.bigint('bigint'),
  },
  indexes: [
    { name: 'agent_by_update', properties: ['standing', 'updatedAt', 'id'] },
    { name: 'agent_by_name', properties: ['standing', 'name'] },
    { name: 'agent_by_move', properties: ['movedSeq'] },
    { name: 'agent_by_host', properties: ['host', 'recordSeq'] },
    { name: 'agent_by_queue', properties: ['queued', 'standing'] },
    { name: 'agent_by_placement', properties: ['standing', 'state', 'host', 'alive', 'queued'] },
    { name: 'agent_by_parent', properties: ['parentAgentId'] },
    { name: 'agent_by_profile', properties: ['profileId'] },
    { name: 'agent_by_workflow', properties: ['workflowId'] },
    { name: 'agent_by_spawner', properties: ['spawnedByAgentId'] },
    { name: 'agent_by_schedule', properties: ['scheduleId'] },
    { name: 'agent_by_budget_schedule', properties: ['budgetScheduleId'] },
    { name: 'agent_by_repository', properties: ['standing', 'repositoryUrl', 'branch', 'workflowId', 'alive'] },
    { name: 'agent_by_branch', properties: ['branch'] },
  ],
  uniques: [
    { name: 'agent_record', properties: ['recordSeq'] },
    { name: 'agent_present_name', properties: ['name'], where: "standing = 'present'" },
    { name: 'agent_mark', properties: ['mark'] },
    { name: 'agent_idempotency', properties: ['createdBy', 'idempotencyKey'] },
  ],
});
/** An agent as stored, without its briefing. */
export type StoredAgent = Omit<Row<typeof AgentEntity>, 'briefing'>;
