import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { hostOfPane } from '#actors/registry/agent/agent-window.ts';
import { findAgent } from '#actors/registry/agent/find-agent.ts';
import { askHost } from '#actors/registry/host/host-call.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { checkSteers } from '#actors/registry/rights/steering-rights.ts';
import { readPane } from '#contract/operations/pane.ts';
import { withoutAttributes } from '#contract/pane/attributes.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import { readingOf, screenOf } from './pane-resource.ts';

/** Reads an agent's pane on its host. */
export const readPaneHandler = handler(readPane, async ({ agentId, attributes = false }, caller, { store, lines }) => {
  const { host, state } = await store.read(async (tables) => {
    checkSteers(caller, await findAgent(tables.agents, agentId));
    const { agent, host: itsHost } = await hostOfPane(tables, agentId);
    return { host: itsHost, state: agent.state };
  });
  const inspection = await askHost(lines, host, hostCalls.look, { agentId });
  const screen = screenOf(inspection.screen);
  return {
    screen: attributes ? screen : { ...screen, text: screen.text && withoutAttributes(screen.text) },
    screenDigest: inspection.screenDigest,
    reading: readingOf(inspection),
    state,
    readAt: timeOf(inspection.at),
  };
});
