import type { LocalCommands, ScreenReading } from '#cli/client/local.ts';
import type { Session } from '#cli/client/session.ts';
import { findAgent } from '#cli/find/find-agent.ts';
import { counted } from '#cli/print/counted.ts';
import { type OutputFlags, writeList } from '#cli/print/output.ts';
import { reasonLine } from '#contract/fact/reason-line.ts';
import { Failure } from '#contract/failure.ts';
import type { AgentMove, PaneScreen } from '#contract/pane/pane.ts';
import { printable } from '#contract/printable.ts';
import { stateWord } from './reading-page.ts';
import { lastRows } from './screen-text.ts';

export interface TransitionsFlags extends OutputFlags {
  /** How many transitions are printed. */
  readonly number?: number;
  /** How many rows of each screen are shown to a person. */
  readonly rows: number;
}

/** Prints an agent’s last transitions, newest first, with the end of the screen that each was decided from. */
export async function printTransitions(session: Session, nameOrId: string, flags: TransitionsFlags): Promise<void> {
  const moves = await movesOf(session, nameOrId, flags);
  writeList(session.io, flags, moves, () =>
    moves.map((move) => `${transitionLine(move)}\n${screenLines(move.screen, flags.rows)}`).join('\n'),
  );
}

/** A transition, and what this computer's current rules read from its screen. */
interface Replay {
  readonly move: AgentMove;
  readonly now: ScreenReading;
  /** Whether the result is the same. */
  readonly same: boolean;
}

/** Reads the screens of an agent's last transitions again by this computer's current rules. */
export async function replayTransitions(session: Session, nameOrId: string, flags: TransitionsFlags): Promise<void> {
  const [moves, local] = [await movesOf(session, nameOrId, flags), await session.local()];
  const replays = moves.flatMap((move) => replayOf(local, move));
  writeList(session.io, flags, replays, () => {
    const differing = replays.filter(({ same }) => !same);
    const lines = replays.map((replay) => `${replayLine(replay)}\n`).join('');
    return `${lines}${counted(replays.length, 'screen')} read again, ${differing.length} with another result\n`;
  });
}

/** `#12  2026-11-21T09:05:00.000Z  THINKING → WAITING (permission)  claude/permission` */
export function transitionLine({ ordinal, at, from, to, reason, rule }: AgentMove): string {
  const state = `${stateWord(from)} → ${stateWord(to)}${reason ? ` (${reasonLine(reason)})` : ''}`;
  return printable([`#${ordinal}`, at, state, rule].filter(Boolean).join('  '));
}

async function movesOf(session: Session, nameOrId: string, { number }: TransitionsFlags): Promise<AgentMove[]> {
  const client = session.client();
  const { id, name } = await findAgent(client, nameOrId);
  const { moves = [] } = await client.call('agent.v1.AgentService/ExplainAgent', { agentId: id, view: 'VIEW_FULL' });
  if (moves.length > 0) return moves.slice(0, number);
  throw new Failure('TRANSITION_NOT_FOUND', `${name} has had no transition yet`);
}

function screenLines(screen: PaneScreen | undefined, rows: number): string {
  if (screen === undefined) return '';
  return lastRows(screen.text ?? '', rows)
    .map((row) => `    │ ${row}\n`)
    .join('');
}

function replayOf(local: LocalCommands, move: AgentMove): Replay[] {
  const { screen, harness } = move;
  if (screen === undefined || harness === undefined) return [];
  const { rowsAbove = 0, cursorColumn = 0, cursorRow = 0, text = '', ...rest } = screen;
  const cursor = { column: cursorColumn, row: cursorRow };
  const now = local.read({ ...rest, harness, screen: '\n'.repeat(rowsAbove) + text, cursor });
  return [{ move, now, same: now.rule === move.rule }];
}

function replayLine({ move, now, same }: Replay): string {
  if (same) return `  ${transitionLine(move)}`;
  const reason = [now.reason, now.detail].filter(Boolean).join(', ');
  return `≠ ${transitionLine(move)}\n      now ${printable(`${stateWord(now.state)}${reason && ` (${reason})`}  ${now.rule}`)}`;
}
