import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Agent } from '#contract/agent/agent.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { runInside } from '#test/cli/command-line.ts';
import { runService, type WholeService } from '#test/cli/whole-service.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { sandboxAttacks } from './sandbox-attacks.ts';

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((done) => server.close(done));
  return port;
}

(process.platform === 'linux' ? describe : describe.skip)('an agent in a sandbox', function () {
  this.timeout(90_000);
  let folder: TemporaryFolder;
  let service: WholeService;
  let other: Server;
  const at = (...parts: string[]) => join(folder.path, ...parts);
  const git = (...args: string[]) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  const settings = () => ({
    MUSTER_HOME: at('state'),
    MUSTER_PORT: '0',
    MUSTER_LOG: 'warn',
    HOME: at('person'),
    SSH_AUTH_SOCK: at('agent.sock'),
    PATH: `${process.env['PATH']}:${at('person', '.cargo', 'bin')}`,
  });
  const start = () => runService(['start'], settings(), /ready at (\S+)/);
  const muster = async (...argv: string[]) => {
    const env = { MUSTER_HOME: at('state'), MUSTER_URL: service.url, NO_COLOR: '1' };
    const { code, out, err } = await runInside(argv, { env });
    expect(code, `muster ${argv.join(' ')}: ${err}`).to.equal(0);
    return out;
  };
  const row = async (name: string): Promise<Agent> =>
    (JSON.parse(await muster('show', name, '-o', 'json')) as AgentRow).agent ?? {};
  const portOf = (server: Server): number => (server.address() as AddressInfo).port;

  /** Runs a script in an agent's pane, and returns what it wrote. */
  let runs = 0;
  async function inPane(name: string, script: string, env: Readonly<Record<string, string | number>> = {}) {
    const { cwd = '' } = await row(name);
    runs += 1;
    const [file, out] = [`run-${runs}.sh`, join(cwd, `out-${runs}`)];
    writeFileSync(join(cwd, file), script);
    const set = Object.entries(env).map(([key, value]) => `${key}='${value}'`);
    await muster(
      'prompt',
      name,
      `${set.join(' ')} sh ./${file} > out-${runs}.part 2>&1; mv out-${runs}.part out-${runs}`,
    );
    await moment(`the end of ${file}`, () => existsSync(out), 60_000);
    return readFileSync(out, 'utf8');
  }

  const leaky = async (name: string, readable: string): Promise<string> => {
    const where = ['--cwd', at('repository'), '--harness', 'shell', '--isolation', 'sandbox', '--readable', readable];
    await muster('workflow', 'create', name, ...where);
    return name;
  };

  before(async () => {
    folder = temporaryFolder('sandbox');
    for (const path of ['person/.ssh', 'state', 'other']) mkdirSync(at(path), { recursive: true });
    writeFileSync(at('person', '.ssh', 'id_test'), 'key');
    mkdirSync(at('person', '.cargo', 'bin'), { recursive: true });
    writeFileSync(at('person', '.cargo', 'credentials.toml'), 'token = "crates"');
    writeFileSync(at('person', '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.com\n');
    git('init', '-q', '-b', 'main', at('repository'));
    writeFileSync(at('repository', 'a.txt'), 'a\n');
    const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
    git('-C', at('repository'), 'add', '.');
    git('-C', at('repository'), ...identity, 'commit', '-qm', 'first');
    git('init', '-q', '--bare', at('remote.git'));
    other = createServer((_, answer) => answer.end('other')).listen(0, '127.0.0.1');
    service = await start();
    const where = ['--cwd', at('repository'), '--harness', 'shell', '--isolation', 'sandbox'];
    await muster('workflow', 'create', 'walled', ...where, '--setup', 'id > ~/setup-ran; ls "$HOME/.ssh"; true');
    await muster('new', 'true', '-w', 'walled', '-t', 'bystander');
    await muster('new', 'true', '-w', 'walled', '-t', 'attacker');
    for (const name of ['bystander', 'attacker']) {
      await moment(
        `${name} to be idle`,
        async () => {
          const { state, stateReason } = await row(name);
          if (state === 'AGENT_STATE_FAILED_TO_CREATE') throw new Error(stateReason);
          return state === 'AGENT_STATE_IDLE';
        },
        60_000,
      );
    }
  });
  after(async () => {
    const rows = async () => JSON.parse(await muster('ls', '--all', '-o', 'json')) as AgentRow[];
    for (const { agent } of await rows()) await muster('delete', '--force', agent?.id ?? '');
    await moment('every agent to be gone', async () => (await rows()).length === 0, 60_000);
    await moment('their private files to be gone', () => readdirSync(at('state', 'sandboxes')).length === 0);
    await service.stop();
    other.close();
    folder.remove();
  });

  it('is refused every attack by the kernel or the filter', async () => {
    const script = sandboxAttacks
      .map((attack, index) => `echo "<${index}>"; ( ${attack.script} ) 2>&1; echo "</${index}>"`)
      .join('\n');
    const told = await inPane('attacker', script, {
      STATE: at('state'),
      REPOSITORY: at('repository'),
      OTHER: (await row('bystander')).cwd ?? '',
      HOST_PID: process.pid,
      TMUX_SOCKET: at('state', 'run', `${(await row('bystander')).id}.sock`),
      BUS_PORT: 1,
      OTHER_PORT: portOf(other),
    });
    const answers = sandboxAttacks.map(({ name, refusal }, index) => {
      const answer = told.split(`<${index}>\n`)[1]?.split(`</${index}>`)[0] ?? 'nothing';
      return refusal.test(answer) ? '' : `${name}: ${answer}`;
    });
    expect(answers.filter((answer) => answer !== '')).to.deep.equal([]);
    expect(git('-C', at('repository'), 'status', '--porcelain')).to.equal('');
    expect(existsSync(at('repository', '.git', 'hooks', 'post-checkout'))).to.equal(false);
  });

  it('does its work: commits on its branch, pushes to a granted remote, and calls muster', async () => {
    const port = await freePort();
    const daemon = spawn(
      'git',
      [
        'daemon',
        `--port=${port}`,
        '--listen=127.0.0.1',
        '--export-all',
        '--enable=receive-pack',
        `--base-path=${folder.path}`,
      ],
      { stdio: 'ignore' },
    );
    try {
      await muster('workflow', 'edit', 'walled', '--allow-port', String(port));
      await muster('new', 'true', '-w', 'walled', '-t', 'worker');
      await moment('worker to be idle', async () => (await row('worker')).state === 'AGENT_STATE_IDLE', 60_000);
      const told = await inPane(
        'worker',
        `echo b > b.txt; git add b.txt; git commit -qm second && git log -1 --format='%an %s'
git push -q git://127.0.0.1:${port}/remote.git HEAD:refs/heads/done && echo pushed
muster whoami 2>/dev/null || muster mail ls >/dev/null && echo called
cat ~/setup-ran | cut -c1-4; env | grep -c SSH_AUTH_SOCK`,
      );
      expect(told).to.include('Ada second').and.to.include('pushed').and.to.include('called').and.to.include('uid=');
      expect(told.trim().split('\n').at(-1)).to.equal('0');
      expect(git('--git-dir', at('remote.git'), 'log', '-1', '--format=%s', 'done')).to.equal('second\n');
      expect((await row('worker')).branch).to.match(/^muster\/[a-z0-9]{8}\/worker-/);
    } finally {
      daemon.kill();
    }
  });

  it('shows what it was refused, and reaches it once a person allows it', async () => {
    await inPane('attacker', 'curl -sS -m 5 https://wanted.example/');
    await moment('the refusal on the row', async () =>
      (await row('attacker')).refusedConnections?.includes('wanted.example:443'),
    );
    expect(await muster('why', 'attacker')).to.include('muster workflow allow');
    expect(await muster('facts')).to.include('wanted.example');
    await muster('workflow', 'allow', 'walled', 'wanted.example');
    await moment(
      'the refusal to leave the row',
      async () => !(await row('attacker')).refusedConnections?.includes('wanted.example:443'),
    );
    // Nothing answers to that name, but the filter lets it through.
    await moment(
      'the filter to follow',
      async () => !(await inPane('attacker', 'curl -sS -m 5 https://wanted.example/')).includes('response 403'),
    );
  });

  inSoak('keeps its home, and its way to muster, over a restart of the service and a restore', async () => {
    await inPane('attacker', 'echo kept > ~/kept');
    const port = new URL(service.url).port;
    await service.stop();
    service = await runService(['start'], { ...settings(), MUSTER_PORT: port }, /ready at (\S+)/);
    const again = await inPane('attacker', 'cat ~/kept; muster mail ls >/dev/null && echo called');
    expect(again).to.include('kept').and.to.include('called');
    await muster('archive', 'attacker');
    await muster('restore', 'attacker');
    await moment('it to be idle', async () => (await row('attacker')).state === 'AGENT_STATE_IDLE', 60_000);
    expect(await inPane('attacker', 'cat ~/kept')).to.equal('kept\n');
  });

  it('is ended with everything that it started, when it is archived', async () => {
    const sleeps = () => execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).match(/sleep 86411/g)?.length ?? 0;
    await inPane('bystander', 'setsid nohup sleep 86411 >/dev/null 2>&1 &');
    await moment('it to run', () => sleeps() === 1);
    await muster('archive', 'bystander');
    await moment('it to be ended', () => sleeps() === 0, 20_000);
  });

  it('is not started if a grant shows the state folder, also under another name', async () => {
    symlinkSync(folder.path, at('other', 'link'));
    for (const [name, path] of [
      ['leak', at('state')],
      ['linked', at('other', 'link')],
    ] as const) {
      await muster('new', 'true', '-w', await leaky(name, path), '-t', name);
      const failed = await moment(`${name} to fail`, async () => {
        const { state, stateReason = '' } = await row(name);
        return state === 'AGENT_STATE_FAILED_TO_CREATE' && stateReason;
      });
      expect(failed).to.include('opening').and.to.include(`grants ${path}, which shows the state folder`);
    }
  });

  it('launches nothing that is less isolated than itself', async () => {
    const told = await inPane(
      'attacker',
      'muster new true -w walled --isolation none; muster new true -w walled -t helper',
    );
    expect(told).to.include('isolation is "none"');
    expect(await row('helper')).to.include({ isolation: 'ISOLATION_SANDBOX' });
  });
});
