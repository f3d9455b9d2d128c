import { settleMs } from '#machines/settle.ts';
import type { Painted, Turn } from './scripted-agents.ts';

/** A step of a transition on the host: the agent's machine has decided, or the registry has committed the decision. */
export interface HostStamp {
  readonly name: 'before-commit' | 'after-commit';
  readonly agentId: string;
  /** In milliseconds since 1970, like every time in this file. */
  readonly at: number;
}

/** A state of an agent, as a stream or the page showed it. */
export interface ObservedState {
  readonly agentId: string;
  readonly state: string;
  readonly at: number;
}

/** Everything recorded during a measurement. */
export interface Notes {
  readonly host: readonly HostStamp[];
  readonly stream: readonly ObservedState[];
  readonly page: readonly ObservedState[];
}

/** One transition, with the times of its steps. */
export interface Transition {
  /** Such as `THINKING → IDLE`. */
  readonly kind: string;
  /** When the last byte of the screen was written. */
  readonly wroteAt: number;
  /**
   * When the pane counts as settled: with its last byte if it shows work or a question, and `settleMs` later if it shows
   * rest, which must last that long to count.
   */
  readonly settledAt: number;
  readonly decidedAt: number;
  readonly committedAt: number;
  /** When a second stream, next to the page's, reported it. */
  readonly reportedAt: number;
  /** When the page's document showed it. */
  readonly shownAt: number;
}

/** The state of an agent during a turn. */
export const stateOf: Readonly<Record<Turn, string>> = { work: 'THINKING', ask: 'WAITING', rest: 'IDLE' };

/** A transition, from the first notes of its agent after the screen was painted. */
export function transitionOf(
  kind: string,
  { agentId, turn, at: wroteAt }: Painted,
  { host, stream, page }: Notes,
): Transition {
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
    reportedAt: after(stream, (observed) => observed.state === state),
    shownAt: after(page, (observed) => observed.state === state),
  };
}
