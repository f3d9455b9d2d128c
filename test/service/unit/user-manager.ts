import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { Outcome } from '#test/cli/command-line.ts';
import { moment } from '#test/support/moment.ts';

const systemd = '/lib/systemd/systemd';
/** The hierarchy of control groups in which systemd keeps the processes of its units. */
const hierarchy = '/sys/fs/cgroup/systemd';
/** Where the manager has its sockets. It is in memory of its own, so nothing of it is in the machine's `/run`. */
const runtime = '/run/user/0';

/**
 * What a login does before the manager of a user starts. Its control groups are below one of the test, and the id of the
 * boot is the test's.
 */
const login = [
  'mount -t tmpfs tmpfs /run',
  `mkdir -p -m 700 /run/systemd/system ${runtime}`,
  // It has no other hierarchies: in them its groups would be at the root, and stay.
  `mount -t tmpfs tmpfs ${dirname(hierarchy)}`,
  `mkdir ${hierarchy}`,
  `mount -t cgroup -o none,name=systemd cgroup ${hierarchy}`,
  'mount --bind "$1" /proc/sys/kernel/random/boot_id',
  `exec ${systemd} --user`,
].join(' && ');

/** A real systemd that manages the services of a user, on a machine that systemd did not boot. */
export class UserManager {
  readonly #group: string;
  readonly #bootFile: string;
  readonly #environment: Readonly<Record<string, string>>;
  #process: ChildProcess | undefined;

  private constructor(folder: string, environment: Readonly<Record<string, string>>) {
    this.#group = join(hierarchy, `muster-test-${randomUUID()}`);
    this.#bootFile = join(folder, 'boot-id');
    this.#environment = { ...environment, XDG_RUNTIME_DIR: runtime };
  }

  /** Why there can be none here; undefined if there can. */
  static missing(): string | undefined {
    if (!existsSync(systemd)) return 'there is no systemd';
    if (existsSync('/run/systemd/system')) return 'the systemd that booted this machine manages its control groups';
    if (process.getuid?.() !== 0) return 'only root makes the namespaces';
    return existsSync(join(hierarchy, 'cgroup.procs')) ? undefined : `there is no ${hierarchy}`;
  }

  /** Starts one. Its units and its commands have this environment. */
  static async start(folder: string, environment: Readonly<Record<string, string>>): Promise<UserManager> {
    const manager = new UserManager(folder, environment);
    mkdirSync(manager.#group);
    try {
      await manager.#boot();
    } catch (error) {
      await manager.stop();
      throw error;
    }
    return manager;
  }

  /** Runs a command where the manager is found. */
  async run(command: string, ...args: readonly string[]): Promise<Outcome> {
    const argv = ['--target', String(this.#process?.pid), '--mount', command, ...args];
    return new Promise((resolve) => {
      execFile('nsenter', argv, { env: this.#environment }, (error, out, err) =>
        resolve({ code: error === null ? 0 : Number(error.code), out, err }),
      );
    });
  }

  /** The command lines of all processes that its units have started and that still run. */
  commands(): string[] {
    return groupsIn(this.#group).flatMap(processesIn).map(commandOf);
  }

  /** Ends every process at once, as a power cut does, and starts the manager again. */
  async reboot(): Promise<void> {
    await this.#kill();
    await this.#boot();
  }

  /** Ends the manager, and all that its units have started. */
  async stop(): Promise<void> {
    await this.#kill();
    for (const group of groupsIn(this.#group).toReversed()) rmdirSync(group);
  }

  async #boot(): Promise<void> {
    writeFileSync(this.#bootFile, `${randomUUID()}\n`);
    const joinGroup = `echo $$ > ${this.#group}/cgroup.procs && exec unshare --mount --cgroup --propagation private "$@"`;
    const started = spawn('sh', ['-c', joinGroup, 'sh', 'sh', '-c', login, 'sh', this.#bootFile], {
      env: { ...this.#environment, SYSTEMD_LOG_TARGET: 'console' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#process = started;
    const said = text(started.stdout);
    await moment('the manager answers', async () => {
      if (started.exitCode !== null) throw new Error(`systemd ended: ${await said}`);
      return (await this.run('systemctl', '--user', 'show-environment')).code === 0;
    });
  }

  async #kill(): Promise<void> {
    await moment('no process is left', () => {
      const pids = groupsIn(this.#group).flatMap(processesIn);
      for (const pid of pids) kill(pid);
      return pids.length === 0;
    });
  }
}

/** A control group and all below it, each before those below it. */
function groupsIn(group: string): string[] {
  const inner = readdirSync(group, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return [group, ...inner.flatMap(({ name }) => groupsIn(join(group, name)))];
}

function processesIn(group: string): number[] {
  return readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean).map(Number);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
