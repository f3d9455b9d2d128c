import { type Command, CommanderError } from 'commander';
import { exitCodeOf } from '#cli/client/exit-code.ts';
import { type CliIo, processIo } from '#cli/client/io.ts';
import type { OpenLocalCommands } from '#cli/client/local.ts';
import { openSession } from '#cli/client/session.ts';
import { reportFailure } from '#cli/print/report-failure.ts';
import { Failure } from '#contract/failure.ts';
import { printableLines } from '#contract/printable.ts';
import { showTopic } from './help/show-topic.ts';
import { buildProgram } from './program.ts';
import { offerFirst } from './rpc/offer.ts';
import { inKnownWords, refuseToGuess } from './synonym.ts';
import { usageFault } from './usage-fault.ts';

/**
 * Runs one command and returns the exit code. `said` are the words after `muster`; `openLocal` opens what this computer
 * does without the service. Data goes to standard output; a failure goes to standard error, as Connect's JSON if the
 * output format is JSON.
 */
export async function runCli(
  said: readonly string[],
  openLocal: OpenLocalCommands,
  io: CliIo = processIo(),
): Promise<number> {
  const argv = inKnownWords(withHelpLast(said));
  const session = openSession(io, openLocal);
  try {
    refuseToGuess(argv);
    if (argv[0] === 'help' && (await showTopic(argv, io))) return session.exitCode;
    await perform(await buildProgram(argv, session), argv);
    return session.exitCode;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0;
    // A subcommand is missing, and commander has printed the group's help, which is enough.
    if (error instanceof CommanderError && error.code === 'commander.help') return exitCodeOf('invalid_argument');
    return report(error instanceof Failure ? await offerFirst(error, argv, session) : error, argv, io);
  }
}

async function perform(program: Command, argv: readonly string[]): Promise<void> {
  refuseUnknownTopic(program, argv);
  if (argv.length === 0 || argv.join(' ') === 'help help') return program.outputHelp();
  try {
    await program.parseAsync([...argv], { from: 'user' });
  } catch (error) {
    throw error instanceof CommanderError ? usageFault(error, program, argv) : error;
  }
}

/** Commander would print the whole help, and say nothing of the word. */
function refuseUnknownTopic(program: Command, argv: readonly string[]): void {
  const [first, second] = argv;
  const name = first === 'help' ? second : argv.includes('--help') ? first : undefined;
  if (name === undefined || name.startsWith('-') || name === 'help') return;
  if (program.commands.some((command) => command.name() === name || command.aliases().includes(name))) return;
  const way = 'muster --help lists the commands, and muster help topics the topics';
  throw new Failure('INVALID_USAGE', `There is no command or topic ${JSON.stringify(name)}: ${way}`);
}

/** Turns `help mail send` into `mail send --help`, which supports subcommands. */
function withHelpLast(said: readonly string[]): readonly string[] {
  const [first, ...words] = said;
  return first === 'help' && words.length > 1 ? [...words, '--help'] : said;
}

function report(error: unknown, argv: readonly string[], io: CliIo): number {
  if (error instanceof Failure)
    return reportFailure(io, error, wantsJson(argv) ? 'json' : isRpc(argv) ? 'wire' : 'words');
  io.stderr.write(`muster failed because of a bug of its own: ${printableLines(String(stackOf(error)))}\n`);
  return 1;
}

function isRpc(argv: readonly string[]): boolean {
  return argv.find((word) => !word.startsWith('-')) === 'rpc';
}

function stackOf(error: unknown): unknown {
  return error instanceof Error ? error.stack : error;
}

/** Whether JSON output is requested, by the raw words, because parsing them may have failed. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const words = end < 0 ? argv : argv.slice(0, end);
  return words.some(
    (word, index) =>
      /^(-o|--output=)jsonl?$/.test(word) || (/^(-o|--output)$/.test(word) && /^jsonl?$/.test(words[index + 1] ?? '')),
  );
}
