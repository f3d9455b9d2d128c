import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import elk from 'elkjs/lib/elk.bundled.js';
import type { ElkExtendedEdge, ElkNode } from 'elkjs/lib/elk-api.js';
import { Chart } from '#contract/machine/chart.ts';
import { labelLines } from '#contract/machine/label-lines.ts';
import { type ChartNode, type ChartShape, chartShapeOf } from '#machines/chart/chart.ts';

/** The assumed width of a letter at 12 pixels, and the line height. Fixed, so that the layout fits any browser. */
const letter = { width: 7.3, line: 16 } as const;
const padding = { side: 14, node: 9, title: 26 } as const;

const options = {
  'elk.algorithm': 'layered',
  'elk.direction': 'DOWN',
  'elk.hierarchyHandling': 'INCLUDE_CHILDREN',
  'elk.edgeRouting': 'ORTHOGONAL',
  'elk.json.edgeCoords': 'ROOT',
  'elk.json.shapeCoords': 'ROOT',
  'elk.randomSeed': '1',
  'elk.edgeLabels.placement': 'CENTER',
  // With these options the agent's chart is a third as wide as by default, and fits into a window.
  'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
  'elk.layered.cycleBreaking.strategy': 'MODEL_ORDER',
  'elk.layered.compaction.postCompaction.strategy': 'EDGE_LENGTH',
  'elk.layered.spacing.nodeNodeBetweenLayers': '24',
  'elk.layered.spacing.edgeNodeBetweenLayers': '10',
  'elk.layered.spacing.edgeEdgeBetweenLayers': '8',
  'elk.spacing.nodeNode': '20',
  'elk.spacing.edgeEdge': '8',
  'elk.spacing.edgeNode': '10',
  'elk.spacing.edgeLabel': '4',
} as const;

/**
 * Lays out a machine's chart: the positions of states and the paths of arrows.
 * @throws Error when there is no such machine
 */
export async function layOut(name: string): Promise<Chart> {
  const shape = chartShapeOf(name);
  if (shape === undefined) throw new Error(`there is no machine ${name}`);
  const graph: ElkNode = {
    id: 'root',
    layoutOptions: { ...options },
    children: shape.nodes.map(elkNodeOf),
    edges: shape.edges.map(({ id, from, to, labels }) => ({
      id,
      sources: [from],
      targets: [to],
      labels: [{ text: labels.join('\n'), ...sizeOf(labelLines(labels)) }],
    })),
  };
  return chartOf(shape, await new elk.default().layout(graph));
}

/** The file with the layout of a machine's chart. */
export function chartFile(name: string): string {
  return fileURLToPath(new URL(`../../machines/charts/${name}.json`, import.meta.url));
}

/** Whether the stored layout belongs to the current definition of the machine. */
export function isLaidOut(name: string): boolean {
  const shape = chartShapeOf(name);
  const file = chartFile(name);
  if (shape === undefined || !existsSync(file)) return false;
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Chart;
  return kept.hash === shapeHash(shape);
}

/** A hash of a machine's definition and of the layout options. */
function shapeHash(shape: ChartShape): string {
  return createHash('sha256')
    .update(JSON.stringify([shape, options, letter, padding]))
    .digest('hex')
    .slice(0, 16);
}

function elkNodeOf({ id, label, stays, children }: ChartNode): ElkNode {
  const size = sizeOf([label, ...stays]);
  const top = padding.title + stays.length * letter.line;
  if (children.length === 0) {
    return { id, width: size.width + 2 * padding.side, height: size.height + 2 * padding.node };
  }
  return {
    id,
    children: children.map(elkNodeOf),
    layoutOptions: {
      'elk.padding': `[top=${top + 12},left=18,bottom=18,right=18]`,
      'elk.nodeSize.constraints': 'MINIMUM_SIZE',
      'elk.nodeSize.minimum': `(${size.width + 2 * padding.side}, ${top})`,
    },
  };
}

function sizeOf(lines: readonly string[]): { width: number; height: number } {
  const longest = Math.max(0, ...lines.map((line) => line.length));
  return { width: Math.ceil(longest * letter.width), height: lines.length * letter.line };
}

function chartOf(shape: ChartShape, laid: ElkNode): Chart {
  const places = new Map(allOf(laid).map((node) => [node.id, node]));
  const edges = new Map((laid.edges ?? []).map((edge) => [edge.id, edge]));
  return Chart.parse({
    name: shape.name,
    anywhere: [...shape.anywhere],
    hash: shapeHash(shape),
    width: round(laid.width),
    height: round(laid.height),
    nodes: flat(shape.nodes).map(({ node, parent }) => {
      const { x, y, width, height } = places.get(node.id) ?? {};
      const { id, label, kind, initial, stays } = node;
      const place = { x: round(x), y: round(y), width: round(width), height: round(height) };
      return { id, label, kind, initial, stays: [...stays], parent, ...place };
    }),
    edges: shape.edges.map(({ id, from, to, labels, events }) => {
      const edge = edges.get(id);
      const [label] = edge?.labels ?? [];
      return {
        id,
        from,
        to,
        labels: [...labels],
        events: [...events],
        points: pointsOf(edge),
        labelAt: { x: round(label?.x), y: round(label?.y) },
      };
    }),
  });
}

function pointsOf(edge: ElkExtendedEdge | undefined): { x: number; y: number }[] {
  const [section] = edge?.sections ?? [];
  if (section === undefined) return [];
  return [section.startPoint, ...(section.bendPoints ?? []), section.endPoint].map(({ x, y }) => ({
    x: round(x),
    y: round(y),
  }));
}

function flat(nodes: readonly ChartNode[], parent = ''): { node: ChartNode; parent: string }[] {
  return nodes.flatMap((node) => [{ node, parent }, ...flat(node.children, node.id)]);
}

function allOf(node: ElkNode): ElkNode[] {
  return [node, ...(node.children ?? []).flatMap(allOf)];
}

function round(value: number | undefined): number {
  return Math.round(value ?? 0);
}
