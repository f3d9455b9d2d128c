import { defineEntity, p } from '@mikro-orm/sql';
import type { StoredSnapshot } from '#contract/agent/agent-view.ts';
import type { Isolation } from '#contract/host/isolation.ts';
import type { Row } from '#store/kernel/row.ts';

/** A recurring launch. Durations are in milliseconds, and times in milliseconds since 1970. */
export const ScheduleEntity = defineEntity({
  name: 'Schedule',
  tableName: 'schedule',
  properties: {
    id: p.string().primary(),
    name: p.string(),
    cron: p.string(),
    timezone: p.string(),
    hideAgents: p.boolean(),
    prompt: p.text(),
    workflowId: p.string(),
    /** The isolation of its agents; null if the workflow decides. */
    isolation: p.string().$type<Isolation>().nullable(),
    missed: p.string().$type<'run-once' | 'run-all' | 'skip'>(),
    catchUp: p.bigint('number'),
    overlap: p.string().$type<'allow' | 'skip' | 'wait'>(),
    jitter: p.bigint('number'),
    maxAttempts: p.integer(),
    /** It is paused after this many discarded firings in a row; zero means never. */
    pauseAfter: p.integer(),
    /** Each commit of its machine increments it, and names the version that it was decided on. */
    version: p.integer().default(1),
    snapshot: p.json<StoredSnapshot>(),
    /** Every occurrence up to this time has been decided. */
    decidedUpTo: p.bigint('number'),
    /** The next occurrence; null while it is paused, or if there is none. */
    nextAt: p.bigint('number').nullable(),
    createdAt: p.bigint('number'),
    updatedAt: p.bigint('number'),
    /** The position in the log of the last fact about it. */
    movedSeq: p.bigint('bigint'),
  },
  indexes: [
    { name: 'schedule_by_next', properties: ['nextAt'] },
    { name: 'schedule_by_update', properties: ['updatedAt', 'id'] },
    { name: 'schedule_by_move', properties: ['movedSeq'] },
    { name: 'schedule_by_workflow', properties: ['workflowId'] },
  ],
  uniques: [{ name: 'schedule_name', properties: ['name'] }],
});
/** A schedule as stored. */
export type StoredSchedule = Row<typeof ScheduleEntity>;
