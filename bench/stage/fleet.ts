import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Engine } from '#store/database/engine.ts';
import { modulesOf } from './checkout.ts';
import { Connection } from './connection.ts';
import { cpuOf, processesOf } from './cpu.ts';
import type { Homes } from './homes.ts';
import { benchEnvironment, pathOfMethod, tokenOf } from './installation.ts';

/** A fleet of agents at rest in their panes, on simulated hosts. */
export interface FleetSize {
  readonly agents: number;
  readonly hosts: number;
}

/** What an installation of a fleet runs on. */
export interface FleetOptions extends FleetSize {
  readonly name: string;
  /** The folder of the checkout whose code runs. */
  readonly checkout: string;
  /** A database of a server: how the fleet is stored there, and the address that the registry gets. */
  readonly database?: { readonly engine: Engine; readonly url: string };
}

/** An installation with a fleet: a nats-server, a registry, a gateway, and a process that simulates all hosts. */
export interface Fleet {
  readonly name: string;
  readonly home: string;
  readonly url: string;
  readonly token: string;
  readonly agentIds: readonly string[];
  /** Calls an operation by its method's name, over a connection that nobody else uses meanwhile and that is kept. */
  call<T>(method: string, request?: object): Promise<T>;
  /** The CPU time that the registry has used until now, in milliseconds. */
  registryCpu(): number;
  stop(): Promise<void>;
}

const hostProgram = fileURLToPath(new URL('./fleet-host.ts', import.meta.url));

/** Stores a fleet and starts an installation on it, each with the code of one checkout. */
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
