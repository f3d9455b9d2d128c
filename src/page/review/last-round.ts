import { useEffect, useState } from 'react';
import { type Review, ReviewAuthorKind, type ReviewRound, ReviewState } from '#page/client/agent/v1/agent_pb.js';

const key = 'muster.rounds';
/** Maximum number of agents with stored rounds, and of rounds for each. */
const keptAgents = 200;
const keptRounds = 50;

type SavedRounds = readonly (readonly [agentId: string, ordinals: readonly number[]])[];

function readKept(): SavedRounds {
  try {
    const kept: unknown = JSON.parse(window.localStorage.getItem(key) ?? '[]');
    return Array.isArray(kept) ? (kept as SavedRounds) : [];
  } catch {
    return [];
  }
}

function keptOf(agentId: string): readonly number[] {
  return new Map(readKept()).get(agentId) ?? [];
}

/**
 * The ordinal of the last round, before the shown one, that the person has seen: in this browser, or by releasing a
 * review of it. 0 if there is none.
 */
export function useLastSeen(agentId: string, shown: ReviewRound | undefined, reviews: readonly Review[]): number {
  const [seen, note] = useState(() => keptOf(agentId));
  const ordinal = shown?.ordinal ?? 0;
  useEffect(() => {
    const known = keptOf(agentId);
    if (ordinal === 0 || known.includes(ordinal)) return;
    const ordinals = [...known, ordinal].slice(-keptRounds);
    const others = readKept().filter(([id]) => id !== agentId);
    window.localStorage.setItem(key, JSON.stringify([...others.slice(1 - keptAgents), [agentId, ordinals]]));
    note(ordinals);
  }, [agentId, ordinal]);
  const released = reviews
    .filter(({ state, authorKind }) => state === ReviewState.RELEASED && authorKind === ReviewAuthorKind.HUMAN)
    .map(({ roundOrdinal }) => roundOrdinal);
  return Math.max(0, ...[...seen, ...released].filter((one) => one < ordinal));
}
