import { Failure } from '#contract/failure.ts';
import type { TerminalLog, Terminals } from '#world/terminal/terminal.ts';
import { openEmbeddedTerminals } from './pty/terminals.ts';
import { embeddedLimits, type TerminalChoice } from './terminal-choice.ts';
import { createTmuxTerminals, runningFamilies } from './tmux/terminals.ts';

/** The settings of the machine's terminals, of either kind. */
export interface TerminalOptions {
  /** The installation's folder for sockets. */
  readonly runDir: string;
  /**
   * The whole environment of every pane, without the variables that its window adds. Nothing of this process's own
   * environment is passed on.
   */
  readonly environment: Readonly<Record<string, string>>;
  /** The mark of this installation's terminals, by which `own` finds them. */
  readonly installation: string;
  readonly log: TerminalLog;
}

/**
 * The machine's terminals, of the chosen kind.
 * @throws FAILED_PRECONDITION when panes are to be embedded while agents of this installation still run in tmux:
 *   they would be mistaken for dead, and started a second time
 */
export async function openTerminals(choice: TerminalChoice, options: TerminalOptions): Promise<Terminals> {
  if (choice.kind === 'tmux') return createTmuxTerminals({ ...options, tmux: choice.file });
  const left = await runningFamilies(options.runDir);
  if (left.length > 0) {
    throw new Failure(
      'OTHER_TERMINAL_IN_USE',
      `Agents of this state folder still run in tmux windows (${left.join(', ')}), which embedded panes cannot take over. ` +
        'Start muster with tmux and archive them first.',
    );
  }
  options.log(embeddedNotice(choice), {});
  return openEmbeddedTerminals({ ...options, pty: choice.pty, noAttaching: noAttaching(choice) });
}

type Embedded = Extract<TerminalChoice, { kind: 'embedded' }>;

/** The notice shown at a start with embedded panes. */
export function embeddedNotice({ why, mend }: Embedded): string {
  return `Agents run in embedded panes (${why}): ${embeddedLimits}. For more, ${mend}.`;
}

function noAttaching({ why, mend }: Embedded): string {
  return (
    `Agents of this host run in embedded panes (${why}), which no tmux shows: \`muster attach\` opens one through the service. ` +
    `For a tmux window, ${mend}, and restore the agent.`
  );
}
