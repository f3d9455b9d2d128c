import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { type Outcome, runInside, runProgram, type Setting } from './command-line.ts';
import { startService, type WholeService } from './whole-service.ts';

describe('the command line against the whole service', function () {
  this.timeout(60_000);
  let home: TemporaryFolder;
  let service: WholeService | undefined;
  const env = () => ({ MUSTER_HOME: home.path, MUSTER_URL: service?.url ?? '', NO_COLOR: '1' });
  const muster = (argv: readonly string[], setting: Setting = {}): Promise<Outcome> =>
    runInside(argv, { env: env(), ...setting });
  const rows = async (...argv: string[]) => JSON.parse((await muster(['ls', ...argv])).out) as AgentRow[];

  before(async () => {
    home = temporaryFolder('real');
    mkdirSync(join(home.path, 'project'));
    service = await startService(home.path);
  });
  after(async () => {
    if (service !== undefined) {
      for (const { agent } of await rows('--all')) await muster(['delete', '--force', agent?.id ?? '']);
      await moment('every agent to be gone', async () => (await rows('--all')).length === 0, 20_000);
    }
    await service?.stop();
    home.remove();
  });

  it('says at its start what agents of the first workflow run, and what to try', async () => {
    const { harness = '' } = JSON.parse((await muster(['workflow', 'show', 'default'])).out) as { harness?: string };
    await moment('the rest of the greeting', () => service?.told().includes('Ctrl-C'));
    expect(service?.told()).to.match(new RegExp(`\\nAgents of the workflow "default" run ${harness}\\b`));
    expect(service?.told()).to.include(harness === 'shell' ? ' new "echo hello" ' : ' new "say hello" ');
  });

  it('takes an agent through its life', async () => {
    const where = ['--cwd', join(home.path, 'project'), '--no-provision-enabled', '--harness', 'shell'];
    expect(await muster(['workflow', 'create', 'play', ...where])).to.deep.include({ code: 0, err: '' });
    const { code, err } = await runProgram(['new', 'echo hello', '-w', 'play', '--title', 'greeter'], { env: env() });
    expect({ code, err }).to.deep.equal({
      code: 0,
      err: 'See it with: muster read greeter (or open it: muster attach greeter)\n',
    });
    await moment('the agent to rest', async () => (await rows())[0]?.agent?.state === 'AGENT_STATE_IDLE', 20_000);
    expect((await muster(['ls'], { tty: true })).out).to.match(/^ +greeter +IDLE +\S+ +shell +play/m);
    expect((await muster(['attach', 'gree', '--print'])).out).to.include('select-window');
    expect((await muster(['mark', 'greeter', 'g'])).code).to.equal(0);
    expect((await muster(['rename', 'g', 'host'])).code).to.equal(0);
    expect((await muster(['facts', 'host', '-o', 'table'])).out).to.match(
      /agent\.created.*\n(.*\n)*.*agent\.state-moved/,
    );
    expect((await muster(['archive', 'host'])).code).to.equal(0);
    expect(await rows()).to.deep.equal([]);
    expect((await rows('--archived'))[0]?.agent?.name).to.equal('host');
  });

  it('follows the list, and the facts from where a listing ends', async () => {
    const stop = new AbortController();
    const onOut = (out: string) => out.includes('later') && stop.abort();
    const watching = muster(['ls', '--watch'], { signal: stop.signal, onOut });
    let told = '';
    const halt = new AbortController();
    const seqs = (out: string) => [...out.matchAll(/"seq":"(\d+)"/g)].map(([, seq]) => Number(seq));
    const following = muster(['facts', '-f', '-n', '3'], {
      signal: halt.signal,
      onOut: (out) => {
        told = out;
      },
    });
    await moment('three facts', () => seqs(told).length >= 3);
    await muster(['new', 'echo later', '-w', 'play', '--title', 'later']);
    expect((await watching).code).to.equal(0);
    await moment('the fact of its making', () => told.includes('"agent.created"'));
    halt.abort();
    await following;
    const first = seqs(told)[0] ?? 0;
    expect(seqs(told)).to.deep.equal(seqs(told).map((_, index) => first + index));
  });

  it('acts as the agent whose token it is given, within its role', async () => {
    await moment('the agent to be there', async () => (await rows()).length > 0);
    const token = (await muster(['token', 'later'])).out.trim();
    const asAgent = {
      env: { SERVICE_BASE_URL: service?.url ?? '', SERVICE_TOKEN: token, SERVICE_AGENT_ID: 'agt_later' },
    };
    expect((await muster(['ls'], asAgent)).code).to.equal(0);
    const refused = await muster(['delete', 'later', '-o', 'json'], asAgent);
    expect(refused.code).to.equal(8);
    expect(JSON.parse(refused.err)).to.deep.include({ code: 'permission_denied' });
    const stranger = { env: { SERVICE_BASE_URL: service?.url ?? '', SERVICE_TOKEN: 'wrong' } };
    expect((await muster(['ls'], stranger)).code).to.equal(8);
  });

  it('passes the service’s refusals on with their exit codes', async () => {
    const create = ['rpc', 'create-agent', '--prompt', 'x', '--workflow-id'];
    expect((await muster([...create, 'wfl_none'])).code).to.equal(4);
    expect((await muster(['workflow', 'create', 'play', '--cwd', home.path])).code).to.equal(5);
    expect((await muster(['retry', 'later'])).code).to.equal(6);
    expect((await muster(['new', 'x', '-w', 'play', '--dir', '/nonexistent'])).code).to.equal(2);
  });

  it('says what became of a deletion', async () => {
    const repository = join(home.path, 'repository');
    const git = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' });
    execFileSync('git', ['init', '-q', repository]);
    const name = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];
    git(...name, 'commit', '-q', '--allow-empty', '-m', 'first');
    expect((await muster(['workflow', 'create', 'trees', '--cwd', repository, '--harness', 'shell'])).code).to.equal(0);
    await muster(['new', 'echo work', '-w', 'trees', '--title', 'worker']);
    const worker = async () => (await rows()).find(({ agent }) => agent?.name === 'worker')?.agent;
    await moment('the agent to rest', async () => (await worker())?.state === 'AGENT_STATE_IDLE', 20_000);
    const { id = '', cwd = '' } = (await worker()) ?? {};
    writeFileSync(join(cwd, 'unsaved'), 'work\n');

    const kept = await muster(['delete', 'worker'], { tty: true });
    expect(kept.err).to.match(/^worker is kept: .*1 untracked file: unsaved/);
    expect(kept.code).to.equal(6);
    expect((await muster(['ls'], { tty: true })).out.replaceAll(/\s+/g, ' ')).to.include('1 untracked file: unsaved');

    const { out, code } = await muster(['delete', 'worker', '--force'], { tty: true });
    expect(code).to.equal(0);
    const [, ref = ''] = /^worker is gone\n.*branch rescued (\S+) makes/.exec(out) ?? [];
    expect(ref).to.equal(`refs/muster/kept/${id}`);
    expect(git('show', `${ref}:unsaved`)).to.equal('work\n');

    await muster(['new', 'echo work', '-w', 'trees', '--title', 'worker']);
    await moment('the next to rest', async () => (await worker())?.state === 'AGENT_STATE_IDLE', 20_000);
    const pointer = join((await worker())?.cwd ?? '', '.git');
    const pointed = readFileSync(pointer);
    writeFileSync(pointer, 'gitdir: /nowhere\n');
    const refused = await muster(['delete', 'worker', '--force'], { tty: true });
    expect(refused.err)
      .to.match(/^worker is kept: .*no longer points to this repository/)
      .and.not.include('with force');
    writeFileSync(pointer, pointed);
    expect((await muster(['retry', 'worker'], { tty: true })).out).to.equal('worker is gone\n');
  });
});
