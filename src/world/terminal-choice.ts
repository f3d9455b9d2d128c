import { Failure } from '#contract/failure.ts';
import type { TerminalSetting } from '#contract/process-context.ts';
import { loadPty, type PtyModule } from './pty/module.ts';
import { howToInstall, probe, type Requirement, requirements } from './requirements.mjs';

/** What holds the panes of a host: tmux, or the host itself, with the reason and the remedy for people. */
export type TerminalChoice =
  | { readonly kind: 'tmux'; readonly file: string; readonly version: string }
  | { readonly kind: 'embedded'; readonly pty: PtyModule; readonly why: string; readonly mend: string };

/** The reason and the remedy if nothing can hold panes. */
export interface MissingTerminal {
  readonly kind: 'none';
  readonly why: string;
  readonly mend: string;
}

/** The limits of embedded panes, for people. */
export const embeddedLimits =
  'they end when muster stops, people cannot scroll in them, and only muster attach opens them';

/**
 * What will hold panes on this machine: as the setting says, else tmux if it is installed and new enough, else this
 * process. @throws FAILED_PRECONDITION when that is impossible
 */
export async function chooseTerminal(setting: TerminalSetting, path?: string): Promise<TerminalChoice> {
  const found = await detectTerminal(setting, path);
  if (found.kind !== 'none') return found;
  throw new Failure('TERMINAL_UNAVAILABLE', `Agents' panes cannot be held: ${found.why}. To fix that, ${found.mend}.`);
}

/** As `chooseTerminal`, but returns what is missing instead of throwing. `path` is the PATH to find tmux on. */
export async function detectTerminal(
  setting: TerminalSetting,
  path?: string,
): Promise<TerminalChoice | MissingTerminal> {
  const tmux = tmuxRequirement();
  const { file, version, enough } = await probe(tmux, path);
  const install = `install tmux ${tmux.min} or newer (for instance with \`${howToInstall('tmux')}\`)`;
  const old = `tmux ${version ?? 'of an unknown version'} at ${file} is too old`;
  const lack = file === undefined ? 'tmux is not installed' : old;
  if (setting !== 'embedded') {
    if (enough && file !== undefined && version !== undefined) return { kind: 'tmux', file, version };
    if (setting === 'tmux') return { kind: 'none', why: `MUSTER_TERMINAL is tmux, and ${lack}`, mend: install };
  }
  const why = setting === 'embedded' ? 'MUSTER_TERMINAL is embedded' : lack;
  const pty = loadPty();
  if (pty === undefined) {
    const build =
      'install what npm builds node-pty with (python3, make and a C++ compiler) and run `npm ci`, or install the package of muster again';
    const use = enough ? 'unset MUSTER_TERMINAL' : install;
    return { kind: 'none', why: `${why}, and node-pty is not built here`, mend: `${use}, or ${build}` };
  }
  const unset = enough ? 'unset MUSTER_TERMINAL' : `unset MUSTER_TERMINAL, ${install}`;
  return { kind: 'embedded', pty, why, mend: `${setting === 'embedded' ? unset : install} and restart muster` };
}

function tmuxRequirement(): Requirement {
  const found = requirements.find(({ program }) => program === 'tmux');
  if (found === undefined) throw new Error('tmux is not among the requirements');
  return found;
}
