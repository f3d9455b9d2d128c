import type { AnyStateNode } from 'xstate';
import { findDefinition } from './definitions.ts';

/** A transition of a machine. */
export interface DrawnTransition {
  readonly from: string;
  /** The event's type; empty for an eventless transition. */
  readonly event: string;
  /** The guard's name; empty if there is none. */
  readonly guard: string;
  readonly to: string;
  /** The names of the actions, first those of the transition, then those of the entered state. */
  readonly effects: readonly string[];
}

/** A description of a machine, from its definition. */
export interface Drawing {
  readonly name: string;
  /** A Mermaid state diagram. */
  readonly mermaid: string;
  readonly transitions: readonly DrawnTransition[];
  /** The XState configuration as JSON, without functions. */
  readonly definition: string;
}

/** The description of a machine; undefined if there is no machine with that name. */
export function drawingOf(name: string): Drawing | undefined {
  const machine = findDefinition(name)?.machine;
  if (machine === undefined) return undefined;
  const nodes = nodesOf(machine.root);
  const transitions = nodes.flatMap(transitionsOf);
  return {
    name,
    mermaid: mermaidOf(machine.root, transitions),
    transitions,
    definition: JSON.stringify(machine.config),
  };
}

function nodesOf(node: AnyStateNode): AnyStateNode[] {
  return [node, ...Object.values(node.states).flatMap(nodesOf)];
}

function transitionsOf(node: AnyStateNode): DrawnTransition[] {
  const listed = [...node.transitions.values()].flat().concat(node.always ?? []);
  return listed.flatMap((transition) =>
    (transition.target ?? [node]).map((target: AnyStateNode) => ({
      from: pathOf(node),
      event: transition.eventType,
      guard: nameOf(transition.guard),
      to: pathOf(target),
      effects: [...transition.actions, ...(transition.target ? target.entry : [])].map(nameOf),
    })),
  );
}

function pathOf(node: AnyStateNode): string {
  return node.path.join('.') || '(any)';
}

/** The name of a guard or an action; empty if there is none. */
export function nameOf(named: unknown): string {
  if (typeof named === 'string') return named;
  return (named as { type?: string } | undefined)?.type ?? '';
}

function mermaidOf(root: AnyStateNode, transitions: readonly DrawnTransition[]): string {
  const arrows = transitions
    .filter(({ from }) => from !== '(any)')
    .map(
      ({ from, to, event, guard }) => `  ${idOf(from)} --> ${idOf(to)}: ${event || 'at once'}${guard && ` [${guard}]`}`,
    );
  return ['stateDiagram-v2', ...statesOf(root, '  '), ...new Set(arrows)].join('\n');
}

function statesOf(node: AnyStateNode, indent: string): string[] {
  const initial = node.initial?.target?.[0];
  const lines = initial ? [`${indent}[*] --> ${idOf(pathOf(initial))}`] : [];
  for (const child of Object.values(node.states)) {
    const inner = statesOf(child, `${indent}  `);
    const declared = `${indent}state "${child.key}" as ${idOf(pathOf(child))}`;
    lines.push(...(inner.length > 0 ? [`${declared} {`, ...inner, `${indent}}`] : [declared]));
    if (child.type === 'final') lines.push(`${indent}${idOf(pathOf(child))} --> [*]`);
  }
  return lines;
}

function idOf(path: string): string {
  return path.replaceAll('.', '_');
}
