import type { z } from 'zod';
import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import type { AgentMove, PaneReading, PaneScreen } from '#contract/pane/pane.ts';
import type { ScreenTail } from '#contract/pane/sighting.ts';
import type { hostCalls } from '#contract/wire/registry.ts';
import type { StoredAgentTransition } from '#store/agent/agent-transition-entity.ts';

/** The result of a host's capture of a pane. */
export type Inspection = z.output<typeof hostCalls.look.response>;

/** A screen as a message of the contract. Its text keeps its escape sequences. */
export function screenOf({ above, cursor, ...rest }: ScreenTail): PaneScreen {
  return { ...rest, rowsAbove: above, cursorColumn: cursor.column, cursorRow: cursor.row };
}

/** A reading as a message of the contract. */
export function readingOf({ reading: { answer, ...reading } }: Pick<Inspection, 'reading'>): PaneReading {
  if (reading.state !== 'AGENT_STATE_WAITING') return reading;
  return { ...reading, answer: answer === undefined ? 'ANSWER_KIND_KEY' : answerKinds[answer] };
}

const answerKinds = { line: 'ANSWER_KIND_LINE', secret: 'ANSWER_KIND_SECRET' } as const;

/** A change of state as a message of the contract. */
export function toAgentMove(move: StoredAgentTransition): AgentMove {
  return {
    ordinal: move.ordinal,
    at: timeOf(move.at),
    from: move.fromState,
    to: move.toState,
    reason: move.reason,
    rule: move.rule ?? undefined,
    evidence: move.evidence ? [...move.evidence] : undefined,
    harness: move.harness ?? undefined,
    rulesVersion: move.rules ?? undefined,
    screen: move.screen ? screenOf(move.screen) : undefined,
  };
}
