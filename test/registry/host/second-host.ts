import { FakeHost } from '../fake-host.ts';
import type { RegistryFixture } from '../registry-fixture.ts';

/** A second host that a test plays, on line, and admitted by the person. */
export async function secondHost({ nats, clock, call }: RegistryFixture, id: string): Promise<FakeHost> {
  const host = new FakeHost(await nats.joinHost(id), id);
  host.now = () => clock.now();
  await host.start();
  await call('DrainHost', { hostId: id, undo: true });
  return host;
}
