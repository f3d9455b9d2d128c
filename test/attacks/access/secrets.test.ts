import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { pathOf } from '#contract/operation.ts';
import { operations } from '#contract/table.ts';
import { runInside } from '#test/cli/command-line.ts';
import { startService, type WholeService } from '#test/cli/whole-service.ts';
import { call } from '#test/gateway/http-call.ts';
import { moment } from '#test/support/moment.ts';
import { someOf } from '#test/support/some-of.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { argumentsOf, environmentOf, listProcesses } from '#world/process/process-tree.ts';
import { socketFolder } from '#world/tmux/socket-folder.ts';
import { hostVariables, testAdditions } from '../launch/workflow-environment.ts';

/** What is in the address of the repository's remote. */
const remoteSecret = 'ghp_remote-canary';
/** A name that tries to be a line of the log. */
const forgedLine = 'x\n{"level":"info","msg":"deleted all"}';

describe('a search for secrets in a running service', () => {
  let home: TemporaryFolder;
  let service: WholeService;
  let operator: string;
  const tokens = new Map<string, string>();
  const buffers: string[] = [];

  const muster = (...argv: string[]) =>
    runInside(argv, { env: { MUSTER_HOME: home.path, MUSTER_URL: service.url, NO_COLOR: '1' } });
  const rows = async () => JSON.parse((await muster('ls', '--all', '-o', 'json')).out) as AgentRow[];
  const port = () => Number(new URL(service.url).port);
  const secrets = () => [operator, ...tokens.values()];

  before(async () => {
    home = temporaryFolder('secrets');
    const repository = join(home.path, 'repository');
    const git = (...args: string[]) => execFileSync('git', args, { cwd: home.path });
    git('init', '-q', repository);
    git(
      '-C',
      repository,
      '-c',
      'user.name=A',
      '-c',
      'user.email=a@example.org',
      'commit',
      '-q',
      '--allow-empty',
      '-m',
      'a',
    );
    git('-C', repository, 'remote', 'add', 'origin', `https://user:${remoteSecret}@127.0.0.1:1/owner/repo.git`);
    Object.assign(process.env, hostVariables);
    service = await startService(home.path, '0', 'debug');
    operator = readFileSync(join(home.path, 'operator.token'), 'utf8').trim();
    await muster('workflow', 'create', 'trees', '--cwd', repository, '--harness', 'shell');
    for (const title of ['alpha', forgedLine]) await muster('new', 'echo at work', '-w', 'trees', '--title', title);
    await moment('both to rest', async () => {
      const states = (await rows()).map(({ agent }) => agent?.state);
      return states.length === 2 && states.every((state) => state === 'AGENT_STATE_IDLE');
    });
    for (const { agent } of await rows()) {
      const id = agent?.id ?? '';
      tokens.set(id, await tokenOfPane(id));
      const { code } = await muster('prompt', id, 'echo "$(whoami) is here" && sleep 0');
      expect(code).to.be.oneOf([0, 6]);
    }
    buffers.push(...tmuxTells());
  });
  after(async () => {
    for (const name of Object.keys(hostVariables)) delete process.env[name];
    await service.end();
    home.remove();
  });

  /** What the tmux servers of the agents notify whoever may ask: buffers, and the environments of sessions. */
  function tmuxTells(): string[] {
    const ask = (socket: string, ...args: string[]) => {
      try {
        return execFileSync('tmux', ['-S', socket, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
      } catch {
        return '';
      }
    };
    return sockets().flatMap((socket) => [
      ask(socket, 'list-buffers'),
      ask(socket, 'show-buffer'),
      ask(socket, 'show-environment', '-g'),
      ask(socket, 'show-environment', '-t', 'muster'),
      ask(socket, 'list-panes', '-a', '-F', '#{pane_start_command} #{pane_current_command} #{pane_title}'),
    ]);
  }

  function sockets(): string[] {
    return files(socketFolder(join(home.path, 'run'))).filter((path) => lstatSync(path).isSocket());
  }

  function files(folder: string): string[] {
    return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? files(path) : [path];
    });
  }

  /** The token that is in the environment of an agent's own processes. */
  async function tokenOfPane(agentId: string): Promise<string> {
    const own = (await processes()).find(({ env }) => env.includes(`SERVICE_AGENT_ID=${agentId}`));
    return own?.env.find((entry) => entry.startsWith('SERVICE_TOKEN='))?.split('=')[1] ?? '';
  }

  async function processes() {
    const all = (await listProcesses()).map(({ pid }) => ({ pid, argv: argumentsOf(pid), env: environmentOf(pid) }));
    return all.filter(({ argv, env }) => [...argv, ...env].some((text) => text.includes(home.path)));
  }

  it('finds no token in any file but the operator’s own', () => {
    for (const path of files(home.path).filter((one) => lstatSync(one).isFile() && !one.endsWith('operator.token'))) {
      const content = readFileSync(path, 'latin1');
      for (const secret of secrets()) expect(content.includes(secret), path).to.equal(false);
      const ofRepository = path.startsWith(join(home.path, 'repository'));
      if (!ofRepository) expect(content.includes(remoteSecret), path).to.equal(false);
    }
  });

  it('finds no token in the arguments of any process', async () => {
    const running = await processes();
    expect(running.length).to.be.above(6);
    for (const { argv } of running) {
      for (const secret of [...secrets(), remoteSecret]) expect(argv.join(' ').includes(secret)).to.equal(false);
    }
  });

  it('finds an agent’s token only in that agent’s environment, and the operator’s in none', async () => {
    const seen = new Set<string>();
    for (const { env, argv } of await processes()) {
      const owner = env.find((entry) => entry.startsWith('SERVICE_AGENT_ID='))?.split('=')[1];
      for (const [id, token] of tokens) {
        const has = env.some((entry) => entry.includes(token));
        if (has) seen.add(id);
        expect(has && owner !== id, argv.join(' ')).to.equal(false);
      }
      expect(
        env.some((entry) => entry.includes(operator)),
        argv.join(' '),
      ).to.equal(false);
    }
    expect(seen).to.deep.equal(new Set(tokens.keys()));
  });

  it('finds none in tmux’s output, and no pasted buffer', () => {
    expect(sockets().length).to.be.above(0);
    expect(buffers.join('\n')).to.contain('PATH=');
    for (const told of [...buffers, ...tmuxTells()]) {
      for (const secret of secrets()) expect(told.includes(secret)).to.equal(false);
      expect(told).not.to.contain('is here');
    }
  });

  it('finds none in any answer or refusal, nor the secret of the remote', async () => {
    const [[agentId = '', token = ''] = []] = tokens;
    const refusals = [{ agentId: 'agt_none', workflowId: 'wfl_none', name: 'none', id: 7, prompt: 'x' }, '{'];
    for (const row of someOf(operations.filter(({ watch }) => watch === undefined))) {
      const bodies = row.access === 'read' ? [...refusals, { agentId }] : refusals;
      for (const [bearer, body] of [operator, token].flatMap((one) => bodies.map((body) => [one, body] as const))) {
        const headers = { authorization: `Bearer ${bearer}` };
        const { text } = await call({ port: port() }, `/${pathOf(row)}`, { headers, body });
        for (const secret of [...secrets(), remoteSecret]) expect(text.includes(secret), row.method).to.equal(false);
      }
    }
    const wrong = await call({ port: port() }, '/mcp', { headers: { authorization: `Bearer ${token}x` } });
    expect(wrong.status).to.equal(401);
    expect(wrong.text).not.to.contain(token);
    const shown = await muster('rpc', 'list-agents', '--view', 'full');
    expect(shown.out).to.contain('alpha').and.not.to.contain(remoteSecret);
  });

  it('finds one JSON record per line in every log, and no forged one', () => {
    const logs = files(home.path).filter((path) => path.endsWith('.jsonl'));
    expect(logs.length).to.be.above(2);
    for (const path of logs) {
      for (const line of readFileSync(path, 'utf8').trimEnd().split('\n').filter(Boolean)) {
        const record = JSON.parse(line) as { msg?: string; time?: string };
        expect(record.time, line).to.be.a('string');
        expect(record.msg).not.to.equal('deleted all');
      }
    }
  });

  it('finds every file and socket closed to other users', () => {
    expect((statSync(home.path).mode & 0o777).toString(8)).to.equal('700');
    const own = files(home.path).filter((path) => !/\/(repository|worktrees|project)\//.test(path));
    for (const path of own.filter((one) => /(\.token|\.db(-wal|-shm)?|\.jsonl|\.conf|\.secret|secret)$/.test(one))) {
      expect((statSync(path).mode & 0o077).toString(8), path).to.equal('0');
    }
    for (const socket of sockets()) {
      const folder = statSync(join(socket, '..')).mode & 0o777;
      expect(folder.toString(8), socket).to.equal('700');
    }
  });

  it('finds HTTP and the bus on loopback only, and the bus closed without a credential', async () => {
    const listening = readFileSync('/proc/net/tcp', 'utf8')
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .filter(([, , , state]) => state === '0A')
      .map(([, local = '']) => local.split(':'));
    const portsFile = files(home.path).find((path) => path.endsWith('.ports')) ?? '';
    const { nats } = JSON.parse(readFileSync(portsFile, 'utf8')) as { nats: string[] };
    const busPort = Number(new URL(nats[0] ?? '').port);
    for (const one of [port(), busPort]) {
      const addresses = listening
        .filter(([, hex = '']) => Number.parseInt(hex, 16) === one)
        .map(([address]) => address);
      expect(addresses, String(one)).to.deep.equal(['0100007F']);
    }
    const refused = await connect({ servers: `127.0.0.1:${busPort}`, reconnect: false }).catch(
      (error: unknown) => error,
    );
    expect(String(refused)).to.match(/authorization/i);
  });

  testAdditions(() => ({ home: home.path, url: service.url }));
});
