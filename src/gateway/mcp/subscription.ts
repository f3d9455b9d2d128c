import type { ServerEventBus } from '@modelcontextprotocol/server';
import { Failure } from '#contract/failure.ts';
import { readingOf } from './read-resource.ts';
import { resourceAt } from './resource-kind.ts';
import type { McpService } from './service.ts';
import type { Session } from './session.ts';

/** How long facts are gathered before a resource is read, in milliseconds. One change often writes several facts. */
const gatherMs = 50;
/** How long after a failure a resource is read again, in milliseconds, so that no change is missed. */
const againMs = 1_000;
/** Failures after which a resource is no longer read. */
const final = new Set(['unauthenticated', 'permission_denied', 'not_found']);

/** The subscriptions of one stream. */
export interface Subscriptions {
  /** The source of notifications for the library's stream. */
  readonly events: ServerEventBus;
  /** Whether the library's stream is listening. */
  isSubscribed(): boolean;
}

/**
 * Reads resources again whenever a fact may have changed them, and reports those that have changed. Calls `onEnd` once
 * the stream no longer listens.
 * @throws Failure when the caller may not read one of them
 */
export async function subscribe(
  uris: readonly string[],
  session: Session,
  service: McpService,
  onEnd: () => void,
): Promise<Subscriptions> {
  const seen: { readonly uri: string; readonly digest: unknown; readonly subjects: readonly string[] }[] = [];
  for (const uri of new Set(uris)) seen.push({ uri, ...(await readingOf(uri, session, service)) });
  let subscribed = false;
  return {
    isSubscribed: () => subscribed,
    events: {
      publish: () => undefined,
      subscribe: (listener) => {
        subscribed = true;
        const held = service.live.hold(session.credential);
        const stops = seen.map(({ uri, digest, subjects }) => {
          const read = async () => {
            const wanted = { uri, caller: session.caller(), lookEveryMs: resourceAt(uri)?.kind.lookEveryMs };
            const said = await service.readings.digest(wanted, async () => {
              return (await readingOf(uri, session, service)).digest;
            });
            await held.require();
            return said;
          };
          const reader = new ResourceReader(digest, read, () => listener({ kind: 'resource_updated', uri }));
          held.ended.addEventListener('abort', () => reader.request(), { once: true });
          return watch(uri, subjects, reader, service);
        });
        return () => {
          for (const stop of stops) stop();
          held.release();
          onEnd();
        };
      },
    },
  };
}

/** Requests a reading of a resource at every fact of its subjects, and regularly if it also changes without one. */
function watch(uri: string, subjects: readonly string[], reader: ResourceReader, { hints }: McpService): () => void {
  const { kind } = resourceAt(uri) ?? {};
  const facts = (kind?.facts ?? []).map((prefix) =>
    hints.listen(prefix, (subjectId) => {
      if (subjectId === undefined || subjects.includes(subjectId)) reader.request();
    }),
  );
  const timer = kind?.lookEveryMs === undefined ? undefined : setInterval(() => reader.request(), kind.lookEveryMs);
  reader.request();
  return () => {
    clearInterval(timer);
    for (const listener of facts) listener.close();
    reader.end();
  };
}

/** Coalesces readings of a resource: however many are requested during one, a single one follows. */
class ResourceReader {
  #digest: unknown;
  readonly #read: () => Promise<unknown>;
  readonly #notify: () => void;
  #timer: NodeJS.Timeout | undefined;
  #reading = false;
  #requestedAgain = false;
  #ended = false;

  constructor(digest: unknown, read: () => Promise<unknown>, notify: () => void) {
    this.#digest = digest;
    this.#read = read;
    this.#notify = notify;
  }

  request(): void {
    if (this.#reading) this.#requestedAgain = true;
    else this.#readIn(gatherMs);
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #readIn(milliseconds: number): void {
    if (!this.#ended) this.#timer ??= setTimeout(() => void this.#run(), milliseconds);
  }

  async #run(): Promise<void> {
    this.#reading = true;
    this.#requestedAgain = false;
    const next = await this.#readOnce();
    this.#reading = false;
    this.#timer = undefined;
    if (next !== undefined) this.#readIn(next);
  }

  /** Reads once. Returns after how many milliseconds to read again; undefined if no reading is requested. */
  async #readOnce(): Promise<number | undefined> {
    try {
      this.#compare(await this.#read());
      return this.#requestedAgain ? gatherMs : undefined;
    } catch (error) {
      if (!(error instanceof Failure) || !final.has(error.code)) return againMs;
      // Reported as a change, so that the client reads it and gets the failure.
      this.#compare(undefined);
      this.end();
      return undefined;
    }
  }

  #compare(digest: unknown): void {
    if (this.#ended || digest === this.#digest) return;
    this.#digest = digest;
    this.#notify();
  }
}
