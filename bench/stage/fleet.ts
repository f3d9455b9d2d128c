import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine } from '#store/database/engine.ts';
import { modulesOf } from './checkout.ts';
import { Connection } from './connection.ts';
import { cpuOf, processesOf } from './cpu.ts';
import type { Homes } from './homes.ts';
import { benchEnvironment, pathOfMethod, tokenOf } from './installation.ts';

/** The size of a fleet of idle agents on simulated hosts. */
export interface FleetSize {
  readonly agents: number;
  readonly hosts: number;
}

/** How to install a fleet. */
export interface FleetOptions extends FleetSize {
  readonly name: string;
  /** The folder of the checkout whose code is measured. */
  readonly checkout: string;
  /** A database server: the engine that stores the fleet, and the registry's URL. SQLite if omitted. */
  readonly database?: { readonly engine: Engine; readonly url: string };
}

/** A running installation with a fleet: nats-server, registry, gateway, and one process that simulates all hosts. */
export interface Fleet {
  readonly name: string;
  readonly home: string;
  readonly url: string;
  readonly token: string;
  readonly agentIds: readonly string[];
  /** Calls an operation by its method's name. Concurrent calls use separate connections, which are reused. */
  call<T>(method: string, request?: object): Promise<T>;
  /** The CPU time that the registry has used so far, in milliseconds. */
  registryCpu(): number;
  stop(): Promise<void>;
}

const hostProgram = fileURLToPath(new URL('./fleet-host.ts', import.meta.url));

/** Stores a fleet and starts its installation, both with the code of the given checkout. */
export async function openFleet(homes: Homes, options: FleetOptions): Promise<Fleet> {
  const { name, checkout, agents, hosts, database } = options;
  const modules = await modulesOf(checkout);
  const home = homes.empty();
  mkdirSync(home, { mode: 0o700 });
  const agentIds = await modules.seed(home, { live: agents }, { hosts, ...(database && { engine: database.engine }) });
  const environment = {
    ...benchEnvironment(home),
    MUSTER_FACT_COUNT: '1000000',
    BENCH_CHECKOUT: checkout,
    BENCH_HOSTS: String(hosts),
    ...(database && { MUSTER_DATABASE_URL: database.url }),
  };
  const program = join(checkout, 'bin/muster.mjs');
  const { url, stop } = await modules.startInstallation({
    config: modules.readConfig(environment),
    environment,
    log: modules.openLog({ name: 'start', level: 'warn' }),
    onGaveUp: (why) => {
      throw why;
    },
    programOf(member) {
      if (member === 'host') return [process.execPath, hostProgram];
      return [process.execPath, ...(modules.nodeArgumentsOf?.(member) ?? []), program, member];
    },
  });
  const [token, idle] = [tokenOf(home), [] as Connection[]];
  return {
    ...{ name, home, url, token, agentIds },
    async call(method, request = {}) {
      const connection = idle.pop() ?? new Connection(url);
      const answer = await connection.post(pathOfMethod(method), token, JSON.stringify(request));
      idle.push(connection);
      return JSON.parse(answer);
    },
    registryCpu: () => cpuOf(processesOf(/muster\.mjs registry/, home)),
    async stop() {
      for (const connection of idle) connection.close();
      await stop();
    },
  };
}
