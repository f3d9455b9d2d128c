import type { Bus, Subscription } from './bus.ts';
import { factPattern, factSubject } from './subjects.ts';

/** Says that a fact is in the log: what it is and where to read it. */
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
 * Is notified of facts whose kind starts with a prefix (`agent.`, or nothing for every fact) and that hints may have
 * been lost over a reconnect. The listener learns at most what it happened to, and nothing if it may be anything: the
 * log says what happened.
 */
export function onFacts(bus: Bus, prefix: string, listener: (subjectId?: string) => void): Subscription {
  const hints = bus.subscribe(factPattern(prefix), (hint, subject) => {
    if (subject.startsWith(`fact.${prefix}`)) listener(subjectOf(hint));
  });
  const reconnects = bus.onReconnect(() => listener());
  return {
    close() {
      hints.close();
      reconnects.close();
    },
  };
}

/**
 * Is notified of every fact, with its kind and what it is about, and, with nothing, that hints may have been lost over a
 * reconnect.
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
