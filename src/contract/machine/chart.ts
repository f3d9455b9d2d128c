import { z } from 'zod';
import { message } from '#contract/message.ts';

/** A point of a chart, in pixels from its upper left corner. */
const ChartPoint = message('fact.v1.ChartPoint', {
  x: [1, z.int32(), 'Pixels from the left edge of the chart.'],
  y: [2, z.int32(), 'Pixels from its upper edge.'],
});

/** A state, and its position. */
const ChartNode = message('fact.v1.ChartNode', {
  id: [1, z.string(), 'Path of the state, such as `live.idle`.'],
  label: [2, z.string(), 'The text drawn in it.'],
  kind: [3, z.string(), '`state`, `group` (which contains states) or `final`.'],
  initial: [4, z.boolean(), 'Whether entering the surrounding group begins here.'],
  stays: [5, z.array(z.string()), 'Events it takes without leaving, each as `EVENT [guard]`.'],
  parent: [6, z.string(), 'Id of the surrounding group. Empty for the outermost.'],
  x: [7, z.int32(), 'Left edge, in pixels from the chart’s left.'],
  y: [8, z.int32(), 'Upper edge, in pixels from the chart’s top.'],
  width: [9, z.int32(), 'Breadth in pixels.'],
  height: [10, z.int32(), 'Extent downwards in pixels.'],
});

/** An arrow: every transition from one state to another. */
const ChartEdge = message('fact.v1.ChartEdge', {
  id: [1, z.string(), 'Names the arrow within the chart.'],
  from: [2, z.string(), 'Id of the node it starts at.'],
  to: [3, z.string(), 'Id of the node it leads to.'],
  labels: [4, z.array(z.string()), 'One line for each transition: `EVENT [guard]`, or `at once [guard]`.'],
  events: [5, z.array(z.string()), 'Types of its events. Empty for a transition without an event.'],
  points: [6, z.array(ChartPoint), 'Its bends, from its start to its end.'],
  labelAt: [7, ChartPoint, 'Upper left corner of its labels.'],
});

/** A machine laid out: what a browser draws as it is. */
export const Chart = message('fact.v1.Chart', {
  name: [1, z.string(), 'The machine that it draws, such as `agent`.'],
  hash: [2, z.string(), 'Changes whenever the machine’s definition does.'],
  width: [3, z.int32(), 'Breadth in pixels.'],
  height: [4, z.int32(), 'Extent downwards in pixels.'],
  nodes: [5, z.array(ChartNode), 'The states, with their places.'],
  edges: [6, z.array(ChartEdge), 'The arrows between states.'],
  anywhere: [7, z.array(z.string()), 'Events that every state takes without leaving, each as `EVENT [guard]`.'],
});
export type Chart = z.infer<typeof Chart>;
