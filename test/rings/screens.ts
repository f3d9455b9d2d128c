import type { PaneState } from '#contract/agent/agent-state.ts';
import { claude } from '#machines/harness/claude.ts';
import { read } from '#machines/pane/read.ts';
import { loadSamples, type Sample } from '#test/pane/screen-corpus.ts';

/** A screen as the player shows it. */
export interface PlayedScreen {
  readonly name: string;
  readonly state: PaneState;
  readonly rows: readonly string[];
  readonly cursor: { readonly row: number; readonly column: number };
  /** Whether what is pasted shows. */
  readonly echoes: boolean;
  /** Whether what is typed shows; it does not if this is left out. */
  readonly types?: boolean;
  /** The title of its pane; unchanged if this is left out. */
  readonly title?: string;
}

const untitled = { title: '', programStatus: '', progress: '', command: 'node' };

/** The screens of the real Claude Code of this size that say what they show on their own, without a title. */
export const playedScreens: readonly PlayedScreen[] = loadSamples()
  .filter(({ name, capture }) => name.startsWith('claude/') && capture.width === 200 && capture.height === 50)
  .filter(({ capture, state }) => read(claude.screens, { ...capture, ...untitled }).state === state)
  .map(playedOf);

function playedOf({ name, capture: { rows, height, cursor }, state }: Sample): PlayedScreen {
  return { name, state, rows: rows.slice(0, height), cursor, echoes: state === 'AGENT_STATE_IDLE' };
}

/** A screen of any CLI by its name, with its title. */
export function titledScreen(name: string): PlayedScreen {
  const found = loadSamples().find((sample) => sample.name === name);
  if (found === undefined) throw new Error(`there is no screen ${name}`);
  return { ...playedOf(found), title: found.capture.title };
}

/** A screen of Claude Code by its name. */
export function playedScreen(name: string): PlayedScreen {
  const found = playedScreens.find((screen) => screen.name === name);
  if (found === undefined) throw new Error(`there is no screen ${name}`);
  return found;
}
