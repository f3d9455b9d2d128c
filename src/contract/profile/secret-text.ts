import type { ProfileSecret } from './profile.ts';

/** A secret with a source other than a value. */
interface SecretLine {
  readonly variable: string;
  readonly env?: string;
  readonly file?: string;
  readonly command?: string[];
}

/** The source of a secret whose value muster stores, in a line. */
const stored = 'stored';

/** A secret on one line: `VARIABLE=env:NAME`, `=file:PATH`, `=command:WORDS` or, if muster stores it, `=stored`. */
export function secretText({ variable = '', env, file, command = [] }: Partial<ProfileSecret>): string {
  if (env) return `${variable}=env:${env}`;
  if (file) return `${variable}=file:${file}`;
  return `${variable}=${command.length > 0 ? `command:${command.join(' ')}` : stored}`;
}

/**
 * The secret that a line names, and what follows `=` if that is no source of this form. The words of a command are
 * separated by spaces.
 */
export function parseSecretText(line: string): { readonly secret: SecretLine; readonly other?: string } {
  const end = line.indexOf('=');
  const [variable, from] = end < 0 ? [line.trim(), ''] : [line.slice(0, end).trim(), line.slice(end + 1)];
  const [, kind, rest = ''] = /^(env|file|command):(.*)$/s.exec(from) ?? [];
  if (kind === 'env') return { secret: { variable, env: rest.trim() } };
  if (kind === 'file') return { secret: { variable, file: rest.trim() } };
  if (kind === 'command') return { secret: { variable, command: rest.split(/\s+/).filter(Boolean) } };
  return { secret: { variable }, other: from };
}
