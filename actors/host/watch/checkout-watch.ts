import type { AgentActor } from '#actors/host/agent/agent-actor.ts';
import type { Clock } from '#contract/clock.ts';
import type { CheckoutFacts } from '#machines/agent/agent-context.ts';
import { isDirectory } from '#world/file/directory.ts';
import { type Checkout, readCheckout } from '#world/git/checkout/checkout.ts';
import { checkoutFingerprint } from '#world/git/checkout/checkout-fingerprint.ts';

/** How long a checkout whose files have the same fingerprint counts as unchanged, in milliseconds. */
const rereadMs = 60_000;

interface CachedCheckout {
  readonly dir: string;
  readonly checkout: Checkout;
  readonly fingerprint: string | undefined;
  readonly at: number;
}

/** Reads agents' checkouts and reports changes to their actors. Runs no program and writes nothing. */
export class CheckoutWatch {
  readonly #clock: Clock;
  readonly #read = new WeakMap<AgentActor, CachedCheckout>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Checks one agent's checkout, and reads it only if its files show that it may have changed. */
  async check(actor: AgentActor): Promise<void> {
    const { provision, worktree, checkout, worktreeRemoved } = actor.context;
    if (provision && !worktree) return;
    const found = factsOf(await this.#checkout(actor, worktree?.path ?? actor.record.launch.cwd));
    const worktreeGone = worktree !== undefined && !(await isDirectory(worktree.path));
    // DiffWatch measures the diff, perhaps while this was read.
    const { diff } = actor.context.checkout;
    const facts = worktreeGone || diff === undefined ? found : { ...found, diff };
    if (worktreeGone === worktreeRemoved && isSame(facts, checkout)) return;
    actor.send({ type: 'CHECKOUT_READ', checkout: facts, worktreeGone });
  }

  async #checkout(actor: AgentActor, dir: string): Promise<Checkout | undefined> {
    const now = this.#clock.now();
    const last = this.#read.get(actor);
    if (last?.fingerprint !== undefined && last.dir === dir && now - last.at < rereadMs) {
      if (checkoutFingerprint(dir, last.checkout, now) === last.fingerprint) return last.checkout;
    }
    // Take the fingerprint before reading, so that the next check sees a change meanwhile. If the branch has changed,
    // the fingerprint is of other files, so the next check reads again.
    const before = last && checkoutFingerprint(dir, last.checkout, now);
    const checkout = await readCheckout(dir);
    if (checkout === undefined) this.#read.delete(actor);
    else
      this.#read.set(actor, {
        dir,
        checkout,
        fingerprint: isOnSame(last?.checkout, checkout) ? before : undefined,
        at: now,
      });
    return checkout;
  }
}

/** Whether two readings come from the same files. */
function isOnSame(one: Checkout | undefined, other: Checkout): boolean {
  return one?.gitDir === other.gitDir && one.commonDir === other.commonDir && one.branch === other.branch;
}

function factsOf(found: Checkout | undefined): CheckoutFacts {
  if (!found) return {};
  const { sequenceInProgress, branch, headSha, repositoryUrl } = found;
  return {
    sequenceInProgress,
    ...(branch === undefined ? {} : { branch }),
    ...(headSha === undefined ? {} : { headSha }),
    ...(repositoryUrl === undefined ? {} : { repositoryUrl }),
  };
}

function isSame(one: CheckoutFacts, other: CheckoutFacts): boolean {
  return (['branch', 'headSha', 'repositoryUrl', 'sequenceInProgress', 'diff'] as const).every(
    (key) => one[key] === other[key],
  );
}
