import type { Log } from '#contract/process-context.ts';
import type { Tracer } from '#contract/tracer.ts';
import type { BusFigures } from '#contract/wire/figures.ts';
import type { Here, Holder } from '#contract/wire/host-greeting.ts';
import type { RegistryHolder } from '#contract/wire/registry-lease.ts';

/** How a process joins the bus. */
export interface BusOptions {
  /** One or more addresses (`nats://`, `tls://`), separated by commas, without credentials. */
  readonly url: string;
  readonly user?: string;
  readonly password?: string;
  /** Certificates in PEM of the CA that signed the servers' own; by default those that this machine trusts. */
  readonly authority?: string | undefined;
  /** What the connection is called in the server's own monitoring. */
  readonly name?: string;
  readonly log?: Log;
  /** Carries the trace that is in progress with each request, and continues with that of a request that comes in. */
  readonly tracer?: Tracer | undefined;
  /**
   * The installation that this process belongs to. It is said with each question, and who answers for another one
   * refuses it: `holder` says who that is.
   */
  readonly installation?: { id(): string | undefined; readonly holder?: RegistryHolder } | undefined;
  /** Gives up waiting for the first connection. */
  readonly signal?: AbortSignal;
}

/** What a request needs beyond its subject and body. */
export interface RequestOptions {
  /** How long the answer may take, in milliseconds. Whoever answers knows it. */
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a handler gets of a call besides its body. */
export interface Call {
  readonly subject: string;
  /** How long the caller still waited when the call came in, in milliseconds; undefined if it did not say. */
  readonly timeoutMs: number | undefined;
  /** Who asks, where the endpoint's envelope shows it. */
  readonly sender?: Sender;
}

/** A message on the bus, as those see it who seal and open. */
export interface Incoming {
  readonly subject: string;
  readonly data: Uint8Array;
  header(name: string): string | undefined;
}

/** What was sealed, as it is sent. */
export interface Sealed {
  readonly data: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A host that speaks, as its session shows: it holds the private half of the key. */
export interface Sender {
  readonly hostId: string;
  readonly key: string;
  /** Whether the key is the one that the host's row is bound to. */
  readonly isBound: boolean;
  /** Whether the session continues; a write in its name asks within that write, because a person may reset its key. */
  readonly isUnderWay: boolean;
  /** Notes that the row is bound to it by now: from here on the host is asked by this session. */
  bind(): void;
  /** Which machine it is, once it was let in as its host. */
  readonly holder: Holder | undefined;
  /** Lets it in as its host; the sessions of any other machine end. */
  admit(here: Pick<Here, 'holder' | 'asksPermits'>): void;
}

/** A question that was opened: what it says, who says it, and how the result is sealed. */
interface Opened {
  readonly data: Uint8Array;
  readonly sender?: Sender;
  seal(outcome: Uint8Array): Sealed;
}

/**
 * Opens the questions of an endpoint. `unknown` is answered, as headers alone, to one that names a session which is not
 * known; one that is not what it seems is undefined, and is not answered at all.
 */
export type Envelope = (
  incoming: Incoming,
) => Promise<Opened | { readonly unknown: Readonly<Record<string, string>> } | undefined>;

/** How bytes are exchanged that are sealed already. */
export interface ExchangeOptions<T> {
  readonly timeoutMs: number;
  /** Reads the answer; undefined if a message is not the answer to this question, which goes on waiting then. */
  take(incoming: Incoming): { readonly answer: T } | undefined;
  /** Whether others than the server may say that nobody answers: a real answer is waited for a little longer then. */
  readonly isDoubtful?: boolean;
}

/** Answers a call; the result travels as JSON, a thrown `Failure` as it is, anything else as `internal`. */
export type Handler = (body: unknown, call: Call) => unknown;

/** One subject that a service answers. */
export interface Endpoint {
  /** Unique within the service: letters, digits, `-` and `_`. */
  readonly name: string;
  readonly subject: string;
  readonly handle: Handler;
  /** Opens what is asked; if it is left out, questions come as they are. The subject may then hold wildcards. */
  readonly envelope?: Envelope;
  /** Whether the answer is a secret: it is given only sealed to the key of whoever asks. */
  readonly secret?: boolean;
}

/** A group of endpoints that is announced on the bus by the services protocol ($SRV PING, INFO and STATS). */
export interface Service {
  /** Letters, digits, `-` and `_`. Instances of one name share the work. */
  readonly name: string;
  /** Semantic version. */
  readonly version: string;
  readonly description?: string;
  /** What is shown of it beside, such as when it runs. */
  readonly metadata?: Readonly<Record<string, string>>;
  /**
   * Whether one process alone answers its subjects. It hears each question then, also while the server still holds an
   * earlier connection of its for alive: of several that share the work, questions might go to that one and be lost.
   */
  readonly isAlone?: true;
  readonly endpoints: readonly Endpoint[];
}

/** A service that answers. */
export interface Served {
  /** The instance's own id, as $SRV shows it. */
  readonly id: string;
  /** Accepts no more calls and waits (up to two seconds) until those that came in are answered. May be called twice. */
  stop(): Promise<void>;
}

/** A standing interest, until it is closed. */
export interface Subscription {
  close(): void;
}

/**
 * The bus, as everything but this folder sees it. It never gives up a lost connection. Messages are hints: what is
 * published while the connection is down is lost.
 */
export interface Bus {
  /** Whether the connection is open now, as far as this side knows. */
  readonly connected: boolean;
  /** What the connection counted since it was first made. */
  readonly figures: BusFigures;
  /** How long the server takes to answer, in milliseconds. @throws UNAVAILABLE when it does not within a second. */
  roundTrip(): Promise<number>;
  /**
   * Asks and returns the answer, which is sealed on its way: nobody else who hears this user's inboxes can read it.
   * @throws Failure of the answering side; UNAVAILABLE at once if nobody answers the subject or the bus is down (it
   * was surely not done), DEADLINE_EXCEEDED when no answer came in time (it may have been done), RESOURCE_EXHAUSTED
   * when the body is larger than the bus carries.
   */
  request(subject: string, body: unknown, options: RequestOptions): Promise<unknown>;
  /** As `request`, with bytes that are sealed already and an answer that `take` reads. */
  exchange<T>(subject: string, data: Uint8Array, options: ExchangeOptions<T>): Promise<T>;
  /**
   * Answers the endpoints' subjects from now on, also after a reconnect; instances share a queue group.
   * @throws PERMISSION_DENIED when this user may not answer one of the subjects.
   */
  serve(service: Service): Promise<Served>;
  /** Publishes a hint; lost if the connection is down. */
  publish(subject: string, body?: unknown): void;
  /** Hears every message of a subject, which may hold the wildcards `*` and `>`. */
  subscribe(subject: string, listener: (body: unknown, subject: string) => void): Subscription;
  /** Called when a lost connection is back, so that what may have been missed can be looked up. */
  onReconnect(listener: () => void): Subscription;
  /** Stops what is served, sends what is waiting and leaves the bus. May be called twice. */
  close(): Promise<void>;
}
