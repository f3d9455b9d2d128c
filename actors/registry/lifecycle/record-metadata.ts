import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { ownAgentId } from '#actors/registry/kernel/self.ts';
import { shownAgent } from '#actors/registry/roster/shown-agent.ts';
import { Failure } from '#contract/failure.ts';
import { maxMetadata, recordMetadata } from '#contract/operations/metadata.ts';

/** Records what an agent reports about its own work. */
export const recordMetadataHandler = handler(recordMetadata, ({ agentId, metadata }, caller, { store, clock }) =>
  store.write(async ({ agents, journal }) => {
    const agent = await findAgent(agents, ownAgentId(caller, agentId));
    const kept = new Map(agent.metadata.map((entry) => [entry.key, entry]));
    const at = clock.now();
    for (const { key, value = '' } of metadata) {
      if (value === '') kept.delete(key);
      else if (kept.get(key)?.value !== value) kept.set(key, { key, value, at });
    }
    if (kept.size > maxMetadata) {
      throw new Failure(
        'INVALID_FIELD',
        `metadata would have ${kept.size} keys, of at most ${maxMetadata}: remove some with an empty value`,
        { field: 'metadata' },
      );
    }
    await journal.setMetadata(agent, [...kept.values()]);
    return { agent: shownAgent(caller, await findAgent(agents, agent.id)) };
  }),
);
