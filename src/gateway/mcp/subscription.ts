import type { ServerEventBus } from '@modelcontextprotocol/server';
import { Failure } from '#contract/failure.ts';
import { readingOf } from './read-resource.ts';
import { resourceAt } from './resource-kind.ts';
import type { McpService } from './service.ts';
import type { Session } from './session.ts';

/** How long facts are gathered before a resource is looked at: one change commonly writes several. */
const gatherMs = 50;
/** How long after a failure it is checked again: what moved meanwhile must not be missed. */
const againMs = 1_000;
/** Refusals after which a resource is not looked at any more. */
const final = new Set(['unauthenticated', 'permission_denied', 'not_found']);

/** The resources that one stream is subscribed to. */
export interface Subscriptions {
  /** Where the library's stream gets its notifications. */
  readonly events: ServerEventBus;
  /** Whether a stream hears it. */
  isHeard(): boolean;
}

/**
 * Rereads resources whenever a fact may have changed them, from the first reading on, and reports each one that says
 * something else than before. `onEnd` is called once nobody hears it any more.
 * @throws Failure when the caller may not read one of them.
 */
export async function subscribe(
  uris: readonly string[],
  session: Session,
  service: McpService,
  onEnd: () => void,
): Promise<Subscriptions> {
  const seen: { readonly uri: string; readonly digest: unknown; readonly subjects: readonly string[] }[] = [];
  for (const uri of new Set(uris)) seen.push({ uri, ...(await readingOf(uri, session, service)) });
  let heard = false;
  return {
    isHeard: () => heard,
    events: {
      publish: () => undefined,
      subscribe: (listener) => {
        heard = true;
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
          const look = new ObservePane(digest, read, () => listener({ kind: 'resource_updated', uri }));
          held.ended.addEventListener('abort', () => look.ask(), { once: true });
          return watch(uri, subjects, look, service);
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

/** Asks for a look at a resource at every fact of its subject, and now and then if it also moves without one. */
function watch(uri: string, subjects: readonly string[], look: ObservePane, { hints }: McpService): () => void {
  const { kind } = resourceAt(uri) ?? {};
  const facts = (kind?.facts ?? []).map((prefix) =>
    hints.listen(prefix, (subjectId) => {
      if (subjectId === undefined || subjects.includes(subjectId)) look.ask();
    }),
  );
  const timer = kind?.lookEveryMs === undefined ? undefined : setInterval(() => look.ask(), kind.lookEveryMs);
  look.ask();
  return () => {
    clearInterval(timer);
    for (const heard of facts) heard.close();
    look.end();
  };
}

/** Looks that coalesce: however many are asked for while one is gathered or under way, one more follows. */
class ObservePane {
  #digest: unknown;
  readonly #read: () => Promise<unknown>;
  readonly #notify: () => void;
  #timer: NodeJS.Timeout | undefined;
  #looking = false;
  #askedAgain = false;
  #ended = false;

  constructor(digest: unknown, read: () => Promise<unknown>, notify: () => void) {
    this.#digest = digest;
    this.#read = read;
    this.#notify = notify;
  }

  ask(): void {
    if (this.#looking) this.#askedAgain = true;
    else this.#lookIn(gatherMs);
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }

  #lookIn(milliseconds: number): void {
    if (!this.#ended) this.#timer ??= setTimeout(() => void this.#observe(), milliseconds);
  }

  async #observe(): Promise<void> {
    this.#looking = true;
    this.#askedAgain = false;
    const next = await this.#lookOnce();
    this.#looking = false;
    this.#timer = undefined;
    if (next !== undefined) this.#lookIn(next);
  }

  /** When to look again, in milliseconds; undefined if nothing asks for it. */
  async #lookOnce(): Promise<number | undefined> {
    try {
      this.#compare(await this.#read());
      return this.#askedAgain ? gatherMs : undefined;
    } catch (error) {
      if (!(error instanceof Failure) || !final.has(error.code)) return againMs;
      // Whoever reads it now sees why.
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
