import type { RootCommand } from '@bomb.sh/tab';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';
import { everyAgent, foundIn } from './find-agent.ts';
import { everyWorkflow } from './find-workflow.ts';
import type { Session } from './session.ts';

/** How long a shell waits for names from the service, in milliseconds. */
const namesWithin = 1_000;

/**
 * Adds `muster completion <shell>`, which prints a script for bash, zsh, fish or PowerShell, and the hidden
 * `muster complete -- <words>` that the script asks at each Tab. `words` are what a shell asks about now.
 */
export async function addCompletion(program: Command, session: Session, words: readonly string[]): Promise<void> {
  const root: RootCommand = tab(program, { completionCommandName: 'completion' });
  const key = [words.slice(0, 2).join(' '), words[0] ?? ''].find((one) => root.commands.has(one)) ?? '';
  const argument = root.commands.get(key)?.arguments.get('name');
  if (argument === undefined) return;
  const names = await namesFor(key, session);
  argument.handler = (offer) => {
    for (const name of names) offer(name, '');
  };
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
