import { z } from 'zod';
import { int64, message } from './message.ts';

/** A move of a machine as it was written down: what came, and what it led to. */
export const Transition = message('fact.v1.Transition', {
  /** Place in the log of moves, from one. */
  seq: [1, int64()],
  machine: [2, z.string()],
  /** Whose move it was: an agent's, a schedule's, a firing's id, and so on. */
  subjectId: [3, z.string()],
  /** RFC 3339 in UTC. */
  at: [4, z.string()],
  /** The event's type; empty for the beginning of a life. */
  event: [5, z.string()],
  /** What the event said, as a JSON object. */
  eventDetail: [6, z.string()],
  /** The states' paths, such as `live.idle`; `from` is empty for the beginning of a life. */
  from: [7, z.string()],
  to: [8, z.string()],
  /** The effects that were asked for, by kind, in order. */
  effects: [9, z.array(z.string())],
  /** The facts that were told, by kind. */
  facts: [10, z.array(z.string())],
});
export type Transition = z.infer<typeof Transition>;
