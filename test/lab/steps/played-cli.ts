import { silentMs } from '#machines/pane/region.ts';
import { claude } from '../cli/claude.ts';
import { cline } from '../cli/cline.ts';
import { codex } from '../cli/codex.ts';
import { copilot } from '../cli/copilot.ts';
import type { CliSetUp } from '../cli/definition.ts';
import { gemini } from '../cli/gemini.ts';
import { kilo } from '../cli/kilo.ts';
import { opencode } from '../cli/opencode.ts';
import { pi } from '../cli/pi.ts';
import type { Pin } from '../cli/pins.ts';
import { qwen } from '../cli/qwen.ts';

/** How a CLI is led through the steps. */
export interface PlayedCli {
  readonly setUp: CliSetUp;
  /** Its arguments, at a start and when it takes up its last conversation; undefined if it takes up none by itself. */
  readonly start: readonly string[];
  readonly resume: readonly string[] | undefined;
  /** What its screen shows once it takes what is typed. */
  readonly ready: RegExp;
  /** Keys that end a turn, and what leaves the CLI. */
  readonly interrupt: readonly string[];
  readonly quit: string;
  /** A command that opens a picker, and one that begins a new conversation. */
  readonly picker: string;
  readonly clear: string;
  /** Whether it asks before it runs a command, and before it writes a file. */
  readonly asksToRun: boolean;
  readonly asksToWrite: boolean;
  /** How long after a failed request it asks the model again at the latest, in milliseconds. */
  readonly retryMs: number;
  /** How long it must print nothing until that proves that its turn has ended, in milliseconds; undefined if it never does. */
  readonly silenceMs?: number;
  /** Keys, by tmux's names, that its documentation gives a page, a picker or a mode to. */
  readonly keys: readonly string[];
  /** A key that shows nothing, gives the next one another meaning, and is forgotten after so many milliseconds. */
  readonly leader?: { readonly key: string; readonly ms: number };
}

const common = ['?', 'C-r', 'C-o', 'C-t', 'C-g', 'C-l', 'C-s', 'C-x', 'C-e', 'C-p', 'C-n', 'C-y', 'C-b', 'C-f', 'BTab'];
const more = [
  'Escape Escape',
  'M-p',
  'M-m',
  'M-t',
  'M-o',
  'F1',
  'F2',
  'F12',
  '!',
  '@',
  '#',
  '&',
  'Tab',
  'Up',
  'Down',
  'Left',
];
const keys: readonly string[] = [...common, ...more];

const usual = {
  interrupt: ['Escape'],
  picker: '/model',
  clear: '/clear',
  asksToRun: true,
  asksToWrite: true,
  retryMs: 9_000,
  keys,
};

/** How opencode and its forks are led. */
const likeOpencode = {
  ...usual,
  start: [],
  resume: ['--continue'],
  ready: /Ask anything|ctrl\+p/,
  interrupt: ['Escape', 'Escape'],
  picker: '/models',
  clear: '/new',
  quit: '/exit',
  asksToWrite: false,
  leader: { key: 'C-x', ms: 2_500 },
};

/** Without it Codex has no tool to ask a person by. */
const codexQuestions = ['-c', 'features.default_mode_request_user_input=true'];

/** Every CLI that is led through the steps, by its name. */
const playedClis: Readonly<Record<string, PlayedCli>> = {
  claude: {
    ...usual,
    setUp: claude,
    start: ['--permission-mode', 'manual'],
    resume: ['--permission-mode', 'manual', '--continue'],
    ready: /^❯/m,
    quit: '/exit',
    retryMs: 25_000,
    leader: { key: 'C-x', ms: 5_000 },
  },
  codex: {
    ...usual,
    setUp: codex,
    start: ['--no-daemon', ...codexQuestions],
    resume: ['resume', '--last', '--no-daemon', ...codexQuestions],
    ready: /(?:gpt|GPT)-\S+ \S+ · [~/]/,
    quit: '/quit',
  },
  gemini: {
    ...usual,
    setUp: gemini,
    start: [],
    resume: ['--resume', 'latest'],
    ready: /Type your message/,
    quit: '/quit',
  },
  opencode: { ...likeOpencode, setUp: opencode },
  kilo: { ...likeOpencode, setUp: kilo, retryMs: 60_000 },
  qwen: {
    ...usual,
    setUp: qwen,
    start: ['--approval-mode', 'default'],
    resume: ['--approval-mode', 'default', '--continue'],
    ready: /Type your message/,
    quit: '/quit',
  },
  copilot: {
    ...usual,
    setUp: copilot,
    start: [],
    resume: ['--continue'],
    ready: /❯/,
    interrupt: ['Escape', 'Escape'],
    quit: '/exit',
    retryMs: 25_000,
  },
  pi: {
    ...usual,
    setUp: pi,
    start: [],
    resume: ['--continue'],
    ready: /stub-model/,
    clear: '/new',
    quit: '/quit',
    asksToRun: false,
    asksToWrite: false,
  },
  cline: {
    ...usual,
    setUp: cline,
    start: ['--tui', '--auto-approve', 'false'],
    resume: undefined,
    ready: /Auto-approve/,
    // tmux counts whole seconds.
    silenceMs: silentMs + 1_000,
    picker: '/settings',
    quit: '/exit',
  },
};

/** How a version of a CLI is led through the steps. @throws Error when none are known for it */
export function playedCli(harness: string, { lacks = [] }: Pin): PlayedCli {
  const cli = playedClis[harness];
  if (cli === undefined) throw new Error(`no steps are known for ${harness}`);
  const known = (args: readonly string[]): readonly string[] => args.filter((arg) => !lacks.includes(arg));
  return { ...cli, start: known(cli.start), resume: cli.resume && known(cli.resume) };
}
