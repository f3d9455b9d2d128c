import { settleMs } from '#machines/settle.ts';
import type { Painted, Turn } from './led-agents.ts';

/** A step of a move on the host: its agent's machine has decided, or the registry has written that down. */
export interface HostStamp {
  readonly name: 'before-commit' | 'after-commit';
  readonly agentId: string;
  /** In milliseconds since 1970, as every time here. */
  readonly at: number;
}

/** An agent was notified of, by a stream or by the page, to be in a state. */
export interface Told {
  readonly agentId: string;
  readonly state: string;
  readonly at: number;
}

/** What was noted during all moves. */
export interface Notes {
  readonly host: readonly HostStamp[];
  readonly stream: readonly Told[];
  readonly page: readonly Told[];
}

/** One move, by the times of its steps. */
export interface Move {
  /** Such as `THINKING → IDLE`. */
  readonly kind: string;
  /** When the last byte of the screen was written. */
  readonly wroteAt: number;
  /**
   * When the pane counts as settled: with its last byte if it shows work or a question, which count at once, and where
   * it shows rest once it has stood for as long as rest must stand to be believed.
   */
  readonly settledAt: number;
  readonly decidedAt: number;
  readonly committedAt: number;
  /** When a second stream, next to the page's, reported it. */
  readonly reportedAt: number;
  /** When the document of the page showed it. */
  readonly shownAt: number;
}

/** The state that an agent comes to by a turn. */
export const stateOf: Readonly<Record<Turn, string>> = { work: 'THINKING', ask: 'WAITING', rest: 'IDLE' };

/** A move by the first notes of its agent after its screen was painted. */
export function moveOf(kind: string, { agentId, turn, at: wroteAt }: Painted, { host, stream, page }: Notes): Move {
  const state = stateOf[turn];
  const after = <N extends { readonly agentId: string; readonly at: number }>(
    notes: readonly N[],
    fits: (note: N) => boolean,
  ) => notes.find((note) => note.agentId === agentId && note.at >= wroteAt && fits(note))?.at ?? Number.NaN;
  return {
    kind,
    wroteAt,
    settledAt: wroteAt + (turn === 'rest' ? settleMs : 0),
    decidedAt: after(host, ({ name }) => name === 'before-commit'),
    committedAt: after(host, ({ name }) => name === 'after-commit'),
    reportedAt: after(stream, (told) => told.state === state),
    shownAt: after(page, (told) => told.state === state),
  };
}
