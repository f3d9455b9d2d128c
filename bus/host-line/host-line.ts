import type { Bus, Endpoint, RunningService, Service } from '#bus/bus.ts';
import { decodeBody } from '#bus/codec.ts';
import type { KeyPair } from '#bus/seal/key-pair.ts';
import { hostSubject } from '#bus/subjects.ts';
import { Failure } from '#contract/failure.ts';
import type { Log, OwnInstallation } from '#contract/process-context.ts';
import { Greet, type Holder, pingVerb } from '#contract/wire/host-greeting.ts';
import { ownProtocols, type ProtocolRange } from '#contract/wire/protocol-range.ts';
import { requestOver } from './handshake.ts';
import { deadlineField, sessionIdBytes } from './host-session.ts';
import { RegistryLinks } from './registry-links.ts';
import type { RegistryTime } from './registry-time.ts';

/** How many times a request is sent in all, if registries do not know its session or are gone. */
const maxAttempts = 3;

/** Failures after which a host uses another registry: this one hangs, or has lost its database. */
const unfit = ['NO_ANSWER', 'RESPONDER_LOST', 'DATABASE_UNAVAILABLE', 'DATABASE_READ_ONLY'] as const;

/** An endpoint that a host serves to the registry. */
interface HostEndpoint {
  readonly verb: string;
  handle(body: unknown): unknown;
}

/**
 * A host's connection to the registry. A session, which only the holder of the host's key can begin, seals its requests
 * and opens those of the registry. All other messages on the bus are ignored.
 */
export interface HostLine {
  readonly hostId: string;
  /**
   * Sends a request to a registry and returns its answer: to the given instance, or else to any.
   * @throws Failure of the registry; as `Bus.request`; PERMISSION_DENIED when the host's row has another key, or
   *   another machine holds the host's lease; UNAVAILABLE when the registry's database was replaced meanwhile
   */
  ask(verb: string, body: unknown, timeoutMs: number, registry?: string): Promise<unknown>;
  /** Serves the registry's requests from now on, and its pings. */
  serve(service: Omit<Service, 'endpoints'>, endpoints: readonly HostEndpoint[]): Promise<RunningService>;
  /** Stops: no new session begins after a registry restart or a reconnect. */
  close(): void;
}

/** The inputs of a host's connection. */
export interface HostLineOptions {
  /** Elapsed time in milliseconds, by a clock that never steps. */
  readonly monotonic: () => number;
  readonly log?: Log | undefined;
  /** The host's installation: a registry of another installation refuses it. */
  readonly installation?: Pick<OwnInstallation, 'id'>;
  /** The versions of the messages that the host speaks; by default, this muster's. */
  readonly protocols?: ProtocolRange;
  /** The machine and folder that the host runs on. */
  readonly holder?: Holder;
  /** The cursor up to which the host has read the registry's changes. */
  readonly cursor?: () => string;
  /**
   * Called when the cursor belongs to a log that a restored database has replaced. Requests made before that fail with
   * UNAVAILABLE, because they were decided on the old log.
   */
  readonly onLogReplaced?: () => void;
}

/** Opens a host's connection. The first request begins a session. */
export function openHostLine(
  bus: Bus,
  hostId: string,
  key: KeyPair,
  { monotonic, log, installation, protocols = ownProtocols, holder, cursor = () => '', onLogReplaced }: HostLineOptions,
): HostLine {
  /** How many times the registry's log was replaced. */
  let logs = 0;
  const links = new RegistryLinks({
    bus,
    hostId,
    key,
    monotonic,
    log,
    about: () => ({ cursor: cursor(), holder, asksPermits: true, installation: installation?.id(), protocols }),
    onLogReplaced() {
      logs += 1;
      onLogReplaced?.();
    },
  });
  const later = (work: Promise<unknown>): void => {
    work.catch((err: unknown) => log?.debug({ err }, 'cannot connect to the registry yet'));
  };
  // A registry that has just started has no session with the host, and can send it no request before there is one.
  const greeting = bus.subscribe(hostSubject(hostId, 'greet'), (body) => {
    later(links.begin(Greet.safeParse(body ?? {}).data?.registry));
  });
  const back = bus.onReconnect(() => later(links.check()));
  return {
    hostId,
    async ask(verb, body, timeoutMs, registry) {
      const before = logs;
      for (let tries = 1; ; tries += 1) {
        const link = await (registry === undefined ? links.current() : links.with(registry));
        if (logs !== before) throw databaseReplaced();
        const isLast = tries === maxAttempts || registry !== undefined;
        const answer = await requestOver({ bus, hostId }, link, verb, body, timeoutMs).catch((error: unknown) => {
          if (!(error instanceof Failure)) throw error;
          if (unfit.some((reason) => error.isFor(reason))) links.avoid(link);
          // The registry did nothing, so try another one.
          if (isLast || !error.isFor('NOBODY_ANSWERS')) throw error;
          return undefined;
        });
        if (answer !== undefined) return answer.said;
        links.drop(link);
        if (isLast) throw new Failure('HOST_SESSION_ENDED', 'The registry has no session for this host: try again');
      }
    },
    serve(service, endpoints) {
      const ping: HostEndpoint = { verb: pingVerb, handle: () => ({}) };
      const served = [...endpoints, ping].map(
        ({ verb, handle }): Endpoint => ({
          name: verb,
          subject: hostSubject(hostId, verb),
          handle: (body) => handle(withoutDeadline(body)),
          envelope: async ({ subject, data }) => {
            const link = await links.find(data.subarray(0, sessionIdBytes));
            const opened = link?.session.openRequest(subject, data);
            if (link === undefined || opened === undefined) return undefined;
            const { data: request, seal } = opened;
            const isExpired = hasExpired(decodeBody(request), link.time);
            return { data: request, isExpired, seal: (outcome) => ({ data: seal(outcome) }) };
          },
        }),
      );
      return bus.serve({ ...service, isAlone: true, endpoints: served });
    },
    close() {
      greeting.close();
      back.close();
    },
  };
}

/** Whether a request's caller, by its registry's time, has stopped waiting. */
function hasExpired(body: unknown, time: RegistryTime): boolean {
  if (typeof body !== 'object' || body === null || !(deadlineField in body)) return false;
  const { [deadlineField]: deadline } = body;
  return typeof deadline === 'number' && (time.left(deadline) ?? 1) <= 0;
}

function withoutDeadline(body: unknown): unknown {
  if (typeof body !== 'object' || body === null || !(deadlineField in body)) return body;
  const { [deadlineField]: _, ...request } = body;
  return request;
}

function databaseReplaced(): Failure {
  return new Failure(
    'DATABASE_REPLACED',
    'The registry’s database was restored from a copy: the host reads all of it again',
  );
}
