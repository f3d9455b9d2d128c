import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import type { CliIo } from '#cli/client/io.ts';
import type { LearnedHarness, Recording, RecordingRequest } from '#cli/client/recording.ts';
import { shellLine } from '#cli/client/run-in-terminal.ts';
import type { Session } from '#cli/client/session.ts';
import { type OutputFlags, writeRecord } from '#cli/print/output.ts';
import { Failure } from '#contract/failure.ts';
import { printable, printableJson } from '#contract/printable.ts';
import { learnedText } from './assurance.ts';
import { isConfirmed } from './confirm-written.ts';
import { type Drive, drive } from './drive.ts';
import { type LineSource, linesOfInput, linesOfText } from './line-source.ts';
import { screenText } from './screen-text.ts';

/** The flags of `muster harness add`. */
export interface AddFlags extends OutputFlags {
  readonly program?: string;
  readonly like?: string;
  readonly cwd?: string;
  readonly env?: readonly string[];
  readonly script?: string;
  readonly resume?: true;
  readonly scaffold?: true;
}

/** The minimum size of the terminal, in cells. */
const minSize = { columns: 80, rows: 24 } as const;
const large = { columns: 200, rows: 50 } as const;
/** How long a CLI may take to its first screen, in milliseconds. */
const startMs = 60_000;

/** Whether to record the screens of a CLI; otherwise only a file is written for a person to edit. */
export function isRecorded({ io }: Session, command: readonly string[], flags: AddFlags): boolean {
  if (flags.scaffold) return false;
  return command.length > 0 || flags.script !== undefined || flags.resume === true || io.stdin.isTTY === true;
}

/**
 * Starts a CLI, records its screens with the labels of a person or a script, and learns rules from them.
 * @throws INVALID_ARGUMENT, ALREADY_EXISTS, UNAVAILABLE when the CLI does not start
 */
export async function addRecorded(
  session: Session,
  name: string,
  words: readonly string[],
  flags: AddFlags,
): Promise<void> {
  const { io } = session;
  const lines = await linesOf(io, flags);
  try {
    const learned = await record(session, requestOf(io, name, words, flags), lines, flags.script === undefined);
    if (learned === undefined) {
      io.stderr.write(`Nothing is written. The screens are kept; continue with: muster harness add ${name} --resume\n`);
      return;
    }
    const isPerson = flags.script === undefined;
    if (isPerson) io.stderr.write(`${learnedText(learned)}\n${launchText(learned)}`);
    const agreed = isPerson && (await agrees(io, lines));
    const confirmed = agreed && (await isConfirmed(session, name, learned.digest));
    const text = isPerson ? '' : learnedText(learned);
    writeRecord(io, flags, { ...learned, confirmed }, () => `${text}${nextText(name, agreed, confirmed)}`);
  } finally {
    lines.close();
  }
}

/** The source of instructions. @throws INVALID_ARGUMENT when there is neither a terminal nor a script */
async function linesOf(io: CliIo, { script }: AddFlags): Promise<LineSource> {
  if (script !== undefined) return linesOfText(await scriptText(io, script));
  if (io.stdin.isTTY !== true || !io.stdout.isTTY) {
    throw new Failure(
      'INVALID_USAGE',
      'this is not a terminal, so the screens cannot be labelled: run it in one, or give --script FILE',
    );
  }
  const { columns = 0, rows = 0 } = io.stdout;
  if (columns < minSize.columns || rows < minSize.rows) {
    throw new Failure(
      'INVALID_USAGE',
      `this terminal has ${columns}x${rows} cells: make it at least ${minSize.columns}x${minSize.rows}`,
    );
  }
  return linesOfInput(io);
}

async function scriptText(io: CliIo, script: string): Promise<string> {
  if (script === '-') return text(Readable.from(io.stdin));
  try {
    return await readFile(resolve(io.cwd, script), 'utf8');
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw new Failure('INVALID_USAGE', `the script ${script} cannot be read: ${said}`, { cause: error });
  }
}

function requestOf(io: CliIo, name: string, words: readonly string[], flags: AddFlags): RecordingRequest {
  const { columns = 0, rows = 0 } = io.stdout;
  const given = words.length === 0 && flags.program !== undefined ? [flags.program] : words;
  // The CLI runs in another folder, so relative paths of files here become absolute.
  const command = given.map((word) =>
    isRelative(word) && existsSync(resolve(io.cwd, word)) ? resolve(io.cwd, word) : word,
  );
  return {
    name,
    command,
    like: flags.like,
    cwd: flags.cwd === undefined ? undefined : resolve(io.cwd, flags.cwd),
    variables: flags.env ?? [],
    resume: flags.resume === true,
    size: columns >= large.columns && rows >= large.rows ? large : minSize,
  };
}

function isRelative(path: string): boolean {
  return path.includes('/') && !isAbsolute(path);
}

/** Records screens and learns rules; undefined if the person stops for now. */
async function record(
  session: Session,
  request: RecordingRequest,
  lines: LineSource,
  isPerson: boolean,
): Promise<LearnedHarness | undefined> {
  const { io } = session;
  const opening = (await session.local()).record(request);
  const release = onInterrupt(async () => {
    const recording = await opening;
    await recording.close();
    io.stderr.write(`\nStopped; the screens are kept in ${printable(recording.folder)}\n`);
  });
  try {
    const recording = await opening;
    try {
      await started(io, recording);
      const how: Drive = { io, recording, lines, isPerson };
      return (await drive(how)) === 'done' ? recording.learn() : undefined;
    } finally {
      await recording.close();
    }
  } finally {
    release();
  }
}

/** Waits for the first screen. @throws UNAVAILABLE when the CLI ends at once */
async function started(io: CliIo, recording: Recording): Promise<void> {
  const command = shellLine(recording.command);
  io.stderr.write(`Starting ${printable(command)} …\n`);
  const { dead, rows } = await recording.still(startMs);
  if (!dead) return;
  const last = screenText(rows).split('\n').slice(-15).join('\n');
  throw new Failure(
    'PROGRAM_NOT_STARTED',
    `${command} ended immediately after its start; its last lines:\n${last || '(none)'}`,
  );
}

function launchText({ path, launch }: LearnedHarness): string {
  return `${printable(path)} launches it like this:\n${printableJson(JSON.parse(launch), 2)}\n`;
}

/** Whether the person confirms the launch part. */
async function agrees(io: CliIo, lines: LineSource): Promise<boolean> {
  io.stderr.write('May agents run it like this? [y/N] ');
  return /^y(?:es)?$/i.test((await lines.next())?.trim() ?? '');
}

function nextText(name: string, agreed: boolean, confirmed: boolean): string {
  if (confirmed) return `Agents may run it: muster workflow create ${name} --harness ${name}\n`;
  const why = agreed ? 'The service did not accept that, or is not running. ' : '';
  return `${why}Agents run it once a person has run: muster harness confirm ${name}\n`;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Cleans up and exits on SIGINT and SIGTERM. Returns a function that restores the default handling. */
function onInterrupt(cleanUp: () => Promise<void>): () => void {
  const handlers = signals.map((signal) => {
    const handler = (): void => {
      void cleanUp().finally(() => process.exit(signal === 'SIGINT' ? 130 : 143));
    };
    process.on(signal, handler);
    return { signal, handler };
  });
  return () => {
    for (const { signal, handler } of handlers) process.off(signal, handler);
  };
}
