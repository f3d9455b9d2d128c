import { FakeHost } from './fake-host.ts';
import type { RegistryFixture } from './registry-fixture.ts';

/** A second host that a test plays, on line. */
export async function secondHost({ nats, clock }: RegistryFixture, id: string): Promise<FakeHost> {
  const host = new FakeHost(await nats.join('host'), id);
  host.now = () => clock.now();
  await host.start();
  return host;
}
