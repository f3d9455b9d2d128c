import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createConnections } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { runInside } from '#test/cli/command-line.ts';
import { runService, type WholeService } from '#test/cli/whole-service.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { ownFolder } from '#world/process/own-programs.ts';
import { socketFolder } from '#world/tmux/socket-folder.ts';
import { type Attack, attacks } from './attacks.ts';

/** A whole service with a home of a person, a repository, and agents of the shell that attack it from their panes. */
export class IsolatedAgents {
  readonly folder: TemporaryFolder = temporaryFolder('isolation');
  readonly #isolation: readonly string[];
  readonly #settings: Readonly<Record<string, string>>;
  /** A service of the person's on 127.0.0.1. */
  readonly #other: Server = createServer((_, answer) => answer.end('other')).listen(0, '127.0.0.1');
  readonly #abstract = `muster-test-${process.pid}`;
  readonly #listener = createConnections((client) => client.end()).listen({ path: `\0${this.#abstract}` });
  #service: WholeService | undefined;
  #runs = 0;

  /**
   * @param isolation options of `muster workflow create` that isolate its agents
   * @param settings further variables of the service
   */
  constructor(isolation: readonly string[], settings: Readonly<Record<string, string>> = {}) {
    this.#isolation = isolation;
    this.#settings = settings;
  }

  at(...parts: string[]): string {
    return join(this.folder.path, ...parts);
  }

  git(...args: string[]): string {
    return execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  }

  get service(): WholeService {
    if (this.#service === undefined) throw new Error('the service has not started');
    return this.#service;
  }

  async start(settings: Readonly<Record<string, string>> = {}): Promise<void> {
    const own = {
      MUSTER_HOME: this.at('state'),
      MUSTER_PORT: '0',
      MUSTER_LOG: 'warn',
      HOME: this.at('person'),
      SSH_AUTH_SOCK: this.at('agent.sock'),
      DOCKER_HOST: `unix://${this.at('engine', 'docker.sock')}`,
      PATH: `${process.env['PATH']}:${this.at('person', '.cargo', 'bin')}`,
      // As on a machine whose environment names no certificates.
      REQUESTS_CA_BUNDLE: '',
    };
    this.#service = await runService(['start'], { ...own, ...this.#settings, ...settings }, /ready at (\S+)/);
  }

  /** Makes the person's files and a repository, starts the service, and creates the workflow `walled`. */
  async prepare(...options: string[]): Promise<void> {
    for (const path of ['person/.ssh', 'person/.cargo/bin', 'state/rules', 'other']) {
      mkdirSync(this.at(path), { recursive: true });
    }
    writeFileSync(this.at('person', '.ssh', 'id_test'), 'key');
    writeFileSync(this.at('person', '.cargo', 'credentials.toml'), 'token = "crates"');
    writeFileSync(
      this.at('person', '.gitconfig'),
      `[user]\n\tname = Ada\n\temail = ada@example.com\n[url "https://x:ghp_${'a'.repeat(36)}@github.com/"]\n\tinsteadOf = https://github.com/\n`,
    );
    this.git('init', '-q', '-b', 'main', this.at('repository'));
    writeFileSync(this.at('repository', 'a.txt'), 'a\n');
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    this.git('-C', this.at('repository'), 'add', '.');
    this.git('-C', this.at('repository'), ...identity, 'commit', '-qm', 'first');
    this.git('init', '-q', '--bare', this.at('remote.git'));
    await this.start();
    await this.workflow('walled', ...options);
  }

  /** Creates a workflow in the repository. */
  async workflow(name: string, ...options: string[]): Promise<void> {
    const where = ['--cwd', this.at('repository'), '--harness', 'shell', ...this.#isolation];
    await this.muster('workflow', 'create', name, ...where, ...options);
  }

  /** Launches agents, and waits until they are idle. */
  async launch(names: readonly string[], ...options: string[]): Promise<void> {
    for (const name of names) await this.muster('new', 'true', '-w', 'walled', '-t', name, ...options);
    for (const name of names) await this.idle(name);
  }

  async idle(name: string): Promise<void> {
    const isIdle = async () => {
      const { state, stateReason } = await this.row(name);
      if (state === 'AGENT_STATE_FAILED_TO_CREATE') throw new Error(stateReason);
      return state === 'AGENT_STATE_IDLE';
    };
    await moment(`${name} to be idle`, isIdle);
  }

  /** Why the launch of an agent failed. */
  async failure(name: string): Promise<string> {
    const reason = async () => {
      const { state, stateReason = '' } = await this.row(name);
      return state === 'AGENT_STATE_FAILED_TO_CREATE' ? stateReason : undefined;
    };
    return moment(`${name} to fail`, reason);
  }

  async muster(...argv: string[]): Promise<string> {
    const env = { MUSTER_HOME: this.at('state'), MUSTER_URL: this.service.url, NO_COLOR: '1' };
    const { code, out, err } = await runInside(argv, { env });
    expect(code, `muster ${argv.join(' ')}: ${err}`).to.equal(0);
    return out;
  }

  async row(name: string): Promise<Agent> {
    return (JSON.parse(await this.muster('show', name, '-o', 'json')) as AgentRow).agent ?? {};
  }

  /** Runs a script in an agent's pane, and returns what it wrote. */
  async inPane(name: string, script: string, env: Readonly<Record<string, string | number>> = {}): Promise<string> {
    const { cwd = '' } = await this.row(name);
    this.#runs += 1;
    const [file, out] = [`run-${this.#runs}.sh`, join(cwd, `out-${this.#runs}`)];
    const set = Object.entries(env).map(([key, value]) => `${key}='${value}'; export ${key}\n`);
    writeFileSync(join(cwd, file), set.join('') + script);
    await this.muster('prompt', name, `sh ./${file} > ${out}.part 2>&1; mv ${out}.part ${out}`);
    await moment(`the end of ${file}`, () => existsSync(out));
    return readFileSync(out, 'utf8');
  }

  /**
   * Lets an agent try a list of attacks, and returns for each what was answered.
   * @param victim a process of the person's that it may end
   */
  async tryAll(list: readonly Attack[], by: string, on: string, victim: number): Promise<string[]> {
    const script = list.map((attack, index) => `echo "<${index}>"; ( ${attack.script} ) 2>&1; echo "</${index}>"`);
    const { id, cwd = '' } = await this.row(on);
    const told = await this.inPane(by, script.join('\n'), {
      STATE: this.at('state'),
      REPOSITORY: this.at('repository'),
      OTHER: cwd,
      OWN: ownFolder,
      HOST_PID: victim,
      TMUX_SOCKET: join(socketFolder(this.at('state', 'run')), `${id}.sock`),
      BUS_PORT: this.#busPort(),
      OTHER_PORT: (this.#other.address() as AddressInfo).port,
      ABSTRACT: this.#abstract,
    });
    return list.map((_, index) => told.split(`<${index}>\n`)[1]?.split(`</${index}>`)[0] ?? 'nothing');
  }

  /** Lets an agent try every attack, and returns those that were not refused, with the answers. */
  async unrefused(by: string, on: string): Promise<string[]> {
    const answers = await this.tryAll(attacks, by, on, process.pid);
    return attacks.flatMap(({ name, refusal }, index) =>
      refusal.test(answers[index] ?? '') ? [] : `${name}: ${answers[index]}`,
    );
  }

  /** Ends every agent and the service, and checks that no private file is left. */
  async end(): Promise<void> {
    const rows = async () => JSON.parse(await this.muster('ls', '--all', '-o', 'json')) as AgentRow[];
    for (const { agent } of await rows()) await this.muster('delete', '--force', agent?.id ?? '');
    await moment('every agent to be gone', async () => (await rows()).length === 0);
    const privateFiles = this.at('state', 'sandboxes');
    const isLeft = () => existsSync(privateFiles) && readdirSync(privateFiles).length > 0;
    await moment('their private files to be gone', () => !isLeft());
    await this.service.stop();
  }

  /** Removes all files, once everything has ended. */
  remove(): void {
    this.#other.close();
    this.#listener.close();
    this.folder.remove();
  }

  #busPort(): number {
    const folder = readdirSync(this.at('state', 'run'), { recursive: true, encoding: 'utf8' });
    const file = folder.find((name) => name.endsWith('.ports')) ?? '';
    const { nats = [] } = JSON.parse(readFileSync(this.at('state', 'run', file), 'utf8')) as { nats?: string[] };
    return Number(new URL(nats[0] ?? '').port);
  }
}
