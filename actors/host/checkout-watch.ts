import type { CheckoutFacts } from '#machines/agent-context.ts';
import { isDirectory } from '#world/directory.ts';
import { readCheckout } from '#world/git/checkout.ts';
import type { AgentActor } from './agent-actor.ts';

/** Reads an agent's checkout and tells its actor where something of it moved. Nothing is run and nothing written. */
export async function watchCheckout(actor: AgentActor): Promise<void> {
  const { provision, worktree, checkout, worktreeRemoved } = actor.context;
  if (provision && !worktree) return;
  const dir = worktree?.path ?? actor.record.launch.cwd;
  const found = await readCheckout(dir);
  const facts: CheckoutFacts = found
    ? {
        sequenceInProgress: found.sequenceInProgress,
        ...(found.branch === undefined ? {} : { branch: found.branch }),
        ...(found.headSha === undefined ? {} : { headSha: found.headSha }),
        ...(found.repositoryUrl === undefined ? {} : { repositoryUrl: found.repositoryUrl }),
      }
    : {};
  const worktreeGone = worktree !== undefined && !(await isDirectory(worktree.path));
  if (worktreeGone === worktreeRemoved && isSame(facts, checkout)) return;
  actor.send({ type: 'CHECKOUT_READ', checkout: facts, worktreeGone });
}

function isSame(one: CheckoutFacts, other: CheckoutFacts): boolean {
  return (['branch', 'headSha', 'repositoryUrl', 'sequenceInProgress'] as const).every(
    (key) => one[key] === other[key],
  );
}
