import { readFileSync } from 'node:fs';
import { type Option as Offered, RootCommand } from '@bomb.sh/tab';
import { Argument, type Command, type Option } from 'commander';
import type { Session } from '#cli/client/session.ts';
import { candidatesOf } from '#cli/completion/candidates.ts';
import { installScript } from '#cli/completion/install-script.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof shells)[number];

/**
 * Adds `muster completion <shell>`, which prints a script for a shell, and the hidden `muster complete -- <words>` that
 * the script calls at each Tab. `words` are those that a shell asks about.
 */
export async function addCompletion(program: Command, session: Session, words: readonly string[]): Promise<void> {
  const root = offeredCommands(program);
  program
    .command('completion')
    .summary('print a completion script')
    .description('Prints a completion script for your shell; its first lines say where to put it.')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .option('--install', 'write the script where your shell finds it')
    .action((shell: Shell, { install }: { readonly install?: true }) => {
      const script = readFileSync(new URL(`./completion/muster.${shell}`, import.meta.url), 'utf8');
      session.io.stdout.write(install ? installScript(shell, script, session.io) : script);
    });
  program.command('complete [words...]', { hidden: true }).action((asked: string[] = []) => root.parse([...asked]));
  const key = [words.slice(0, 2).join(' '), words[0] ?? ''].find((one) => root.commands.has(one)) ?? '';
  const option = flagAt(root.commands.get(key)?.options ?? new Map(), words);
  const own = root.commands.get(key)?.arguments;
  const target = option ?? own?.get('name') ?? (key === 'run' ? own?.get('id') : undefined);
  if (target === undefined) return;
  const candidates = await candidatesOf(option?.value ?? nounOf(key), session);
  if (candidates === undefined) return;
  target.handler = (offer) => {
    for (const { value, about } of candidates) offer(value, about);
  };
}

/** The noun that the argument of a command names. */
function nounOf(command: string): string {
  if (command === 'run') return 'run';
  return command.startsWith('workflow ') ? 'workflow' : 'agent';
}

/** The flag whose value is being typed: `--flag value` or `--flag=value`. */
function flagAt(options: ReadonlyMap<string, Offered>, words: readonly string[]): Offered | undefined {
  const [before = '', last = ''] = words.slice(-2);
  const flag = /^-[^=]*(?==)/.exec(last)?.[0] ?? before;
  if (!flag.startsWith('-')) return undefined;
  const name = flag.replace(/^-+/, '');
  const option = options.get(name) ?? [...options.values()].find(({ alias }) => alias === name);
  return option?.isBoolean ? undefined : option;
}

/** The candidates for a shell: commands, flags and their values, each with a one-line description. */
function offeredCommands(program: Command): RootCommand {
  const root = new RootCommand();
  const add = (command: Command, path: string): void => {
    const target = path === '' ? root : root.command(path, oneLine(command.summary() || command.description()));
    for (const option of command.createHelp().visibleOptions(command)) addOption(target, option);
    for (const argument of command.registeredArguments) {
      target.argument(argument.name(), choiceCompleter(argument.argChoices), argument.variadic);
    }
    for (const inner of command.createHelp().visibleCommands(command)) add(inner, `${path} ${inner.name()}`.trim());
  };
  add(program, '');
  // This command is added to the program only later, so it is offered separately.
  root.command('completion', 'print a completion script').argument('shell', choiceCompleter(shells));
  return root;
}

function addOption(target: ReturnType<RootCommand['command']>, option: Option): void {
  const name = option.long?.slice(2);
  if (name === undefined) return;
  const takesValue = option.required || option.optional;
  const about = oneLine(option.description);
  const alias = option.short?.slice(1);
  if (takesValue) target.option(name, about, choiceCompleter(option.argChoices) ?? (() => {}), alias);
  else target.option(name, about, alias);
}

function choiceCompleter(values: readonly string[] | undefined) {
  if (values === undefined) return undefined;
  return (offer: (value: string, about: string) => void): void => {
    for (const value of values) offer(value, '');
  };
}

function oneLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.replaceAll('\t', ' ');
}
