import { create } from '@bufbuild/protobuf';
import { useQuery } from '@tanstack/react-query';
import { agents } from '#page/api/clients.ts';
import { type Agent, type AgentMove, type PaneReading, PaneReadingSchema } from '#page/client/agent/v1/agent_pb.js';
import { View } from '#page/client/shared/v1/shared_pb.js';

/** The last moves of an agent. */
export interface History {
  /** Oldest first. */
  readonly moves: readonly AgentMove[];
  readonly ordinals: readonly number[];
  /** The chosen move, with its screen once that is there. */
  readonly move: AgentMove | undefined;
  readonly newest: AgentMove | undefined;
}

/** The moves of an agent as they come; their screens, which are large, once one of them is looked at. */
export function useHistory(
  { id: agentId, stateChangedAt, stateReason, alive }: Agent,
  chosen: number | undefined,
): History {
  const listed = useQuery({
    queryKey: ['moves', agentId, stateChangedAt, stateReason],
    queryFn: ({ signal }) => agents.explainAgent({ agentId }, { signal }),
    placeholderData: (before) => before,
  });
  const moves = (listed.data?.moves ?? []).toReversed();
  const ordinals = moves.map(({ ordinal }) => ordinal);
  const isWanted = chosen !== undefined || !alive;
  const screens = useQuery({
    queryKey: ['screens', agentId, isWanted ? ordinals.at(-1) : 0],
    queryFn: ({ signal }) => agents.explainAgent({ agentId, view: View.FULL }, { signal }),
    enabled: isWanted,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 60_000,
    placeholderData: (before) => before,
  });
  const withScreen = (wanted: number | undefined): AgentMove | undefined =>
    screens.data?.moves.find(({ ordinal }) => ordinal === wanted) ?? moves.find(({ ordinal }) => ordinal === wanted);
  return { moves, ordinals, move: withScreen(chosen), newest: withScreen(ordinals.at(-1)) };
}

/** What a move's screen was read as; undefined where no pane brought it about. */
export function readingOf(move: AgentMove): PaneReading | undefined {
  if (move.rule === '') return undefined;
  return create(PaneReadingSchema, { state: move.to, rule: move.rule, reason: move.reason, evidence: move.evidence });
}
