import { z } from 'zod';
import { int64, message, required } from '#contract/message.ts';

/** A transition of a machine as it was recorded: what came, and what it led to. */
export const Transition = message('fact.v1.Transition', {
  seq: [1, int64(), 'Place in the log of transitions, from one and growing.'],
  machine: [2, z.string(), 'Which machine it is of, such as `agent`.'],
  subjectId: [3, z.string(), 'Which instance changed: the id of an agent, a schedule, a firing and so on.'],
  at: [4, z.string(), 'When it happened: RFC 3339, UTC.'],
  event: [5, z.string(), 'Type of the event that caused it. Empty if the instance began.'],
  eventDetail: [6, z.string(), 'What the event carried, as a JSON object.'],
  from: [7, z.string(), 'Path of the state it left, such as `live.idle`. Empty if the instance began.'],
  to: [8, z.string(), 'Path of the state it reached.'],
  effects: [9, z.array(z.string()), 'Effects it asked for, by kind, in order.'],
  facts: [10, z.array(z.string()), 'Facts it published, by kind.'],
});
export type Transition = z.infer<typeof Transition>;

/** The field that names a machine. */
export const machineName = [required(z.string().min(1)), 'Which machine, such as `agent` or `schedule`.'] as const;
