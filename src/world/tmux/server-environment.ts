import { quote } from './control-line.ts';
import type { Block } from './control-parser.ts';

/** The line that lists what a server gives every pane. */
export const environmentLine = 'show-environment -g';

/** What tmux itself adds to it. */
const own = new Set(['PWD']);

/**
 * The lines that have a server give new panes this environment, and nothing else; none if it does already. A server
 * keeps the environment that it was started with, and outlives whoever started it. `shown` answers `environmentLine`.
 */
export function environmentLines(
  shown: Block | undefined,
  environment: Readonly<Record<string, string>>,
): readonly string[] {
  const held = new Map(
    (shown?.lines ?? []).flatMap((line) => {
      const [, name, value] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? [];
      return name === undefined || value === undefined ? [] : [[name, value] as const];
    }),
  );
  const stale = [...held.keys()].filter((name) => environment[name] === undefined && !own.has(name));
  const changed = Object.entries(environment).filter(([name, value]) => held.get(name) !== value);
  return [
    ...stale.map((name) => `set-environment -g -u ${name}`),
    ...changed.map(([name, value]) => `set-environment -g -- ${quote(name)} ${quote(value)}`),
  ];
}
