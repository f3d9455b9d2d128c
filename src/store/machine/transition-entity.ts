import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** A transition of a machine. Only the last ones of each instance are kept. */
export const TransitionEntity = defineEntity({
  name: 'Transition',
  tableName: 'transition',
  properties: {
    /** Increases with every transition, in the order of the commits. */
    seq: p.bigint('bigint').primary().autoincrement().ignoreSchemaChanges('type'),
    machine: p.string(),
    subject: p.string().name('subject_id'),
    /** Milliseconds since 1970. */
    at: p.bigint('number'),
    /** Empty for a new instance. */
    event: p.string(),
    eventDetail: p.json<Readonly<Record<string, unknown>>>(),
    fromState: p.string(),
    toState: p.string(),
    effects: p.json<readonly string[]>(),
    facts: p.json<readonly string[]>(),
    /** The machine's snapshot after the transition. It is read only on request. */
    snapshot: p.json<{ readonly value: unknown; readonly context: unknown }>().lazy(),
  },
  indexes: [
    { name: 'transition_by_subject', properties: ['machine', 'subject', 'seq'] },
    { name: 'transition_by_time', properties: ['at'] },
  ],
});
/** A transition as stored; with its snapshot if that was requested. */
export type StoredTransition = Omit<Row<typeof TransitionEntity>, 'snapshot'> &
  Partial<Pick<Row<typeof TransitionEntity>, 'snapshot'>>;
