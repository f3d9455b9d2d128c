import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePort } from '#test/support/free-port.ts';
import { moment } from '#test/support/moment.ts';
import { isOpenPath } from '#test/support/open-path.ts';
import { type PostgresServer, startPostgres } from '#test/support/postgres/postgres-server.ts';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { findProgram } from '#world/requirements.mjs';
import { type ComposeService, readCompose } from './compose-file.ts';
import { layImage } from './image-tree.ts';

const checkout = fileURLToPath(new URL('../..', import.meta.url));
/** The name of the machine in the documentation. */
const machine = 'muster.example';

/** The services of compose.yaml, each as a process at an address of its own on loopback. */
export interface Services {
  /** The folder with all of it. */
  readonly folder: string;
  /** The folder of compose.yaml, with its secrets. */
  readonly deploy: string;
  /** What compose.yaml says of a service. */
  service(name: string): ComposeService;
  /** A text of the documentation with the addresses of these processes. */
  placed(text: string): string;
  /** Runs the health check of a service; its result is empty, or what is wrong. */
  check(name: string): Promise<string>;
  /** Waits until the health check of a service passes. */
  healthy(name: string): Promise<void>;
  /** Runs a command as in the container of a service, and returns what it prints. */
  run(name: string, words: readonly string[]): Promise<string>;
  /** Ends a service at once, as `kill -9` does. */
  kill(name: string): Promise<void>;
  /** Starts one that was ended again, as its restart policy does. */
  start(name: string): Promise<void>;
  /** Ends a service as the engine does, and returns its exit status. */
  halt(name: string): Promise<number | null>;
  /** Has the database begin without anything, as on a new volume. */
  emptyDatabase(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Makes the secrets with the script, and starts everything. What differs from containers: addresses and paths, and
 * users where this process may not choose them.
 */
export async function startServices(): Promise<Services> {
  const place = temporaryFolder('deploy');
  // Others come through, as users of containers.
  for (const folder of [tmpdir(), place.path]) if (process.getuid?.() === 0) chmodSync(folder, 0o711);
  const deploy = join(place.path, 'deploy');
  const net = `127.${randomInt(64, 255)}.${randomInt(255)}`;
  for (const name of ['deploy', 'nats.conf', 'nats-cluster.conf'])
    cpSync(join(checkout, name), join(place.path, name), { recursive: true });
  const addresses = Array.from({ length: 8 }, (_, at) => `${net}.${at + 1}`);
  execFileSync(join(deploy, 'make-secrets.sh'), [machine, ...addresses], {
    env: { ...process.env, MUSTER: join(checkout, 'bin/muster') },
  });
  const composed = readCompose(deploy);
  const ports = new Map<string, string>();
  for (const { name, published } of composed)
    if (published.has('7433') || published.has('7434')) ports.set(name, String(await freePort(`${net}.1`)));
  const addressOf = (name: string) => addresses[composed.findIndex((one) => one.name === name)] ?? name;

  /** Addresses as they are here: of this service, of others by their names, and what the machine publishes. */
  const placed = (text: string, name?: string): string => {
    let result = text;
    for (const { name: other, published } of composed) {
      for (const [outside, inside] of published)
        result = result.replaceAll(`${machine}:${outside}`, `${addressOf(other)}:${ports.get(other) ?? inside}`);
      result = result.replaceAll(new RegExp(`(?<=@|//|--host=)${other}(?=[:/,]|$)`, 'gm'), addressOf(other));
      result = result.replaceAll(`${addressOf(other)}:7433`, `${addressOf(other)}:${ports.get(other) ?? 7433}`);
    }
    return name === undefined ? result : result.replaceAll(/\b(?:127\.0\.0\.1|0\.0\.0\.0)\b/g, addressOf(name));
  };
  const image = layImage(join(place.path, 'image'));
  const running = new Map<string, Service>();
  let database: PostgresServer | undefined;
  for (const service of composed) {
    const root = join(place.path, 'root', service.name);
    mkdirSync(root, { recursive: true });
    running.set(service.name, new Service({ service, root, image, port: ports.get(service.name), placed }));
  }
  const serviceOf = (name: string): Service => {
    const found = running.get(name);
    if (found === undefined) throw new Error(`compose.yaml has no ${name}`);
    return found;
  };
  const services: Services = {
    folder: place.path,
    deploy,
    service: (name) => serviceOf(name).service,
    placed,
    check: (name) => serviceOf(name).check(),
    run: (name, words) => serviceOf(name).run(words),
    async healthy(name) {
      let wrong = '';
      const isHealthy = async () => {
        wrong = await services.check(name);
        return wrong === '';
      };
      await moment(`${name} is healthy`, isHealthy).catch((error: Error) => {
        throw new Error(`${error.message}: ${wrong}\n${serviceOf(name).log().slice(-3_000)}`);
      });
    },
    kill: async (name) =>
      name === 'database'
        ? database?.stop()
        : serviceOf(name)
            .end('SIGKILL')
            .then(() => {}),
    start: async (name) => (name === 'database' ? database?.start() : serviceOf(name).start()),
    halt: (name) => serviceOf(name).end('SIGTERM'),
    async emptyDatabase() {
      const { POSTGRES_DB: name } = serviceOf('database').service.environment;
      await database?.execute('postgres', `drop database ${name} with (force)`, `create database ${name}`);
    },
    async stop() {
      for (const service of [...running.values()].toReversed()) await service.end('SIGKILL');
      database?.remove();
      place.remove();
    },
  };
  try {
    database = await startDatabase(serviceOf('database'), addressOf('database'));
    for (const name of running.keys()) if (name !== 'database') await services.start(name);
    return services;
  } catch (error) {
    await services.stop();
    throw error;
  }
}

/** The pinned PostgreSQL in place of the image's, with the settings, the database and the password of the service. */
async function startDatabase(database: Service, address: string): Promise<PostgresServer> {
  const { command, environment } = database.service;
  const [program, ...given] = command;
  if (program !== 'postgres') throw new Error(`the database runs ${program}`);
  const settings = given.filter((word) => word !== '-c').map((word) => word.split('='));
  const fileIn = (name: string) => database.inside(`/run/secrets/${name}`);
  const server = await startPostgres({
    settings: [
      `listen_addresses = '${address}'`,
      ...settings.map(([name, value = '']) => `${name} = '${value.replace('/var/run/postgresql/', '')}'`),
    ],
    admitted: ['local all all trust', 'hostssl all all 127.0.0.0/8 scram-sha-256'],
    files: { 'database.crt': fileIn('database.crt'), 'database.key': fileIn('database.key') },
  });
  const { POSTGRES_USER: user, POSTGRES_DB: name, POSTGRES_PASSWORD_FILE: file = '' } = environment;
  const password = readFileSync(database.inside(file), 'utf8');
  await server.execute('postgres', `create database ${name}`, `alter user ${user} password '${password}'`);
  return server;
}

interface ServiceOptions {
  readonly service: ComposeService;
  /** Replaces the root of the container's file system. */
  readonly root: string;
  readonly image: ReturnType<typeof layImage>;
  /** The gateway's own port: a gateway on loopback listens at 127.0.0.1 too. */
  readonly port: string | undefined;
  readonly placed: (text: string, name: string) => string;
}

/** One service as a process. */
class Service {
  readonly service: ComposeService;
  readonly #options: ServiceOptions;
  readonly #environment: Readonly<Record<string, string>>;
  /** The user that compose.yaml names, if this process may run another one's. */
  readonly #user: { readonly uid?: number; readonly gid?: number };
  #child: ChildProcess | undefined;

  constructor(options: ServiceOptions) {
    const { service, root, image, port, placed } = options;
    this.service = service;
    this.#options = options;
    const [uid, gid] = (service.user ?? '').split(':').map(Number);
    const mayChoose = process.getuid?.() === 0 && isOpenPath(process.execPath) && isOpenPath(root);
    this.#user = mayChoose && uid !== undefined && gid !== undefined ? { uid, gid } : {};
    // The one folder of the container that everybody may write.
    mkdirSync(join(root, 'tmp'));
    chmodSync(join(root, 'tmp'), 0o1777);
    for (const { from, to, kind } of service.mounts) {
      if (kind === 'volume' || statSync(from).isDirectory()) continue;
      mkdirSync(dirname(join(root, to)), { recursive: true });
    }
    // What a file names is mounted too, so that all are written once each has its place.
    for (const { from, to, kind } of service.mounts) {
      if (kind === 'volume' || statSync(from).isDirectory()) continue;
      const text = this.inside(placed(readFileSync(from, 'utf8'), service.name));
      const { mode, uid, gid } = statSync(from);
      writeFileSync(join(root, to), text, { mode });
      chownSync(join(root, to), uid, gid);
    }
    const given = Object.entries(service.environment).map(([name, value]) => [
      name,
      this.inside(placed(value, service.name)),
    ]);
    this.#environment = {
      ...(service.image === 'muster' && { ...image.environment, HOME: join(root, 'tmp') }),
      PATH: `${image.programs}:${process.env['PATH']}:/usr/local/bin:/usr/sbin`,
      ...(Object.fromEntries(given) as Record<string, string>),
      ...(port !== undefined && { MUSTER_PORT: port }),
    };
  }

  /** A text with the paths of the container that are mounted as they are here, and its temporary folder. */
  inside(text: string): string {
    const { root, service } = this.#options;
    let result = text.replaceAll(/(?<=^|["'=\s])\/tmp(?=\/)/g, join(root, 'tmp'));
    for (const { from, to, kind } of service.mounts) {
      if (kind === 'volume') continue;
      const here = statSync(from).isDirectory() ? from : join(root, to);
      result = result.replaceAll(new RegExp(`(?<![\\w/.-])${to.replaceAll('.', '\\.')}(?![\\w.-])`, 'g'), here);
    }
    return result;
  }

  log(): string {
    return readFileSync(this.#logFile, 'utf8');
  }

  get #logFile(): string {
    return `${this.#options.root}.log`;
  }

  start(): void {
    const { service, image, root } = this.#options;
    const words = [...(service.entrypoint ?? image.entrypoint), ...service.command];
    const [program = '', ...args] = words.map((word) => this.#here(word));
    const log = openSync(this.#logFile, 'a');
    this.#child = spawn(program, args, {
      cwd: root,
      env: this.#environment,
      stdio: ['ignore', log, log],
      ...this.#user,
    });
    closeSync(log);
  }

  async run(words: readonly string[]): Promise<string> {
    const [program = '', ...args] = words.map((word) => this.#here(word));
    const { stdout } = await promisify(execFile)(program, args, {
      env: this.#environment,
      timeout: 60_000,
      cwd: this.#options.root,
      ...this.#user,
    });
    return stdout;
  }

  async check(): Promise<string> {
    try {
      await this.run(this.service.healthcheck);
      return '';
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async end(signal: NodeJS.Signals): Promise<number | null> {
    const child = this.#child;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return child?.exitCode ?? null;
    const ended = once(child, 'exit');
    child.kill(signal);
    const [status] = (await ended) as [number | null];
    return status;
  }

  #here(word: string): string {
    return this.inside(this.#options.placed(word, this.service.name));
  }
}

/** Why the health check of a service cannot run on this machine; undefined if it can. */
export function whyUnchecked({ healthcheck: [program = ''] }: ComposeService): string | undefined {
  return program === 'muster' || findProgram(program) !== undefined ? undefined : `${program} is not installed here`;
}
