import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import type { Fact } from '#contract/fact/fact.ts';
import type { StoredFact } from '#store/fact/fact-entity.ts';

/** A fact as callers get it. */
export function factOf({ seq, kind, subjectId, at, detail }: StoredFact): Fact {
  return { seq: String(seq), kind, subjectId, at: timeOf(at), detail: JSON.stringify(detail) };
}
