import { readFileSync } from 'node:fs';
import { RootCommand } from '@bomb.sh/tab';
import { Argument, type Command, type Option } from 'commander';
import { everyAgent, foundIn } from './find-agent.ts';
import { everyWorkflow } from './find-workflow.ts';
import type { Session } from './session.ts';

const shells = ['bash', 'zsh', 'fish'];
/** How long a shell waits for names from the service, in milliseconds. */
const namesWithin = 1_000;

/**
 * Adds `muster completion <shell>`, which prints a script for a shell, and the hidden `muster complete -- <words>` that the
 * script asks at each Tab. `words` are what a shell asks about now.
 */
export async function addCompletion(program: Command, session: Session, words: readonly string[]): Promise<void> {
  const root = offersOf(program);
  program
    .command('completion')
    .summary('print a completion script')
    .description('Prints a script that makes a shell complete muster’s words; its first lines say where to put it.')
    .addArgument(new Argument('<shell>', 'your shell').choices(shells))
    .action((shell: string) => {
      session.io.stdout.write(readFileSync(new URL(`./completion/muster.${shell}`, import.meta.url), 'utf8'));
    });
  program.command('complete [words...]', { hidden: true }).action((asked: string[] = []) => root.parse([...asked]));
  const key = [words.slice(0, 2).join(' '), words[0] ?? ''].find((one) => root.commands.has(one)) ?? '';
  const argument = root.commands.get(key)?.arguments.get('name');
  if (argument === undefined) return;
  const names = await namesFor(key, session);
  argument.handler = (offer) => {
    for (const name of names) offer(name, '');
  };
}

/** What a shell may be offered: commands, flags and their values, each with one line of what it is. */
function offersOf(program: Command): RootCommand {
  const root = new RootCommand();
  const add = (command: Command, path: string): void => {
    const target = path === '' ? root : root.command(path, oneLine(command.summary() || command.description()));
    for (const option of command.createHelp().visibleOptions(command)) addOption(target, option);
    for (const argument of command.registeredArguments) {
      target.argument(argument.name(), offering(argument.argChoices), argument.variadic);
    }
    for (const inner of command.createHelp().visibleCommands(command)) add(inner, `${path} ${inner.name()}`.trim());
  };
  add(program, '');
  // The command that prints the script is added only after its own offers are made.
  root.command('completion', 'print a completion script').argument('shell', offering(shells));
  return root;
}

function addOption(target: ReturnType<RootCommand['command']>, option: Option): void {
  const name = option.long?.slice(2);
  if (name === undefined) return;
  const takesValue = option.required || option.optional;
  const about = oneLine(option.description);
  const alias = option.short?.slice(1);
  if (takesValue) target.option(name, about, offering(option.argChoices) ?? (() => {}), alias);
  else target.option(name, about, alias);
}

function offering(values: readonly string[] | undefined) {
  if (values === undefined) return undefined;
  return (offer: (value: string, about: string) => void): void => {
    for (const value of values) offer(value, '');
  };
}

function oneLine(text: string): string {
  const [line = ''] = text.split('\n');
  return line.replaceAll('\t', ' ');
}

/** Names of what the command takes; none where the service does not answer in time. */
async function namesFor(key: string, session: Session): Promise<string[]> {
  const late = new Promise<string[]>((resolve) => setTimeout(resolve, namesWithin, []).unref());
  try {
    const names = await Promise.race([
      key.startsWith('workflow ') ? workflowNames(session) : agentNames(session),
      late,
    ]);
    return names.filter(isPlain);
  } catch {
    return [];
  }
}

async function agentNames(session: Session): Promise<string[]> {
  return foundIn(await everyAgent(session.client(), false)).map(({ name }) => name);
}

async function workflowNames(session: Session): Promise<string[]> {
  return (await everyWorkflow(session.client())).flatMap(({ name }) => name ?? []);
}

/** Shells expand the words that they are offered, and agents choose their own names: anything a shell might run is left out. */
function isPlain(name: string): boolean {
  return /^\w[\w.@+-]*$/.test(name);
}
