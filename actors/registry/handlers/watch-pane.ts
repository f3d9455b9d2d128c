import { timeOf } from '#actors/registry/agent-resource.ts';
import { hostOfPane } from '#actors/registry/find-agent.ts';
import { handler } from '#actors/registry/handler.ts';
import { askHost } from '#actors/registry/host-call.ts';
import { readingOf, screenOf } from '#actors/registry/pane-resource.ts';
import { watchPane } from '#contract/operations/pane.ts';
import { hostCalls } from '#contract/wire/registry.ts';

/** What an agent's pane shows, where that is another screen than the one of the cursor. */
export const watchPaneHandler = handler(watchPane, async ({ agentId, cursor = '' }, _caller, { store, lines }) => {
  const { host } = await store.read((tables) => hostOfPane(tables, agentId));
  const { seen, cursor: next } = await askHost(lines, host, hostCalls.watch, { agentId, cursor });
  if (seen === undefined) return { cursor: next };
  const { screen, screenDigest, at } = seen;
  return { screen: screenOf(screen), screenDigest, reading: readingOf(seen), readAt: timeOf(at), cursor: next };
});
