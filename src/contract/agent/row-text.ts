import type { AgentKind } from './attention.ts';

interface Branched {
  readonly name?: string | undefined;
  readonly branch?: string | undefined;
}

/** The branch of an agent if it says more than its name does; empty for `fix-login` on `muster/fix-login-4k2m9q7x`. */
export function branchBeside({ name = '', branch = '' }: Branched): string {
  const last = branch.slice(branch.lastIndexOf('/') + 1);
  const isRepeated =
    last === name || (last.startsWith(`${name}-`) && /^[a-z0-9]{8}$/.test(last.slice(name.length + 1)));
  return isRepeated ? '' : branch;
}

/** Reports that only say what its state says. */
const idleWords = /^(?:session \w+|working|ready)$/;

/** What an agent's CLI said last, if the agent rests: of one at work it only says that it works, as the state does. */
export function lastWords(
  { reportedReason = '' }: { readonly reportedReason?: string | undefined },
  kind: AgentKind,
): string {
  if (kind !== 'idle' && kind !== 'ended') return '';
  return idleWords.test(reportedReason) ? '' : reportedReason;
}

/** What a person may look for in an agent's row. */
interface Searched extends Branched {
  readonly id?: string | undefined;
  readonly task?: string | undefined;
  readonly stateReason?: string | undefined;
  readonly waitingFor?: string | undefined;
  readonly harness?: string | undefined;
  readonly cwd?: string | undefined;
  readonly reportedReason?: string | undefined;
}

/** Finds rows by words, all of which must be somewhere in the agent or in `beside`, in any case of letters. */
export function wordFilter(words: string): (agent: Searched, beside: readonly string[]) => boolean {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ id, name, branch, task, stateReason, waitingFor, harness, cwd, reportedReason }, beside) => {
    if (wanted.length === 0) return true;
    const texts = [name, task, branch, stateReason, waitingFor, harness, cwd, reportedReason, id, ...beside];
    const text = texts.join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
}

/** A number of lines in few characters: `7`, `980`, `1.2k`, `34k`. */
export function briefCount(count: number): string {
  if (count < 1_000) return String(count);
  return count < 9_950 ? `${(count / 1_000).toFixed(1)}k` : `${Math.round(count / 1_000)}k`;
}
