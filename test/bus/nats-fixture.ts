import type { Bus, BusOptions } from '#bus/bus.ts';
import { connectBus } from '#bus/connection.ts';
import type { BusUser } from '#contract/process-context.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { prepareNatsServer } from '#world/net/nats-server.ts';
import { launchChild, type RunningChild } from '#world/process/child-process.ts';

/** A real nats-server with muster's own users, and the buses that were joined to it. */
export interface NatsFixture {
  readonly url: string;
  readonly passwords: Readonly<Record<BusUser, string>>;
  /** Joins as a user; the bus is closed with the fixture. */
  join(user: BusUser, more?: Partial<BusOptions>): Promise<Bus>;
  signal(name: NodeJS.Signals): void;
  /** Ends the server without a word (SIGKILL). */
  kill(): Promise<void>;
  /** Starts it again on the same port. */
  restart(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a nats-server in its own folder. */
export async function natsFixture(): Promise<NatsFixture> {
  const folder = temporaryFolder('nats');
  const { spec, passwords } = prepareNatsServer(folder.path, `${folder.path}/nats.log`);
  let child: RunningChild = await launchChild(spec);
  const url = child.url ?? '';
  const joined: Bus[] = [];
  return {
    url,
    passwords,
    async join(user, more = {}) {
      const bus = await connectBus({ url, user, password: passwords[user], name: user, ...more });
      joined.push(bus);
      return bus;
    },
    signal: (name) => void process.kill(child.pid, name),
    async kill() {
      process.kill(child.pid, 'SIGKILL');
      await child.exited;
    },
    async restart() {
      child = await launchChild(spec);
    },
    async close() {
      await Promise.all(joined.map((bus) => bus.close()));
      await child.stop(2_000);
      folder.remove();
    },
  };
}
