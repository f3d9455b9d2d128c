import { z } from 'zod';
import { message } from './message.ts';

/** A point of a chart, in pixels from its upper left corner. */
const ChartPoint = message('fact.v1.ChartPoint', { x: [1, z.int32()], y: [2, z.int32()] });

/** A state, and where it stands. */
const ChartNode = message('fact.v1.ChartNode', {
  /** The state's path, such as `live.idle`. */
  id: [1, z.string()],
  label: [2, z.string()],
  /** `state`, `group` (which has states in it) or `final`. */
  kind: [3, z.string()],
  /** Whether whoever enters the group around it begins here. */
  initial: [4, z.boolean()],
  /** Events that it takes without leaving, each as `EVENT [guard]`. */
  stays: [5, z.array(z.string())],
  /** The group around it; empty for the outermost. */
  parent: [6, z.string()],
  x: [7, z.int32()],
  y: [8, z.int32()],
  width: [9, z.int32()],
  height: [10, z.int32()],
});

/** An arrow: every transition from one state to another. */
const ChartEdge = message('fact.v1.ChartEdge', {
  id: [1, z.string()],
  from: [2, z.string()],
  to: [3, z.string()],
  /** One line a transition: `EVENT [guard]`, or `at once [guard]`. */
  labels: [4, z.array(z.string())],
  /** The types of its events; empty for a move that is made at once. */
  events: [5, z.array(z.string())],
  /** Its bends, from its start to its end. */
  points: [6, z.array(ChartPoint)],
  /** The upper left corner of its labels. */
  labelAt: [7, ChartPoint],
});

/** A machine laid out: what a browser draws as it is. */
export const Chart = message('fact.v1.Chart', {
  name: [1, z.string()],
  /** Tells this definition of the machine from any other. */
  hash: [2, z.string()],
  width: [3, z.int32()],
  height: [4, z.int32()],
  nodes: [5, z.array(ChartNode)],
  edges: [6, z.array(ChartEdge)],
  /** Events that are taken in every state without leaving it, each as `EVENT [guard]`. */
  anywhere: [7, z.array(z.string())],
});
export type Chart = z.infer<typeof Chart>;
