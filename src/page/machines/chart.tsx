import { memo } from 'react';
import { labelLines } from '#contract/machine/label-lines.ts';
import type { Chart, ChartEdge, ChartNode, Transition } from '#page/client/fact/v1/fact_pb.js';
import './chart.css';
import { groupsOf, isTaken } from './lit.ts';

const line = 16;

interface ChartProps {
  readonly chart: Chart;
  /** The highlighted state; empty if no instance is selected. */
  readonly state: string;
  /** The transition that led to it. */
  readonly transition: Transition | undefined;
  /** The state to which the hovered event would lead. */
  readonly ahead: string;
  /** How many instances are in each state; undefined if that is not shown. */
  readonly counts: ReadonlyMap<string, number> | undefined;
  /** The state to which the list of instances is narrowed; empty for all. */
  readonly within: string;
  /** Called when a state is clicked. */
  readonly onChoose: (state: string) => void;
}

/** The chart of a machine in its precomputed layout, with the current state highlighted. */
export const ChartDrawing = memo(function ChartDrawing(props: ChartProps) {
  const { chart, state, transition, ahead, counts, within, onChoose } = props;
  const lit = groupsOf(state);
  const wanted = groupsOf(ahead);
  const said = state === '' ? `Chart of ${chart.name}` : `Chart of ${chart.name}, at ${state}`;
  const taken = new Set(chart.edges.filter((edge) => isTaken(edge, transition)).map(({ id }) => id));
  return (
    <svg
      className="chart"
      role="img"
      aria-label={said}
      viewBox={`0 0 ${chart.width} ${chart.height}`}
      width={chart.width}
      height={chart.height}
      data-lit={state !== ''}
    >
      <defs>
        {['plain', 'taken'].map((kind) => (
          <marker
            key={kind}
            id={`tip-${kind}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerUnits="userSpaceOnUse"
            markerWidth="8"
            markerHeight="8"
            orient="auto"
          >
            <path d="M0 0.5 L7.5 4 L0 7.5 z" className={`tip ${kind}`} />
          </marker>
        ))}
      </defs>
      {chart.nodes.map((node) => (
        <State
          key={node.id}
          node={node}
          lit={lit.has(node.id)}
          ahead={ahead !== '' && wanted.has(node.id)}
          count={counts?.get(node.id)}
          isWithin={node.id === within}
          onChoose={onChoose}
        />
      ))}
      {chart.edges.map((edge) => (
        <Arrow key={edge.id} edge={edge} taken={taken.has(edge.id)} />
      ))}
    </svg>
  );
});

interface StateProps {
  readonly node: ChartNode;
  readonly lit: boolean;
  readonly ahead: boolean;
  readonly count: number | undefined;
  readonly isWithin: boolean;
  readonly onChoose: (state: string) => void;
}

function State({ node, lit, ahead, count, isWithin, onChoose }: StateProps) {
  const { id, x, y, width, height, label, kind, initial, stays } = node;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: what it does by mouse the list of states does by keyboard
    <g
      className="state"
      data-state={id}
      data-kind={kind}
      data-lit={lit}
      data-ahead={ahead}
      data-within={isWithin}
      onClick={() => onChoose(id)}
    >
      <rect x={x} y={y} width={width} height={height} rx="7" />
      {kind === 'final' && <rect x={x + 3} y={y + 3} width={width - 6} height={height - 6} rx="5" className="inner" />}
      {initial && <circle cx={x} cy={y + 14} r="4" className="initial" />}
      <text x={x + 14} y={y + 20} className="name">
        {label}
      </text>
      {stays.map((text, place) => (
        <text key={text} x={x + 14} y={y + 20 + (place + 1) * line} className="stays">
          {text}
        </text>
      ))}
      {count !== undefined && count > 0 && (
        <g className="count">
          <rect
            x={x + width - 14 - 7 * String(count).length}
            y={y - 9}
            width={14 + 7 * String(count).length}
            height="18"
            rx="9"
          />
          <text x={x + width - 7 - 3.5 * String(count).length} y={y + 4} textAnchor="middle">
            {count}
          </text>
        </g>
      )}
    </g>
  );
}

function Arrow({ edge, taken }: { readonly edge: ChartEdge; readonly taken: boolean }) {
  const { points, labels, labelAt } = edge;
  return (
    <g className="arrow" data-taken={taken} data-arrow={edge.id}>
      <polyline
        points={points.map(({ x, y }) => `${x},${y}`).join(' ')}
        markerEnd={`url(#tip-${taken ? 'taken' : 'plain'})`}
      />
      {labelLines(labels).map((text, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: equal lines stand in their order
        <text key={place} x={labelAt?.x ?? 0} y={(labelAt?.y ?? 0) + 12 + place * line}>
          {text}
        </text>
      ))}
    </g>
  );
}
