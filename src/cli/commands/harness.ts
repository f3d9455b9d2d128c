import type { Command } from 'commander';
import type { Define, Session } from '#cli/client/session.ts';
import type { AddFlags } from '#cli/harness/add.ts';
import { type ConfirmFlags, confirm } from '#cli/harness/confirm.ts';
import { isConfirmed } from '#cli/harness/confirm-written.ts';
import { type CheckedHarness, withStandings } from '#cli/harness/launch-standing.ts';
import { paintFor } from '#cli/print/color.ts';
import { counted } from '#cli/print/counted.ts';
import { type OutputFlags, outputOption, writeList, writeRecord } from '#cli/print/output.ts';
import { textTable } from '#cli/print/text-table.ts';
import { Failure } from '#contract/failure.ts';
import { nearest } from '#contract/parse/nearest.ts';
import { printable } from '#contract/printable.ts';

const columns = ['NAME', 'PROGRAM', 'RULES', 'VERSION', 'RECORDED', 'LAUNCH', 'FILE'].map((title) => ({ title }));

/** `muster harness` */
export const define: Define = (command, session) => {
  command
    .description(
      'Shows and adds harnesses: which CLIs agents run, how they are started, and how their screens are read. Files ' +
        'in MUSTER_HOME/rules, on the host that runs them, change built-in harnesses and add new ones. They ' +
        'are reloaded whenever they change; their launch part takes effect once a person has confirmed it.',
    )
    .helpCommand(false);
  defineCommands(command, session);
};

function defineCommands(command: Command, session: Session): void {
  command
    .command('ls')
    .description('Lists the harnesses of this machine, with the source of their rules.')
    .addOption(outputOption())
    .action(async (flags: OutputFlags) => {
      const harnesses = await withStandings(session);
      writeList(session.io, flags, harnesses, () => listing(session, harnesses));
    });
  defineAdd(command, session);
  command
    .command('test [harness]')
    .description(
      'Reads the recorded screens of each harness again, and counts those that are read correctly. Exits with 1 if one ' +
        'is not.',
    )
    .addOption(outputOption())
    .action(async (name: string | undefined, flags: OutputFlags) => {
      const { test } = await import('#cli/harness/test.ts');
      await test(session, name, flags);
    });
  command
    .command('confirm <harness>')
    .description(
      'Shows what a harness file launches, and confirms it. A change needs a new confirmation. Only a person can confirm.',
    )
    .option('--host <host>', 'the host with the file, by name or id; by default this machine’s')
    .option('--digest <digest>', 'the digest of what you confirm; without it, the terminal asks you')
    .addOption(outputOption())
    .action((name: string, flags: ConfirmFlags) => confirm(session, name, flags));
  command
    .command('check [harness]')
    .description(
      'Checks each rules file, and prints the line and the reason of an error. Exits with 1 if there is one.',
    )
    .addOption(outputOption())
    .action((name: string | undefined, flags: OutputFlags) => check(session, name, flags));
}

function defineAdd(command: Command, session: Session): void {
  command
    .command('add <harness> [command...]')
    .usage('[options] <harness> [-- COMMAND...]')
    .description(
      'Adds a harness. It starts the CLI in a separate window; you bring the CLI into its various states and name each; ' +
        'muster records the screens, learns rules from them, and says how reliable they are. In a pipe, without ' +
        'a command and a script, it only writes a file for you to edit.',
    )
    .option('--program <program>', 'the program, by name or absolute path; by default the harness’s name')
    .option('--like <harness>', 'the built-in harness to base it on; by default the one that reads its screens best')
    .option('--cwd <folder>', 'the folder in which the CLI runs; by default a new one that is removed at the end')
    .option('--env <names...>', 'variables of your environment that it needs, such as its API key')
    .option('--script <file>', 'a file with the lines that you would type; - for standard input')
    .option('--resume', 'continue with the screens recorded earlier')
    .option('--scaffold', 'start nothing: only write a file for you to edit')
    .addOption(outputOption())
    .action(async (name: string, words: readonly string[], flags: AddFlags) => {
      const { addRecorded, isRecorded } = await import('#cli/harness/add.ts');
      if (isRecorded(session, words, flags)) return addRecorded(session, name, words, flags);
      return addScaffold(session, name, flags);
    });
}

async function addScaffold(session: Session, name: string, { program, like, ...flags }: AddFlags): Promise<void> {
  const { path, digest } = await (await session.local()).addHarness({ name, command: program, like });
  const confirmed = session.io.stdout.isTTY && (await isConfirmed(session, name, digest));
  const first = confirmed ? '' : `muster harness confirm ${name}, `;
  writeRecord(
    session.io,
    flags,
    { name, path, digest, confirmed },
    () => `${path} is written: ${first}change it, then muster harness check ${name}\n`,
  );
}

function listing({ io }: Session, harnesses: readonly CheckedHarness[]): string {
  const paint = paintFor(io);
  const red = (text: string): string => paint('red', text);
  const rows = harnesses.map(({ name, command, program, ruleCount, rules, standing = '' }) => [
    { text: printable(name) },
    program === undefined
      ? { text: printable(`${command} (not found)`.trim()), paint: red }
      : { text: printable(program) },
    { text: String(ruleCount) },
    { text: rules.version },
    { text: rules.recordedWith ?? '' },
    standing === 'unconfirmed' ? { text: standing, paint: red } : { text: standing },
    rules.faults.length > 0
      ? { text: printable(`${rules.file} (refused)`), paint: red }
      : { text: printable(rules.file ?? '') },
  ]);
  return textTable(columns, rows, io.stdout.columns);
}

async function check(session: Session, name: string | undefined, flags: OutputFlags): Promise<void> {
  const harnesses = await withStandings(session);
  const names = harnesses.map((harness) => harness.name);
  if (name !== undefined && !names.includes(name)) {
    const near = nearest(name, names);
    throw new Failure(
      'HARNESS_NOT_FOUND',
      `there is no harness ${JSON.stringify(name)}${near ? `: did you mean ${near}?` : ''}`,
    );
  }
  const checked = harnesses.filter((harness) => (name === undefined ? harness.rules.file : harness.name === name));
  if (checked.some(isFaulty)) session.exitWith(1);
  writeList(session.io, flags, checked, () => checked.map(verdict).join('') || 'There are no rules files\n');
}

function isFaulty({ rules, program, isBuiltIn, standing }: CheckedHarness): boolean {
  return standing === 'unconfirmed' || rules.faults.length > 0 || (program === undefined && !isBuiltIn);
}

function verdict(harness: CheckedHarness): string {
  const { name, command, program, rules, ruleCount } = harness;
  const { file, faults, instead = 'nothing' } = rules;
  if (faults.length > 0) {
    const lines = faults.map(({ line, reason }) => `  ${printable(`${file}:${line}: ${reason}`)}\n`).join('');
    return `${printable(name)} is refused, and ${instead} stays in use:\n${lines}`;
  }
  const from = file === undefined ? 'built in' : printable(file);
  const found =
    program ?? `${command}, which is not on the PATH of this machine: agents that run it cannot be launched`;
  return `${printable(name)} is in use: ${counted(ruleCount, 'rule')} (${from}); it runs ${printable(found)}\n${standingOf(harness)}`;
}

function standingOf({ name, standing, launch, isBuiltIn }: CheckedHarness): string {
  const mend = `muster harness confirm ${printable(name)}`;
  if (standing === 'unknown')
    return `  what it launches takes effect once a person has run ${mend}; the service is not running, so this is unknown\n`;
  if (standing !== 'unconfirmed') return '';
  const rest = isBuiltIn ? 'its built-in launch is used' : 'it is not launched';
  return `  what it launches is not confirmed (digest ${launch?.digest}), and ${rest}: check it and run ${mend}\n`;
}
