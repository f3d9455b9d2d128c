import type { PlayedScreen } from '#test/rings/screens.ts';
import { retold, type Words } from './retold.ts';

/** What an agent's pane shows: a recorded screen, and the words of the task instead of those that were recorded. */
export interface Scene {
  readonly screen: string;
  /** The state that the screen is read as. */
  readonly state: 'IDLE' | 'THINKING' | 'WAITING' | 'UNCERTAIN';
  readonly words: Words;
}

const colour = (code: number, text: string): string => `\u001b[38;5;${code}m${text}\u001b[39m`;
const announced = 'I will use a tool for this.';
const paragraph = (number: number): string =>
  `Paragraph ${number}: the lab stub is streaming ordinary words so that the pane shows a turn in progress, one chunk after ` +
  'another, with nothing for a human to decide.';

/** Claude Code asks whether it may write a file. */
export const creating: Scene = {
  screen: 'claude/edit.ask',
  state: 'WAITING',
  words: {
    [announced]: 'Each page has a rule of its own. I put the one rule into a file that both import.',
    [`console.${colour(148, 'log')}(${colour(148, 'add')}(${colour(141, '1')}, ${colour(141, '2')}));`]: `${colour(197, 'export')} ${colour(81, 'const')} graceMs = ${colour(141, '30_000')};`,
    'edit add.js': 'Say when a session ends',
    'add.js': 'src/expiry.js',
    [colour(148, 'add')]: colour(148, 'isExpired'),
    'a, b': 'session, now',
    'a + b': 'session.endsAt <= now',
  },
};

/** Codex asks whether it may run a command. */
export const migrating: Scene = {
  screen: 'codex/toolno.ask',
  state: 'WAITING',
  words: {
    'tool touch lab-run.txt': 'Export the ledger as one CSV a month.',
    [announced]: 'The export needs the new column. I add it to the test database first.',
    'Do you want to run the lab command outside the sandbox?': 'May I migrate the test database outside the sandbox?',
    [`touch\u001b[38;2;205;214;244m lab-run.txt`]: `npm\u001b[38;2;205;214;244m run migrate -- --to test`,
    'touch lab-run.txt': 'npm run migrate',
  },
};

/** Claude Code asks a question of its own. */
export const choosing: Scene = {
  screen: 'claude/ask.ask',
  state: 'WAITING',
  words: {
    [`${colour(231, 'ask')}`]: colour(231, 'Give the docs a search that works offline.'),
    [announced]: 'Each place has a price, so I ask before I build one.',
    'Which storage should the lab use?': 'Where should the search index be built?',
    Storage: 'Index',
    Postgres: 'In CI',
    'A server database': 'One file, published with the pages',
    SQLite: 'On a server',
    'One file, no server': 'Fresh within a minute, and one more thing to run',
    Files: 'In the browser',
    'Plain JSON on disk': 'Nothing to publish, slow on phones',
  },
};

/** Claude Code has made a plan. */
export const planned: Scene = {
  screen: 'claude/plan.ask',
  state: 'WAITING',
  words: {
    [colour(231, 'plan')]: colour(231, 'Add a dark mode to the site.'),
    'The plan is ready.': 'One colour token per role, a dark set of them, and no colour by hand in any component.',
  },
};

/** Claude Code with an unsent draft. */
export const drafted: Scene = {
  screen: 'claude/typed',
  state: 'UNCERTAIN',
  words: { 'please look at the README and': 'then check the rates of March' },
};

/** Claude Code thinks about a task. */
export function pondering(task: string): Scene {
  return { screen: 'claude/think.mid', state: 'THINKING', words: { 'think 8s': task } };
}

/** Claude Code writes an answer. */
export function writing(task: string, first: string, second: string): Scene {
  const words = { 'slow 10s': task, [paragraph(1)]: first, [paragraph(2)]: second };
  return { screen: 'claude/stream.mid', state: 'THINKING', words };
}

/** Claude Code has ended its turn. */
export function finished(task: string, answer: string): Scene {
  return {
    screen: 'claude/think.done',
    state: 'IDLE',
    words: { 'think 8s': task, 'Finished after thinking.': answer },
  };
}

/** Claude Code has ended its turn with a long answer, a paragraph each. */
export function reported(task: string, answer: readonly string[]): Scene {
  const paragraphs = answer.map((text, at): [string, string] => [paragraph(at + 1), text]);
  return {
    screen: 'claude/stream.done',
    state: 'IDLE',
    words: { 'slow 10s': task, ...Object.fromEntries(paragraphs) },
  };
}

/** Codex works on a task. */
export function working(task: string): Scene {
  return { screen: 'codex/wait.mid', state: 'THINKING', words: { 'wait 9s': task } };
}

/** Codex thinks aloud. */
export function considering(task: string, thought: string): Scene {
  const steps = [1, 2, 3].map((step) => `Considering step ${step} of the lab plan.`).join(' ');
  const recorded = `${steps} Considering step 4 of the lab`;
  return { screen: 'codex/think.mid', state: 'THINKING', words: { 'think 8s': task, [recorded]: thought } };
}

/** Codex repeats a request that its model's service refused. */
export function reconnecting(task: string): Scene {
  return { screen: 'codex/error429.retry', state: 'THINKING', words: { 'error 429': task } };
}

/** Codex has ended its turn. */
export function answered(task: string, answer: string): Scene {
  const recorded = 'Hello from the lab stub. This is a short reply and the turn ends here.';
  return { screen: 'codex/reply', state: 'IDLE', words: { 'reply please': task, [recorded]: answer } };
}

/** What a pane shows in a folder. */
export function screenOf({ screen, words }: Scene, folder: string): PlayedScreen {
  return retold(screen, folder, words);
}

/** What each CLI shows before it gets a scene: at rest, and at work on its first prompt. */
export function firstScreens(harness: 'claude' | 'codex', folder: string): { rest: PlayedScreen; turn: PlayedScreen } {
  const [rest, turn] =
    harness === 'claude' ? ['claude/fresh', 'claude/think.mid'] : ['codex/daemon.fresh', 'codex/wait.mid'];
  return { rest: retold(rest, folder, {}), turn: retold(turn, folder, {}) };
}
