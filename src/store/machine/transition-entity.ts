import { defineEntity, p } from '@mikro-orm/sql';
import type { Row } from '#store/kernel/row.ts';

/** One transition of a machine. The last of each instance are kept. */
export const TransitionEntity = defineEntity({
  name: 'Transition',
  tableName: 'transition',
  properties: {
    /** Grows with every transition, in the order of the commits. */
    seq: p.bigint('bigint').primary().autoincrement().ignoreSchemaChanges('type'),
    machine: p.string(),
    subject: p.string().name('subject_id'),
    /** Milliseconds since 1970. */
    at: p.bigint('number'),
    /** Empty for the beginning of an instance. */
    event: p.string(),
    eventDetail: p.json<Readonly<Record<string, unknown>>>(),
    fromState: p.string(),
    toState: p.string(),
    effects: p.json<readonly string[]>(),
    facts: p.json<readonly string[]>(),
    /** The machine's snapshot after the transition; it is read only if it is asked for. */
    snapshot: p.json<{ readonly value: unknown; readonly context: unknown }>().lazy(),
  },
  indexes: [
    { name: 'transition_by_subject', properties: ['machine', 'subject', 'seq'] },
    { name: 'transition_by_time', properties: ['at'] },
  ],
});
/** A transition as stored; its snapshot is there if it was asked for. */
export type StoredTransition = Omit<Row<typeof TransitionEntity>, 'snapshot'> &
  Partial<Pick<Row<typeof TransitionEntity>, 'snapshot'>>;
