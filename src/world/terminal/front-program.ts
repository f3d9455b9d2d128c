import { basename } from 'node:path';
import { containerInit } from '#world/process/container-init.ts';
import { type Foreground, type ForegroundProcess, foregroundOf } from '#world/process/foreground.ts';

const shell = /^-?(?:ba|z|da|fi|k|c|tc)?sh$/;

/**
 * The name of the program in the foreground of a pane, by its processes. A capture names only the leader of their
 * group, so that a CLI started by a script looks like the shell that runs the script: here the CLI is named, or the
 * script if it runs alone. A shell is named only if a person types into it. Undefined if the program is unknown.
 * @param pid the process that the pane was started with
 */
export async function frontProgram(pid: number): Promise<string | undefined> {
  const foreground = await foregroundOf(await containerInit(pid));
  return foreground && nameOf(foreground);
}

function nameOf({ leader, others }: Foreground): string | undefined {
  const name = leader && programOf(leader);
  if (leader && name && (!shell.test(name) || readsFromTerminal(leader))) return name;
  return others.map(programOf).find((other) => other !== '' && !shell.test(other)) ?? (leader && scriptOf(leader));
}

function programOf({ words: [program = ''] }: ForegroundProcess): string {
  return basename(program);
}

/** Whether a shell reads its commands from the terminal rather than from a script or its command line. */
function readsFromTerminal({ words: [, ...rest] }: ForegroundProcess): boolean {
  const flags = rest.filter((word) => /^-[a-z]+$/i.test(word)).join('');
  return flags.includes('i') || (!flags.includes('c') && rest.every((word) => word.startsWith('-')));
}

function scriptOf({ words: [, ...rest] }: ForegroundProcess): string {
  return basename(rest.find((word) => !word.startsWith('-'))?.split(/\s/)[0] ?? '') || 'script';
}
