import { z } from 'zod';
import type { Bus, Subscription } from '#bus/bus.ts';
import { peerSubject } from '#bus/subjects.ts';
import type { RegistryHolder } from '#contract/wire/registry-lease.ts';

const Hint = z.object({ from: z.string(), about: z.unknown() });

/** The dependencies of hints: the bus, this registry's identity, and whether it may have peers. */
interface HintScope {
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>;
  readonly holder: Pick<RegistryHolder, 'instance'>;
  readonly isShared: boolean;
}

/**
 * Hints among registries of one database: short-lived state that other registries should also have. A hint may be lost,
 * so nothing depends on one. A registry without peers sends none.
 */
export class PeerHints {
  readonly #scope: HintScope;

  constructor(scope: HintScope) {
    this.#scope = scope;
  }

  /** Sends a hint to every other registry. */
  send(topic: string, about: unknown): void {
    const { bus, holder, isShared } = this.#scope;
    if (isShared) bus.publish(peerSubject(topic), { from: holder.instance, about });
  }

  /** Calls the listener with each hint of another registry that matches the schema. */
  listen<Form extends z.ZodType>(topic: string, form: Form, listener: (about: z.output<Form>) => void): Subscription {
    const { bus, holder, isShared } = this.#scope;
    if (!isShared) return { close: () => {} };
    return bus.subscribe(peerSubject(topic), (body) => {
      const { data: hint } = Hint.safeParse(body);
      if (hint === undefined || hint.from === holder.instance) return;
      const { data: about, success } = form.safeParse(hint.about);
      if (success) listener(about);
    });
  }
}
