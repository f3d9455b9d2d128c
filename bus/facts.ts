import type { Bus, Subscription } from './bus.ts';
import { factPattern, factSubject } from './subjects.ts';

/** Announces a fact in the log: its kind and its position. */
export interface FactHint {
  readonly kind: string;
  /** Its position in the log, in decimal digits. */
  readonly seq: string;
  readonly subjectId: string;
}

/** Notifies watchers that a fact was saved. */
export function publishFact(bus: Bus, hint: FactHint): void {
  bus.publish(factSubject(hint.kind), hint);
}

/**
 * Calls the listener for every fact, with its kind and subject, and without arguments after a reconnect, when hints may
 * have been lost. The log has the facts.
 */
export function onEachFact(bus: Bus, listener: (kind?: string, subjectId?: string) => void): Subscription {
  const hints = bus.subscribe(factPattern(''), (hint, subject) =>
    listener(subject.slice('fact.'.length), subjectOf(hint)),
  );
  const reconnects = bus.onReconnect(() => listener());
  return {
    close() {
      hints.close();
      reconnects.close();
    },
  };
}

function subjectOf(hint: unknown): string | undefined {
  const { subjectId } = (hint ?? {}) as Partial<FactHint>;
  return typeof subjectId === 'string' ? subjectId : undefined;
}
