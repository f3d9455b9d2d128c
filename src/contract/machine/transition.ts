import { z } from 'zod';
import { int64, message, required } from '#contract/message.ts';

/** A recorded transition of a machine: the event, and its result. */
export const Transition = message('fact.v1.Transition', {
  seq: [1, int64(), 'The position in the log of transitions, ascending from one.'],
  machine: [2, z.string(), 'The machine, such as `agent`.'],
  subjectId: [3, z.string(), 'The instance: the id of an agent, a schedule, a firing and so on.'],
  at: [4, z.string(), 'When it happened: RFC 3339, UTC.'],
  event: [5, z.string(), 'The type of the event that caused it. Empty if the instance began.'],
  eventDetail: [6, z.string(), 'The data of the event, as a JSON object.'],
  from: [7, z.string(), 'The path of the state before, such as `live.idle`. Empty if the instance began.'],
  to: [8, z.string(), 'The path of the state after.'],
  effects: [9, z.array(z.string()), 'The kinds of the effects it requested, in order.'],
  facts: [10, z.array(z.string()), 'The kinds of the facts it published.'],
});
export type Transition = z.infer<typeof Transition>;

/** The field that names a machine. */
export const computerName = [required(z.string().min(1)), 'Which machine, such as `agent` or `schedule`.'] as const;
