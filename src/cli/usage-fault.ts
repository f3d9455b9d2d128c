import type { Command, CommanderError } from 'commander';
import { Failure } from '#contract/failure.ts';

/** Other tools' flags with muster's own. The first one that the command has is suggested. */
const sameFlags: Readonly<Record<string, readonly string[]>> = {
  '--name': ['--title', '--search'],
  '--json': ['-o json'],
  '--format': ['-o json'],
  '--cwd': ['--dir'],
  '--path': ['--dir'],
  '--directory': ['--dir'],
  '--repo': ['--project', '--dir'],
  '--repository': ['--project', '--dir'],
  '--cli': ['--harness'],
  '--agent': ['--harness'],
  '--model': ['--flags'],
  '--args': ['--flags'],
  '--reviewer': ['--role'],
  '--filter': ['--search'],
  '--grep': ['--search'],
  '--query': ['--search'],
  '--status': ['--state'],
  '--follow': ['--watch'],
  '--watch': ['--follow'],
  '--body': ['--message'],
  '--comment': ['--message'],
  '--lines': ['--number'],
  '--tail': ['--number'],
  '--yes': ['--force'],
  '--uncommitted': ['--with-changes'],
};

/** Arguments that a shell splits if they are not quoted. */
const texts: ReadonlySet<string> = new Set(['prompt', 'text']);
const inQuotes = '; put a text of several words in quotes';

/**
 * The failure of an invalid command line, in one line with a suggestion. Errors that only end in help are unchanged.
 */
export function usageFault(error: CommanderError, program: Command, argv: readonly string[]): Error {
  if (error.exitCode === 0 || error.code === 'commander.help') return error;
  const [said = '', hint] = error.message.replace(/^error: /, '').split('\n');
  const way =
    hint === undefined ? suggestionFor(error.code, argv, commandIn(program, argv)) : lowerFirst(hint.slice(1, -1));
  return new Failure('INVALID_USAGE', way === undefined ? said : `${said.replace(/\.$/, '')}: ${way}`, {
    cause: error,
  });
}

function suggestionFor(code: string, argv: readonly string[], command: Command): string | undefined {
  if (code === 'commander.unknownCommand') return `${pathOf(command)} --help lists the commands`;
  if (code === 'commander.missingArgument') return usageOf(command);
  if (code === 'commander.excessArguments') return `${usageOf(command)}${takesText(command) ? inQuotes : ''}`;
  if (code !== 'commander.unknownOption') return undefined;
  const said = argv.map((word) => word.replace(/=.*/s, '')).filter((word) => word.startsWith('--'));
  const same = said.map((flag) => sameFlag(flag, command)).find((flag) => flag !== undefined);
  return same === undefined ? `${pathOf(command)} --help lists its options` : `did you mean ${same}?`;
}

/** `muster prompt <name> <text>` */
function usageOf(command: Command): string {
  const { registeredArguments } = command;
  const names = registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`));
  return [pathOf(command), ...names].join(' ');
}

function takesText({ registeredArguments }: Command): boolean {
  return texts.has(registeredArguments.at(-1)?.name() ?? '');
}

/** The flag of a command for another tool's flag, or for the beginning of its own name. */
function sameFlag(said: string, { options }: Command): string | undefined {
  const flags = options.flatMap(({ long }) => (long == null ? [] : [long]));
  const has = (flag: string): boolean => flags.includes(flag.startsWith('-o ') ? '--output' : flag);
  const same = Object.hasOwn(sameFlags, said) ? sameFlags[said]?.find(has) : undefined;
  if (same !== undefined || said.length < 4 || flags.includes(said)) return same;
  return flags.find((flag) => flag.startsWith(said) || said.startsWith(`${flag}-`));
}

/** The command that a command line names, as far as its words do. */
function commandIn(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of argv) {
    const inner = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (inner !== undefined) command = inner;
    else if (!word.startsWith('-')) return command;
  }
  return command;
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}

function lowerFirst(text: string): string {
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}
