import { enumWord } from '#contract/fact/enum-word.ts';

/** The end of a CLI, with its kind by name, such as `AGENT_ENDING_KIND_EXITED`. */
interface NamedEnding {
  readonly kind?: string | undefined;
  readonly exitStatus?: number | undefined;
  readonly signal?: string | undefined;
  readonly exceeded?: string | undefined;
}

const words: Readonly<Record<string, string>> = {
  AGENT_ENDING_KIND_SHELL: 'exited to a shell',
  AGENT_ENDING_KIND_TERMINAL_LOST: 'terminal ended',
  AGENT_ENDING_KIND_LIMIT: 'over a limit',
  AGENT_ENDING_KIND_REBOOTED: 'computer restarted',
};

/** How a CLI ended, in words: `exited with status 1`, `killed by SIGKILL`, `window closed`, `used more than 512 MiB of memory`. */
export function endingText({ kind = '', exitStatus = 0, signal = '', exceeded = '' }: NamedEnding): string {
  if (exceeded !== '') return `used more than ${exceeded}`;
  const word = words[kind] ?? enumWord(kind) ?? 'not known';
  if (kind === 'AGENT_ENDING_KIND_EXITED') return `${word} with status ${exitStatus}`;
  return signal === '' ? word : `${word} by ${signal}`;
}
