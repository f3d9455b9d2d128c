import { choosingRegistry } from '#bus/registry-choice.ts';
import { type Gateway, type GatewayOptions, startGateway } from '#gateway/gateway.ts';
import { type LogProbe, logProbe } from '#test/bus/log-probe.ts';
import { testForge } from '#test/forge/test-forge.ts';
import { type RegistryFixture, registryFixture } from '#test/registry/registry-fixture.ts';

/** A registry, a bus and a gateway that listens; the host behind them is a test's. */
export interface Instance {
  readonly fixture: RegistryFixture;
  readonly gateway: Gateway;
  readonly url: string;
  readonly port: number;
  /** What the gateway and the registry logged. */
  readonly log: LogProbe;
  close(): Promise<void>;
}

/** Tests send many wrong tokens, so none is throttled. */
const anyStranger = { max: 1_000_000, withinMs: 60_000, pauseMs: 0 };

/**
 * Starts one. Its ids are sequential and its clock is stopped, so two instances with the same calls give identical
 * answers.
 */
export async function startInstance(options: Partial<GatewayOptions> = {}): Promise<Instance> {
  const log = logProbe();
  const fixture = await registryFixture({
    ceiling: 10_000,
    mailLimits: { perMinute: 10_000, hops: 8 },
    log,
    forgeTransport: testForge.transport,
  });
  const gateway = await startGateway({
    bus: choosingRegistry(fixture.gateway, () => undefined),
    bind: '127.0.0.1',
    port: 0,
    log,
    throttle: anyStranger,
    ...options,
  });
  return {
    fixture,
    gateway,
    url: gateway.url,
    port: Number(new URL(gateway.url).port),
    log,
    async close() {
      await gateway.stop();
      await fixture.close();
    },
  };
}
