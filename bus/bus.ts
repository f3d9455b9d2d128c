import type { BusMember } from '#contract/access/bus-member.ts';
import type { BusCredential, Log } from '#contract/process-context.ts';
import type { Tracer } from '#contract/tracer.ts';
import type { BusFigures } from '#contract/wire/figures.ts';
import type { Here, Holder } from '#contract/wire/host-greeting.ts';
import type { ProtocolRange } from '#contract/wire/protocol-range.ts';
import type { RegistryHolder } from '#contract/wire/registry-lease.ts';

/** How a process joins the bus. */
export interface BusOptions {
  /** One or more addresses (`nats://`, `tls://`), separated by commas, without credentials. */
  readonly url: string;
  /** This process's identity on the bus. */
  readonly member?: BusMember;
  /** Its credential. */
  readonly credential?: BusCredential;
  /** PEM certificates of the CA that signed the servers' certificates; by default the CAs that this machine trusts. */
  readonly authority?: string | undefined;
  /** The connection's name in the server's monitoring. */
  readonly name?: string;
  readonly log?: Log;
  /** Sends the current trace with each request, and continues the trace of each incoming request. */
  readonly tracer?: Tracer | undefined;
  /**
   * The installation that this process belongs to. Each request names it, and a responder of another installation
   * refuses the request; `holder` names that responder.
   */
  readonly installation?: { id(): string | undefined; readonly holder?: RegistryHolder } | undefined;
  /** The versions of the bus's messages that this process speaks; by default, this muster's. */
  readonly protocols?: ProtocolRange;
  /** Called when a server refuses the credential of a process that was connected before. */
  readonly onRefused?: (() => void) | undefined;
  /** Gives up waiting for the first connection. */
  readonly signal?: AbortSignal;
}

/** The options of a request. */
export interface RequestOptions {
  /** How long the answer may take, in milliseconds. The responder sees it. */
  readonly timeoutMs: number;
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * How long the responder may be silent, in milliseconds: it reports every second that the call is in progress.
   * Without it, a request to a process that dies waits for its whole time.
   */
  readonly silenceMs?: number;
  /** The public key of the responder, to which the request is sealed; without it, others on the bus can read it. */
  readonly sealTo?: string | undefined;
  /** Whether it contains a secret: it is sent only sealed. */
  readonly isSecret?: boolean;
}

/** The context that a handler receives with the body of a call. */
export interface Call {
  readonly subject: string;
  /** How long the caller waits from the arrival of the call, in milliseconds; undefined if the call does not say. */
  readonly timeoutMs: number | undefined;
  /** The sender, if the endpoint's envelope identifies it. */
  readonly sender?: Sender;
}

/** A message on the bus, as envelopes see it. */
export interface Incoming {
  readonly subject: string;
  readonly data: Uint8Array;
  header(name: string): string | undefined;
}

/** A sealed message, as it is sent. */
export interface SealedMessage {
  readonly data: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The host that sent a message, authenticated by its session: it has the private key. */
export interface Sender {
  readonly hostId: string;
  readonly key: string;
  /** Whether the host began the session with this registry by name, on the registry's request. */
  readonly isDirected: boolean;
  /** How often people had removed the host's key when the session began. */
  readonly keyEpoch: number;
  /** Whether the key is the one that the host's row is bound to. */
  readonly isBound: boolean;
  /**
   * Whether the session is still open. A write on its behalf checks this within that write, because a person may reset
   * the host's key.
   */
  readonly isOpen: boolean;
  /** Called when the host's row is bound to this key: from now on, requests to the host use this session. */
  bind(): void;
  /** The machine that holds the host's lease, once it was admitted. */
  readonly holder: Holder | undefined;
  /** Called when this machine gets the host's lease: ends the host's sessions with other machines. */
  admit(here: Pick<Here, 'holder' | 'asksPermits'>): void;
}

/** An opened request: its content, its sender, and how to seal the result. */
interface OpenedRequest {
  readonly data: Uint8Array;
  readonly sender?: Sender;
  /** Whether its caller has stopped waiting: it is refused. */
  readonly isExpired?: boolean;
  seal(outcome: Uint8Array): SealedMessage;
}

/**
 * Opens the requests of an endpoint. For a request of an unknown session it returns `unknown`, the headers of an answer
 * without a body. For a forged or replayed request it returns undefined, and there is no answer.
 */
export type Envelope = (
  incoming: Incoming,
) => Promise<OpenedRequest | { readonly unknown: Readonly<Record<string, string>> } | undefined>;

/** Options for exchanging bytes that are already sealed. */
export interface ExchangeOptions<T> {
  readonly timeoutMs: number;
  /** Reads the answer; undefined if a message is not the answer to this request, which then keeps waiting. */
  take(incoming: Incoming): { readonly answer: T } | undefined;
  /**
   * Whether others than the server can send "no responders". Then the request waits a little longer for a real answer.
   */
  readonly mayBeForged?: boolean;
  /** As in `RequestOptions`. Its reports are not sealed: a forged one only makes the request wait longer. */
  readonly silenceMs?: number;
}

/** Answers a call. The result is sent as JSON, a thrown `Failure` unchanged, any other error as `internal`. */
export type Handler = (body: unknown, call: Call) => unknown;

/** One subject that a service answers. */
export interface Endpoint {
  /** Unique within the service: letters, digits, `-` and `_`. */
  readonly name: string;
  readonly subject: string;
  readonly handle: Handler;
  /** Opens requests; without it, requests are read as they are. With it, the subject may contain wildcards. */
  readonly envelope?: Envelope;
  /** Whether the answer is a secret: it is sent only sealed to the caller's key. */
  readonly secret?: boolean;
}

/** A group of endpoints that is announced on the bus by the services protocol ($SRV PING, INFO and STATS). */
export interface Service {
  /** Letters, digits, `-` and `_`. Instances of one name share the work. */
  readonly name: string;
  /** Semantic version. */
  readonly version: string;
  readonly description?: string;
  /** Additional metadata, such as its start time. */
  readonly metadata?: Readonly<Record<string, string>>;
  /**
   * Whether only one process answers its subjects. It then receives every request, even while the server still holds an
   * earlier connection of the process. With a queue group, requests could go to that connection and be lost. It is not
   * announced: hosts serve so, and have no right to.
   */
  readonly isAlone?: true;
  /**
   * The name by which this process alone is called: each endpoint without an envelope is also answered at its subject
   * followed by it.
   */
  readonly calledAs?: string;
  readonly endpoints: readonly Endpoint[];
}

/** A running service. */
export interface RunningService {
  /** The instance's own id, as $SRV shows it. */
  readonly id: string;
  /** Accepts no more calls and waits up to two seconds for those in progress. May be called twice. */
  stop(): Promise<void>;
}

/** A subscription, until it is closed. */
export interface Subscription {
  close(): void;
}

/**
 * The bus. It reconnects forever. Published messages are hints: what is published while the connection is down is
 * lost.
 */
export interface Bus {
  /** Whether this side considers the connection open. */
  readonly connected: boolean;
  /** The connection's metrics since the first connect. */
  readonly figures: BusFigures;
  /** The public key that requests to this process can be sealed to. */
  readonly sealKey: string;
  /** How long the server takes to answer, in milliseconds. @throws UNAVAILABLE when it does not within a second. */
  roundTrip(): Promise<number>;
  /**
   * Sends a request and returns its answer. The answer is sealed, so no other reader of this user's inboxes can read
   * it.
   * @throws Failure of the answering side; FAILED_PRECONDITION when it is a secret, and it cannot be sealed; UNAVAILABLE at once if the subject has no responder or the bus is down
   * (nothing was done), DEADLINE_EXCEEDED when no answer came in time (it may have been done), RESOURCE_EXHAUSTED when
   * the body is larger than the bus carries.
   */
  request(subject: string, body: unknown, options: RequestOptions): Promise<unknown>;
  /** Like `request`, with bytes that are already sealed and an answer that `take` reads. */
  exchange<T>(subject: string, data: Uint8Array, options: ExchangeOptions<T>): Promise<T>;
  /**
   * Serves the endpoints' subjects from now on, also after a reconnect; instances share a queue group.
   * @throws PERMISSION_DENIED when this user may not subscribe to one of the subjects
   */
  serve(service: Service): Promise<RunningService>;
  /** Publishes a hint; lost if the connection is down. */
  publish(subject: string, body?: unknown): void;
  /** Receives every message of a subject, which may contain the wildcards `*` and `>`. */
  subscribe(subject: string, listener: (body: unknown, subject: string) => void): Subscription;
  /** Calls `listener` after each reconnect, so that the caller can read what it may have missed. */
  onReconnect(listener: () => void): Subscription;
  /** Stops all services, sends what is queued and disconnects. May be called twice. */
  close(): Promise<void>;
}
