import type { AgentKind } from './attention.ts';

interface Branched {
  readonly name?: string | undefined;
  readonly branch?: string | undefined;
}

/** An agent's branch, or empty if it only repeats the name, as `muster/fix-login-4k2m9q7x` does for `fix-login`. */
export function distinctBranch({ name = '', branch = '' }: Branched): string {
  const last = branch.slice(branch.lastIndexOf('/') + 1);
  const isRepeated =
    last === name || (last.startsWith(`${name}-`) && /^[a-z0-9]{8}$/.test(last.slice(name.length + 1)));
  return isRepeated ? '' : branch;
}

/** Reports that only repeat the state. */
const idleWords = /^(?:session \w+|working|ready)$/;

/** The last report of an agent's CLI, if the agent is at rest: while it works, the report only repeats the state. */
export function lastWords(
  { reportedReason = '' }: { readonly reportedReason?: string | undefined },
  kind: AgentKind,
): string {
  if (kind !== 'idle' && kind !== 'ended') return '';
  return idleWords.test(reportedReason) ? '' : reportedReason;
}

/** The parts of an agent's row that a search covers. */
interface Searched extends Branched {
  readonly id?: string | undefined;
  readonly task?: string | undefined;
  readonly stateReason?: string | undefined;
  readonly waitingFor?: string | undefined;
  readonly harness?: string | undefined;
  readonly cwd?: string | undefined;
  readonly reportedReason?: string | undefined;
}

/** A filter for rows that contain every word, in upper or lower case, in the agent or in the texts of `extra`. */
export function wordFilter(words: string): (agent: Searched, extra: readonly string[]) => boolean {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return ({ id, name, branch, task, stateReason, waitingFor, harness, cwd, reportedReason }, extra) => {
    if (wanted.length === 0) return true;
    const texts = [name, task, branch, stateReason, waitingFor, harness, cwd, reportedReason, id, ...extra];
    const text = texts.join(' ').toLowerCase();
    return wanted.every((word) => text.includes(word));
  };
}

/** A number of lines, abbreviated: `7`, `980`, `1.2k`, `34k`. */
export function briefCount(count: number): string {
  if (count < 1_000) return String(count);
  return count < 9_950 ? `${(count / 1_000).toFixed(1)}k` : `${Math.round(count / 1_000)}k`;
}
