import { machineNames } from '#machines/chart/definitions.ts';
import { type Drawing, drawingOf } from '#machines/chart/drawing.ts';

const opening = `# The machines

Everything in muster that has a state is a state machine. \`npm run docs\` generates the drawings and tables below from the
machines themselves; \`muster graph agent\` prints the same from a running service. A transition that is not listed is refused:
an operation that is not possible in a state answers \`failed_precondition\` and names the state.
`;

/** The page \`docs/machines.md\`: every machine drawn, and every transition in one table. */
export function machinePage(): string {
  const drawings = machineNames.map((name) => drawingOf(name)).filter((drawing) => drawing !== undefined);
  return [opening, ...drawings.map(machineSection)].join('\n');
}

function machineSection({ name, mermaid, transitions }: Drawing): string {
  const rows = transitions.map(
    ({ from, event, guard, to, effects }) =>
      `| ${from} | ${event || 'at once'} | ${guard} | ${from === '(any)' && to === '(any)' ? 'stays' : to} | ${effects.join(', ')} |`,
  );
  return [
    `## ${name}`,
    '',
    '```mermaid',
    mermaid,
    '```',
    '',
    '| from | event | only if | to | actions |',
    '|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}
