import { quoted } from '#contract/quoted.ts';
import type { StoredAgent } from '#store/agent/agent-entity.ts';

/** An agent's name in messages. */
export function describeAgent({ name, id }: Pick<StoredAgent, 'name' | 'id'>): string {
  return `${quoted(name)} (${id})`;
}
