import { z } from 'zod';
import { message } from '#contract/message.ts';

/** A point in a chart, in pixels from its top left corner. */
const ChartPoint = message('fact.v1.ChartPoint', {
  x: [1, z.int32(), 'Pixels from the left edge of the chart.'],
  y: [2, z.int32(), 'Pixels from the top edge of the chart.'],
});

/** A state, and its position. */
const ChartNode = message('fact.v1.ChartNode', {
  id: [1, z.string(), 'The path of the state, such as `live.idle`.'],
  label: [2, z.string(), 'The text drawn in it.'],
  kind: [3, z.string(), '`state`, `group` (which contains states) or `final`.'],
  initial: [4, z.boolean(), 'Whether it is the initial state of its group.'],
  stays: [5, z.array(z.string()), 'Events that it handles without leaving it, each as `EVENT [guard]`.'],
  parent: [6, z.string(), 'The id of the surrounding group. Empty for the outermost.'],
  x: [7, z.int32(), 'Its left edge, in pixels from the chart’s left edge.'],
  y: [8, z.int32(), 'Its top edge, in pixels from the chart’s top edge.'],
  width: [9, z.int32(), 'Its width in pixels.'],
  height: [10, z.int32(), 'Its height in pixels.'],
});

/** An arrow: all transitions from one state to another. */
const ChartEdge = message('fact.v1.ChartEdge', {
  id: [1, z.string(), 'The id of the arrow within the chart.'],
  from: [2, z.string(), 'The id of the node where it starts.'],
  to: [3, z.string(), 'The id of the node where it ends.'],
  labels: [4, z.array(z.string()), 'One line for each transition: `EVENT [guard]`, or `at once [guard]`.'],
  events: [5, z.array(z.string()), 'The types of its events. Empty for a transition without an event.'],
  points: [6, z.array(ChartPoint), 'Its points from start to end, including its bends.'],
  labelAt: [7, ChartPoint, 'The top left corner of its labels.'],
});

/** The laid-out chart of a machine, ready to draw. */
export const Chart = message('fact.v1.Chart', {
  name: [1, z.string(), 'The machine that it shows, such as `agent`.'],
  hash: [2, z.string(), 'Changes whenever the machine’s definition does.'],
  width: [3, z.int32(), 'Its width in pixels.'],
  height: [4, z.int32(), 'Its height in pixels.'],
  nodes: [5, z.array(ChartNode), 'The states and their positions.'],
  edges: [6, z.array(ChartEdge), 'The arrows between states.'],
  anywhere: [7, z.array(z.string()), 'Events that every state handles without leaving it, each as `EVENT [guard]`.'],
});
export type Chart = z.infer<typeof Chart>;
