import type { PaneState } from '#contract/agent/agent-state.ts';
import type { KnownScreen } from '#test/pane/confusion.ts';
import { outcomesOf } from '#test/pane/mutants/mutants.ts';
import type { Look } from './look.ts';

/**
 * Changes taken screens as an update of their CLI could, each change alone and every three together, and prints those
 * that read IDLE though the CLI worked or asked, or WAITING though it did not. Answers with their number.
 */
export function printChanged(harness: string, looks: readonly Look[]): number {
  const screens = looks.flatMap(({ step, truth, capture }): KnownScreen[] => {
    if (truth === 'menu') return [];
    const name = `${harness}/${step} ${capture.width}x${capture.height}`;
    return [{ name, harness, capture, state: `AGENT_STATE_${truth}` satisfies PaneState }];
  });
  const wrong = outcomesOf(screens, 'every').flatMap(({ falseRest, falseWait }) => [...falseRest, ...falseWait]);
  const lines = [
    `  changed: ${wrong.length} false of ${screens.length} screens`,
    ...wrong.map((line) => `  FALSE  ${line}`),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  return wrong.length;
}
