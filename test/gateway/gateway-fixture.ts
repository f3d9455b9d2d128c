import { createHash } from 'node:crypto';
import type { Bus, Handler } from '#bus/bus.ts';
import { authCheckSubject, endedCredentialsSubject, operationSubject, readySubject } from '#bus/subjects.ts';
import type { Caller } from '#contract/access/caller.ts';
import { operations } from '#contract/table.ts';
import { type Gateway, type GatewayOptions, startGateway } from '#gateway/gateway.ts';
import { type LogProbe, logProbe } from '#test/bus/log-probe.ts';
import { type NatsFixture, natsFixture } from '#test/bus/nats-fixture.ts';
import { sealingTo } from '#test/bus/sealing-bus.ts';
import { refusalWith } from '#test/support/failure.ts';

/** The token that the registry of the tests takes. */
export const token = 'op_3f9d2c7b1a';
export const authorization = `Bearer ${token}`;

/** One call as the registry got it. */
export interface SeenCall {
  readonly method: string;
  readonly credential: string;
  readonly request: Record<string, unknown>;
  /** Whether its answer is shared with other callers. */
  readonly shared: boolean;
  readonly timeoutMs: number | undefined;
  /** When it came, on the test's own clock in milliseconds. */
  readonly at: number;
}

/** A gateway on a real bus, before a registry that answers as a test reports it. */
export interface GatewayFixture {
  readonly nats: NatsFixture;
  readonly registry: Bus;
  readonly gateway: Gateway;
  readonly url: string;
  readonly port: number;
  readonly log: LogProbe;
  /** The calls to the registry, without checks of credentials. */
  readonly calls: SeenCall[];
  /** Credentials that were checked without a call. */
  readonly checks: string[];
  /** The number of all requests to the registry. */
  readonly asked: () => number;
  /** How often the gateway has checked the credentials of its open streams. */
  readonly liveChecks: () => number;
  /** Sets the answer of a method; it is {} by default. */
  answer(method: string, handle: (request: Record<string, unknown>) => unknown): void;
  /** Who holds the token from now on; a person at first. */
  actAs(caller: Caller): void;
  /** Stops the gateway, and starts another one in its place, at the same address. */
  restart(): Promise<void>;
  /** Takes the token away. */
  revoke(): void;
  close(): Promise<void>;
}

/** Starts a bus, a registry and a gateway on a free port. */
export async function gatewayFixture(options: Partial<GatewayOptions> = {}): Promise<GatewayFixture> {
  const nats = await natsFixture();
  const [plain, registry] = await Promise.all([nats.join('gateway'), nats.join('registry')]);
  const bus = sealingTo(registry, plain);
  const log = logProbe();
  const calls: SeenCall[] = [];
  const checks: string[] = [];
  const answers = new Map<string, (request: Record<string, unknown>) => unknown>();
  let good = createHash('sha256').update(token).digest('hex');
  let asked = 0;
  let liveChecks = 0;
  let caller: Caller = { kind: 'person' };
  const authenticate = (credential: unknown): void => {
    asked += 1;
    if (credential !== good) throw refusalWith('unauthenticated', 'The token is not known');
  };
  const handle =
    (method: string): Handler =>
    (body, { timeoutMs }) => {
      const { credential, request, shared = false } = body as Omit<SeenCall, 'shared'> & { shared?: boolean };
      authenticate(credential);
      calls.push({ method, credential, request, shared, timeoutMs, at: performance.now() });
      return answers.get(method)?.(request) ?? {};
    };
  await registry.serve({
    name: 'registry',
    version: '1.0.0',
    endpoints: [
      ...operations.map((row) => ({ name: row.method, subject: operationSubject(row), handle: handle(row.method) })),
      { name: 'ready', subject: readySubject, handle: () => undefined },
      {
        name: 'ended-credentials',
        subject: endedCredentialsSubject,
        handle: (body: unknown) => {
          const { credentials } = body as { credentials: readonly string[] };
          liveChecks += 1;
          return { ended: credentials.filter((credential) => credential !== good) };
        },
      },
      {
        name: 'check',
        subject: authCheckSubject,
        handle: (body: unknown) => {
          const { credential } = body as { credential: string };
          checks.push(credential);
          authenticate(credential);
          return { caller };
        },
      },
    ],
  });
  const start = (port: number) => startGateway({ bus, bind: '127.0.0.1', port, log, h2c: true, ...options });
  let gateway = await start(0);
  const port = Number(new URL(gateway.url).port);
  return {
    nats,
    registry,
    get gateway() {
      return gateway;
    },
    url: gateway.url,
    port,
    log,
    calls,
    checks,
    asked: () => asked,
    liveChecks: () => liveChecks,
    answer: (method, answering) => void answers.set(method, answering),
    actAs(who) {
      caller = who;
    },
    async restart() {
      await gateway.stop();
      gateway = await start(port);
    },
    revoke() {
      good = 'revoked';
    },
    async close() {
      await gateway.stop();
      await nats.close();
    },
  };
}
