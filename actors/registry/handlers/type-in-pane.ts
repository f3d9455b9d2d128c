import { called, hostOfPane } from '#actors/registry/find-agent.ts';
import { handler } from '#actors/registry/handler.ts';
import { askHost } from '#actors/registry/host-call.ts';
import { Failure } from '#contract/failure.ts';
import { typeInPane } from '#contract/operations/pane.ts';
import type { PaneInput } from '#contract/pane.ts';
import { hostCalls } from '#contract/wire/registry.ts';

/** How long a host may take to type, in milliseconds. */
const typedWithin = 10_000;

/** Has what a person types typed into the pane of an agent that is held. */
export const typeInPaneHandler = handler(typeInPane, async ({ agentId, inputs }, _caller, { store, lines }) => {
  const odd = inputs.findIndex((input) => piecesOf(input) !== 1);
  if (odd >= 0) {
    throw new Failure(
      'invalid_argument',
      `inputs[${odd}] has ${piecesOf(inputs[odd] ?? {})} of text, key and paste: one is typed`,
    );
  }
  const { host, agent } = await store.read((tables) => hostOfPane(tables, agentId));
  if (agent.heldAt == null) {
    throw new Failure(
      'failed_precondition',
      `Nobody has taken agent ${called(agent)} over: hold_agent does, then type`,
    );
  }
  await askHost(lines, host, hostCalls.type, { agentId, inputs }, typedWithin);
  return {};
});

function piecesOf({ text, key, paste }: PaneInput): number {
  return [text, key, paste].filter(Boolean).length;
}
