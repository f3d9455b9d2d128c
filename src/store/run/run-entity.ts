import { defineEntity, p } from '@mikro-orm/sql';
import type { RunScript, RunState } from '#contract/run-log.ts';
import type { Row } from '#store/kernel/row.ts';

/** A run of a workflow's script for an agent. */
export const RunEntity = defineEntity({
  name: 'Run',
  tableName: 'run',
  properties: {
    id: p.integer().primary().autoincrement(),
    /** The key of the effect that requested it. A run that starts over after a crash is the same run. */
    effect: p.string(),
    agent: p.string().name('agent_id'),
    host: p.string().name('host_id'),
    script: p.string().$type<RunScript>(),
    // Times, in milliseconds since 1970.
    startedAt: p.bigint('number'),
    endedAt: p.bigint('number').nullable(),
    acknowledgedAt: p.bigint('number').nullable(),
    state: p.string().$type<RunState>(),
    reason: p.text(),
    /** The end of the output, for listings. */
    tail: p.text(),
    /** All of the output that is kept. It may be long, so it is read only on request. */
    output: p.text().lazy(),
    outputCut: p.boolean(),
  },
  indexes: [{ name: 'run_by_agent', properties: ['agent', 'id'] }],
  uniques: [{ name: 'run_effect', properties: ['effect'] }],
});
/** A run as stored; with its output if that was requested. */
export type StoredRun = Omit<Row<typeof RunEntity>, 'output'> & Partial<Pick<Row<typeof RunEntity>, 'output'>>;
