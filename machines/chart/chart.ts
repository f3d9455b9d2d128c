import type { AnyStateNode, AnyTransitionDefinition } from 'xstate';
import { type DirectedGraphNode, toDirectedGraph } from 'xstate/graph';
import { findDefinition } from './definitions.ts';
import { nameOf } from './drawing.ts';

/** A state as a chart shows it. */
export interface ChartNode {
  /** The state's path, such as `live.idle`. */
  readonly id: string;
  readonly label: string;
  readonly kind: 'state' | 'group' | 'final';
  /** Whether it is the initial state of its parent. */
  readonly initial: boolean;
  /** Events that it accepts without leaving, each as `EVENT [guard]`. */
  readonly stays: readonly string[];
  readonly children: readonly ChartNode[];
}

/** An arrow: all transitions from one state to another. */
export interface ChartEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  /** One line for each transition: `EVENT [guard]`, or `at once [guard]`. */
  readonly labels: readonly string[];
  /** The types of its events; empty for an eventless transition. */
  readonly events: readonly string[];
}

/** A machine as it is laid out and drawn. */
export interface ChartShape {
  readonly name: string;
  readonly nodes: readonly ChartNode[];
  readonly edges: readonly ChartEdge[];
  /** Events that every state accepts without leaving, each as `EVENT [guard]`. */
  readonly anywhere: readonly string[];
}

/** The shape of a machine's chart, from its definition; undefined if there is no machine with that name. */
export function chartShapeOf(name: string): ChartShape | undefined {
  const machine = findDefinition(name)?.machine;
  if (machine === undefined) return undefined;
  const graph = toDirectedGraph(machine);
  return { name, nodes: graph.children.map(nodeOf), edges: edgesOf(graph), anywhere: selfTransitions(graph.stateNode) };
}

function nodeOf({ stateNode, children }: DirectedGraphNode): ChartNode {
  return {
    id: pathOf(stateNode),
    label: stateNode.key,
    kind: stateNode.type === 'final' ? 'final' : children.length > 0 ? 'group' : 'state',
    initial: stateNode.parent?.initial?.target?.[0] === stateNode,
    stays: selfTransitions(stateNode),
    children: children.map(nodeOf),
  };
}

function edgesOf(graph: DirectedGraphNode): ChartEdge[] {
  const edges = new Map<string, { from: string; to: string; labels: Set<string>; events: Set<string> }>();
  for (const transition of allOf(graph).flatMap(({ stateNode }) => transitionsOf(stateNode))) {
    if (stays(transition)) continue;
    for (const { from, to } of childTransitions(transition, graph)) {
      const id = `${from}->${to}`;
      const edge = edges.get(id) ?? { from, to, labels: new Set(), events: new Set() };
      edges.set(id, edge);
      edge.labels.add(textOf(transition));
      edge.events.add(transition.eventType);
    }
  }
  return [...edges].map(([id, { from, to, labels, events }]) => ({
    id,
    from,
    to,
    labels: [...labels],
    events: [...events],
  }));
}

/** The source and target states of transitions. A transition of the machine itself leads from every other state. */
function childTransitions(
  { source, target }: AnyTransitionDefinition,
  graph: DirectedGraphNode,
): { from: string; to: string }[] {
  const sources = source.parent === undefined ? graph.children.map(({ stateNode }) => stateNode) : [source];
  return sources.flatMap((from) =>
    (target ?? []).filter((to) => to !== from || source === from).map((to) => ({ from: pathOf(from), to: pathOf(to) })),
  );
}

function selfTransitions(node: AnyStateNode): string[] {
  return [...new Set(transitionsOf(node).filter(stays).map(textOf))];
}

function allOf(node: DirectedGraphNode): DirectedGraphNode[] {
  return [node, ...node.children.flatMap(allOf)];
}

function transitionsOf(node: AnyStateNode): AnyTransitionDefinition[] {
  return [...node.transitions.values()].flat().concat(node.always ?? []);
}

function stays({ source, target }: AnyTransitionDefinition): boolean {
  return target === undefined || target.every((one: AnyStateNode) => one === source);
}

function textOf({ eventType, guard }: AnyTransitionDefinition): string {
  const name = nameOf(guard);
  return `${eventType || 'at once'}${name && ` [${name}]`}`;
}

function pathOf(node: AnyStateNode): string {
  return node.path.join('.');
}
