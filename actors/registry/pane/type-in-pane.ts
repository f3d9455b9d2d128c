import { hostOfPane } from '#actors/registry/agent/agent-window.ts';
import { describeAgent } from '#actors/registry/agent/describe-agent.ts';
import { askWithPermit } from '#actors/registry/host/ask-with-permit.ts';
import type { PermitScope } from '#actors/registry/host/host-scope.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { Failure } from '#contract/failure.ts';
import { typeInPane } from '#contract/operations/pane.ts';
import type { PaneInput } from '#contract/pane/pane.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import type { Tables } from '#store/tables.ts';

/** How long a host may take to type, and how much of that must be left when it begins, in milliseconds. */
const typed = { withinMs: 10_000, minMs: 1_000 } as const;

/** Types a person's input into the pane of an agent that is held. */
export const typeInPaneHandler = handler(typeInPane, async ({ agentId, inputs }, _caller, scope: PermitScope) => {
  const odd = inputs.findIndex((input) => piecesOf(input) !== 1);
  if (odd >= 0) {
    throw new Failure(
      'INVALID_FIELD',
      `inputs[${odd}] has ${piecesOf(inputs[odd] ?? {})} of the fields text, key and paste: give exactly one`,
      { field: `inputs.${odd}` },
    );
  }
  const { host } = await scope.store.read((tables) => hostOfHeld(tables, agentId));
  const decide = () =>
    scope.store.read(async (tables) => {
      await hostOfHeld(tables, agentId);
      return tables.journal.load(agentId);
    });
  await askWithPermit(scope, host, hostCalls.type, { agentId, inputs }, { ...typed, decide });
  return {};
});

/** An agent that a person holds, and its host. @throws FAILED_PRECONDITION when it is not held */
async function hostOfHeld(tables: Tables, agentId: string) {
  const found = await hostOfPane(tables, agentId);
  if (found.agent.heldAt != null) return found;
  throw new Failure(
    'AGENT_NOT_HELD',
    `Agent ${describeAgent(found.agent)} is not held: call hold_agent first, then type`,
  );
}

function piecesOf({ text, key, paste }: PaneInput): number {
  return [text, key, paste].filter(Boolean).length;
}
