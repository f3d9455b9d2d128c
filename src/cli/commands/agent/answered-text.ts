import { stateText } from '#cli/print/agent-state.ts';
import { inWords } from '#cli/print/words.ts';
import type { Agent } from '#contract/agent/agent.ts';
import { printable } from '#contract/printable.ts';
import { quoted } from '#contract/quoted.ts';

/** How many of the last pressed keys are named. */
const maxNamed = 8;

/** A typed line, or that it is hidden. */
export function typedLine(line: string, isSecret: boolean): string {
  return isSecret ? 'a hidden line' : quoted(line);
}

/** The input that was typed into an agent's pane, and its state now: `fix: typed "Ada", Enter; now THINKING`. */
export function answeredText(name: string, typed: readonly string[], agent: Agent): string {
  const state = stateText({ agent });
  if (typed.length === 0) return printable(`${name} is not waiting for an answer, it is ${state}`);
  const named = typed.slice(-maxNamed).join(', ');
  return printable(`${name}: typed ${typed.length > maxNamed ? `…, ${named}` : named}; now ${state}`);
}

/** Why a piece of an answer was not typed. */
export function whyDropped(pieces: string, error: unknown): string {
  if (error === undefined) return `not pressed, because the question has changed: ${pieces}`;
  return `${pieces}: ${inWords(error instanceof Error ? error.message : String(error))}`;
}
