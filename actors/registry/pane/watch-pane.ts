import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { hostOfPane } from '#actors/registry/agent/agent-window.ts';
import { askHost } from '#actors/registry/host/host-call.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { watchPane } from '#contract/operations/pane.ts';
import { ownPaneCursor, paneCursor } from '#contract/pane/pane-cursor.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import { readingOf, screenOf } from './pane-resource.ts';

/** Returns the screen of an agent's pane if it differs from the cursor's screen. */
export const watchPaneHandler = handler(watchPane, async ({ agentId, cursor = '' }, _caller, { store, lines }) => {
  const { host } = await store.read((tables) => hostOfPane(tables, agentId));
  const own = { agentId, cursor: ownPaneCursor(host.id, cursor) };
  const { seen, cursor: itsNext } = await askHost(lines, host, hostCalls.watch, own);
  const next = paneCursor(host.id, itsNext);
  if (seen === undefined) return { cursor: next };
  const { screen, screenDigest, at } = seen;
  return { screen: screenOf(screen), screenDigest, reading: readingOf(seen), readAt: timeOf(at), cursor: next };
});
