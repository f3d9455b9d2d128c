import type { CliIo } from '#cli/client/io.ts';
import type { Recording } from '#cli/client/recording.ts';
import { runInTerminal, shellLine } from '#cli/client/run-in-terminal.ts';
import { Failure } from '#contract/failure.ts';
import type { ScreenLabel } from '#contract/pane/recorded-screen.ts';
import { printable } from '#contract/printable.ts';
import { nextStep, type Step, steps } from './guide.ts';
import { type Instruction, labelWords, readInstruction, words } from './instruction.ts';
import type { LineSource } from './line-source.ts';
import { recordScreens } from './record-screens.ts';
import { screenText } from './screen-text.ts';

/** How a recording session ended: `done` to learn the rules, `quit` to stop for now. */
export type DriveEnd = 'done' | 'quit';

/** How long to wait for a text or an unchanging screen, in milliseconds. */
const waitMs = 120_000;
/** How long to wait for an unchanging screen before a key is pressed, in milliseconds. */
const settleMs = 1_500;
/** How often a screen is searched for a text, in milliseconds. */
const pollMs = 150;

/** The context of a session. */
export interface Drive {
  readonly io: CliIo;
  readonly recording: Recording;
  readonly lines: LineSource;
  /** Whether a person types the lines. Their mistakes are reported; a mistake in a script ends the session. */
  readonly isPerson: boolean;
}

/**
 * Executes instructions until `done`, `quit` or the end of the lines.
 * @throws INVALID_ARGUMENT with the number of the line of a script that cannot be done
 */
export async function drive(session: Drive): Promise<DriveEnd> {
  const { io, lines, isPerson, recording } = session;
  const skipped = new Set<Step>();
  if (isPerson) io.stderr.write(greeting(recording));
  for (let number = 1; ; number += 1) {
    const step = nextStep(labelsOf(recording), skipped);
    if (isPerson) io.stderr.write(promptFor(step));
    const line = await lines.next();
    if (line === undefined) return isPerson ? 'quit' : 'done';
    try {
      const instruction = readInstruction(line);
      if (instruction.kind === 'done' || instruction.kind === 'quit') return instruction.kind;
      if (instruction.kind === 'skip' && step !== undefined) skipped.add(step);
      await perform(session, instruction);
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      if (!isPerson) throw new Failure('INVALID_USAGE', `line ${number}: ${error.message}`, { cause: error });
      io.stderr.write(`${error.message}\n`);
    }
  }
}

function labelsOf(recording: Recording): ScreenLabel[] {
  const moments = new Map(recording.screens().map(({ label, moment }) => [`${label} ${moment}`, label]));
  return [...moments.values()];
}

function greeting(recording: Recording): string {
  const { folder, attach } = recording;
  const before = Object.entries(Object.groupBy(labelsOf(recording), (label) => label));
  const recorded = before.map(([label, moments]) => `${label} (${moments.length})`).join(', ');
  return (
    `\nThe CLI runs in a separate window. You bring it into a state, and name that state.\n` +
    `  open            shows it here; Ctrl-b d comes back\n` +
    `  rest, working…  names what it shows now; muster records it at two window sizes\n` +
    `  help            lists all words\n` +
    `Or see it in another terminal: ${shellLine(attach)}\n` +
    `Screens are kept in ${printable(folder)}.\n${recorded === '' ? '' : `Recorded before: ${recorded}\n`}`
  );
}

function promptFor(step: Step | undefined): string {
  if (step === undefined) return '\nAll steps are done. Record more, or: done\n> ';
  const place = `${steps.indexOf(step) + 1} of ${steps.length}`;
  return `\n${place}: ${step.title}\n${step.todo.map((line) => `  ${line}\n`).join('')}  Then: ${step.label} (or: skip, open, look, help)\n> `;
}

async function perform({ io, recording, lines }: Drive, instruction: Instruction): Promise<void> {
  switch (instruction.kind) {
    case 'record':
      return recordScreens(io, recording, instruction.label);
    case 'type':
      await recording.type(instruction.text);
      break;
    case 'key':
      // A CLI takes a key right after typed text for part of a paste, and a key right after Escape for Alt and that key.
      for (const key of instruction.keys) {
        await recording.still(settleMs);
        await recording.press([key]);
      }
      break;
    case 'wait':
      return waitFor(recording, instruction.text);
    case 'still':
      await recording.still(waitMs);
      return;
    case 'open':
      return open(io, recording, lines);
    case 'look':
      io.stderr.write(await shown(recording));
      return;
    case 'undo': {
      const label = recording.undo(instruction.label);
      const left = 'nothing more was recorded here; undo STATE also removes what an earlier session recorded\n';
      const none = instruction.label === undefined ? left : `no ${instruction.label} is recorded\n`;
      io.stderr.write(label === undefined ? none : `the last ${label} is removed\n`);
      return;
    }
    case 'help':
      io.stderr.write(help());
      return;
    default:
      return;
  }
}

async function open(io: CliIo, recording: Recording, lines: LineSource): Promise<void> {
  if (!io.stdin.isTTY || !io.stdout.isTTY) {
    throw new Failure('INVALID_USAGE', 'open needs a terminal: use type, key, wait and look instead');
  }
  lines.pause();
  await runInTerminal(recording.attach, { ...process.env, ...io.env });
}

async function shown(recording: Recording): Promise<string> {
  const { rows, dead } = await recording.capture();
  return `${screenText(rows)}\n${dead ? '(the CLI has ended)\n' : ''}`;
}

/** Waits until the screen shows a text. @throws INVALID_ARGUMENT when it does not in time */
async function waitFor(recording: Recording, text: string): Promise<void> {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const capture = await recording.capture();
    const said = screenText(capture.rows);
    if (said.includes(text)) return;
    if (capture.dead || performance.now() > deadline) {
      const why = capture.dead ? 'the CLI has ended' : `it did not appear within ${waitMs / 1_000} s`;
      throw new Failure(
        'INVALID_USAGE',
        `the screen does not show ${JSON.stringify(text)}: ${why}; it shows:\n${said}`,
      );
    }
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
}

function help(): string {
  const list = (pairs: readonly (readonly [string, string])[]) =>
    pairs.map(([word, about]) => `  ${word.padEnd(11)} ${about}\n`).join('');
  return `Record what it shows as:\n${list(labelWords)}Commands:\n${list(words)}`;
}
