import type { z } from 'zod';
import type { Paint } from '#cli/print/color.ts';
import type { Chart } from '#contract/machine/chart.ts';
import type { Transition } from '#contract/machine/transition.ts';
import type { explainMachine } from '#contract/operations/machine.ts';
import { printable } from '#contract/printable.ts';

/** The explanation of an instance at a moment. */
export type Moment = z.output<typeof explainMachine.response>;

/** How many transitions are shown above the possible next ones. */
const maxShown = 6;
/** How many changes of its context are shown. */
const changesShown = 12;
const maxOfValue = 60;

/** One line for a transition: time, event, states, effects and facts. */
export function transitionLine({
  seq = '',
  at = '',
  event = '',
  from = '',
  to = '',
  effects = [],
  facts = [],
}: Transition): string {
  const time = new Date(at).toTimeString().slice(0, 8);
  const way = from === to ? to : `${from || '·'} → ${to}`;
  const came = [...effects.map((kind) => `▸${kind}`), ...facts].join(' ');
  return printable(`${seq.padStart(6)}  ${time}  ${(event || 'begun').padEnd(18)} ${way}${came && `  (${came})`}`);
}

/**
 * An instance as a page of text: its last transitions, its machine's states with the current one marked, and possible
 * next transitions.
 */
export function instanceText(chart: Chart, moment: Moment, shown: readonly Transition[], paint: Paint): string {
  const { machine = '', name = '', subjectId = '', state = '' } = moment;
  return [
    paint('bold', printable(`${machine} ${name || subjectId}: ${state}`)),
    '',
    paint('bold', 'Last transitions'),
    ...shown.slice(-maxShown).map(transitionLine),
    ...changeLines(moment),
    '',
    ...stateLines(chart, state, paint),
    '',
    paint('bold', 'Possible next transitions'),
    ...nextLines(moment, paint),
    '',
  ].join('\n');
}

/** The changes of the last transition to the context. */
function changeLines({ changes = [] }: Moment): string[] {
  const lines = changes.map(({ path = '', before = '', after = '' }) =>
    printable(`        ${path}: ${clipped(before)} → ${clipped(after)}`),
  );
  const more = lines.length - changesShown;
  return [...lines.slice(0, changesShown), ...(more > 0 ? [`        … and ${more} more`] : [])];
}

function clipped(json: string): string {
  if (json === '') return 'nothing';
  return json.length <= maxOfValue ? json : `${json.slice(0, maxOfValue)}…`;
}

function stateLines({ nodes = [] }: Chart, state: string, paint: Paint, parent = '', depth = 0): string[] {
  return nodes
    .filter((node) => (node.parent ?? '') === parent)
    .flatMap(({ id = '', label = '', kind }) => {
      const isLit = state === id || state.startsWith(`${id}.`);
      const line = `${'  '.repeat(depth)}${isLit ? '●' : '○'} ${label}${kind === 'final' ? ' (the end)' : ''}`;
      const inner = stateLines({ nodes }, state, paint, id, depth + 1);
      return [paint(isLit ? ['cyan', 'bold'] : 'dim', line), ...(isLit || depth === 0 ? inner : [])];
    });
}

function nextLines({ next = [] }: Moment, paint: Paint): string[] {
  const lines = next.map(({ event = '', accepted, to = '', effects = [], refusedBy = [] }) =>
    accepted
      ? `  ${event.padEnd(18)} → ${to}${effects.length > 0 ? `  ▸${effects.join(' ▸')}` : ''}`
      : paint('dim', `  ${event.padEnd(18)} refused by ${refusedBy.join(', ') || 'its state'}`),
  );
  return lines.length > 0 ? [...new Set(lines)] : ['  nothing: it has ended'];
}
