import { quote } from './control-line.ts';
import type { Block } from './control-parser.ts';

/** The line that lists the variables that a server gives every pane. */
export const environmentLine = 'show-environment -g';

/** The variables that tmux itself adds. */
const own = new Set(['PWD']);

/**
 * The lines that make a server give new panes exactly this environment; none if it does already. A server keeps the
 * environment that it was started with, and outlives the process that started it. `shown` is the answer to
 * `environmentLine`.
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
