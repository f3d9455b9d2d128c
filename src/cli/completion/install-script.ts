import { mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join } from 'node:path';
import type { CliIo } from '#cli/client/io.ts';
import { fileFailure } from '#contract/file-fault.ts';

/** Where each shell looks for the completion of a command, and what it needs besides. */
const places = {
  bash: { variable: 'XDG_DATA_HOME', usual: '.local/share', path: 'bash-completion/completions/muster' },
  fish: { variable: 'XDG_CONFIG_HOME', usual: '.config', path: 'fish/completions/muster.fish' },
  zsh: { variable: 'XDG_DATA_HOME', usual: '.local/share', path: 'zsh/site-functions/_muster' },
} as const;

/**
 * Writes a completion script to the folder of the person that a shell reads, and returns what to tell the person.
 * @throws as `fileFailure` when it cannot be written
 */
export function installScript(shell: keyof typeof places, script: string, { env }: Pick<CliIo, 'env'>): string {
  const { variable, usual, path } = places[shell];
  const given = env[variable] ?? '';
  const file = join(isAbsolute(given) ? given : join(env['HOME'] ?? homedir(), usual), path);
  try {
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, script);
  } catch (error) {
    throw fileFailure(error, `The completion cannot be written to ${file}`, 'and install it again');
  }
  return `The completion of muster is in ${file}: ${need(shell, dirname(file))}\n`;
}

function need(shell: keyof typeof places, folder: string): string {
  if (shell === 'zsh') {
    const word = folder.replace(/[^\w./-]/g, '\\$&');
    return `put 'fpath=(${word} $fpath)' before compinit in ~/.zshrc, and open a new shell`;
  }
  if (shell === 'bash') return 'new shells have it if they have the package bash-completion';
  return 'new shells have it';
}
