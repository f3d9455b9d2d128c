import { create } from '@bufbuild/protobuf';
import { useQuery } from '@tanstack/react-query';
import { agents } from '#page/api/clients.ts';
import {
  type Agent,
  type AgentMove,
  type ExplainAgentResponse,
  type PaneReading,
  PaneReadingSchema,
} from '#page/client/agent/v1/agent_pb.js';
import { View } from '#page/client/shared/v1/shared_pb.js';

/** The last transitions of an agent. */
export interface History {
  /** Oldest first. */
  readonly moves: readonly AgentMove[];
  readonly ordinals: readonly number[];
  /** The selected transition, with its screen once that is loaded. */
  readonly move: AgentMove | undefined;
  readonly newest: AgentMove | undefined;
  readonly explained: ExplainAgentResponse | undefined;
}

/**
 * The transitions of an agent, updated live, with the reason for its state. Their screens, which are large, are read
 * once one of them is selected. `rule` decides what the pane shows now; if it changes, everything is refetched.
 */
export function useHistory(agent: Agent, rule: string, chosen: number | undefined): History {
  const { id: agentId, stateChangedAt, stateReason, alive } = agent;
  const listed = useQuery({
    queryKey: ['why', agentId, stateChangedAt, stateReason, rule],
    queryFn: ({ signal }) => agents.explainAgent({ agentId }, { signal }),
    placeholderData: (before) => before,
    gcTime: 60_000,
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
  return { moves, ordinals, move: withScreen(chosen), newest: withScreen(ordinals.at(-1)), explained: listed.data };
}

/** The reading of the screen of a transition; undefined if no pane caused the transition. */
export function readingOf(move: AgentMove): PaneReading | undefined {
  if (move.rule === '') return undefined;
  return create(PaneReadingSchema, { state: move.to, rule: move.rule, reason: move.reason, evidence: move.evidence });
}
