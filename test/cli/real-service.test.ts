import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { inTurn } from '#test/support/some-of.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { skipWithoutPty } from '#test/world/embedded-fixture.ts';
import { socketFolder, socketOf } from '#world/tmux/socket-folder.ts';
import { testWaiting } from './agent/waiting.ts';
import { type Outcome, runInside, runProgram, type Setting } from './command-line.ts';
import { PersonTerminal } from './person-terminal.ts';
import { startService, type WholeService } from './whole-service.ts';

/** The shells that run in a folder. */
function shellIn(folder: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      const isShell = /^[0-9]+$/.test(pid) && readFileSync(`/proc/${pid}/comm`, 'utf8') === 'bash\n';
      return isShell && readlinkSync(`/proc/${pid}/cwd`) === folder;
    } catch {
      return false;
    }
  });
}

describe('the command line against the whole service', () => {
  let home: TemporaryFolder;
  let service: WholeService | undefined;
  const env = () => ({ MUSTER_HOME: home.path, MUSTER_URL: service?.url ?? '', NO_COLOR: '1' });
  const muster = (argv: readonly string[], setting: Setting = {}): Promise<Outcome> =>
    runInside(argv, { env: env(), ...setting });
  const rows = async (...argv: string[]) => JSON.parse((await muster(['ls', ...argv, '-o', 'json'])).out) as AgentRow[];

  const repository = () => join(home.path, 'repository');
  const git = (...args: string[]) => execFileSync('git', ['-C', repository(), ...args], { encoding: 'utf8' });
  const author = ['-c', 'user.name=A', '-c', 'user.email=a@example.org'];

  before(async () => {
    home = temporaryFolder('real');
    mkdirSync(join(home.path, 'project'));
    execFileSync('git', ['init', '-q', repository()]);
    git(...author, 'commit', '-q', '--allow-empty', '-m', 'first');
    service = await startService(home.path);
  });
  after(async () => {
    await service?.end();
    home.remove();
  });

  it('prints at the start what the first workflow runs, and what to try', async () => {
    const { harness = '' } = JSON.parse((await muster(['workflow', 'show', 'default', '-o', 'json'])).out) as {
      harness?: string;
    };
    await moment('the rest of the greeting', () => service?.told().includes('Ctrl-C'));
    expect(service?.told()).to.match(new RegExp(`\\nAgents of the workflow "default" run ${harness}\\b`));
    expect(service?.told()).to.include(harness === 'shell' ? ' new "echo hello" ' : ' new "say hello" ');
  });

  it('manages an agent from launch to deletion', async () => {
    const where = ['--cwd', join(home.path, 'project'), '--no-provision-enabled', '--harness', 'shell'];
    expect(await muster(['workflow', 'create', 'play', ...where])).to.deep.include({ code: 0, err: '' });
    const { code, err } = await runProgram(['new', 'echo hello', '-w', 'play', '--title', 'greeter'], { env: env() });
    expect({ code, err }).to.deep.equal({
      code: 0,
      err: 'Follow it with: muster show greeter (once it has a window: muster read greeter)\n',
    });
    await moment('the agent to rest', async () => (await rows())[0]?.agent?.state === 'AGENT_STATE_IDLE');
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

  it('follows the list, and the facts from the end of a listing', async () => {
    const stop = new AbortController();
    const onOut = (out: string) => out.includes('later') && stop.abort();
    const watching = muster(['ls', '--watch'], { signal: stop.signal, onOut });
    let told = '';
    const halt = new AbortController();
    const seqs = (out: string) => [...out.matchAll(/"seq":"(\d+)"/g)].map(([, seq]) => Number(seq));
    const following = muster(['facts', '-f', '-n', '3', '-o', 'jsonl'], {
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

  it('acts as the agent of its token, within its role', async () => {
    await moment('the agent to be there', async () => (await rows()).length > 0);
    const token = (await muster(['token', 'later'])).out.trim();
    const asAgent = {
      env: { SERVICE_BASE_URL: service?.url ?? '', SERVICE_TOKEN: token, SERVICE_AGENT_ID: 'agt_later' },
    };
    expect((await muster(['ls'], asAgent)).code).to.equal(0);
    const refused = await muster(['delete', 'later', '-o', 'json'], asAgent);
    expect(refused.code).to.equal(8);
    expect(JSON.parse(refused.err)).to.deep.include({ code: 'permission_denied' });
    const notNats = { env: { SERVICE_BASE_URL: service?.url ?? '', SERVICE_TOKEN: 'wrong' } };
    expect((await muster(['ls'], notNats)).code).to.equal(8);
  });

  it('passes on the service’s refusals with their exit codes', async () => {
    const create = ['rpc', 'create-agent', '--prompt', 'x', '--workflow-id'];
    expect((await muster([...create, 'wfl_none'])).code).to.equal(4);
    expect((await muster(['workflow', 'create', 'play', '--cwd', home.path])).code).to.equal(5);
    expect((await muster(['retry', 'later'])).code).to.equal(6);
    expect((await muster(['new', 'x', '-w', 'play', '--dir', '/nonexistent'])).code).to.equal(2);
  });

  it('answers an agent’s questions in a terminal, and shows no password', async function () {
    skipWithoutPty.call(this);
    // The last question comes later than an answer is waited for without a new screen.
    const script = `read -p 'Your name? ' a; read -sp 'Password: ' b; echo; for i in 1 2; do sleep 1.1; echo "check $i"; done; read -p 'Go on? [y/N] ' c; echo "<$a|$b|$c>"`;
    await muster(['new', script, '-w', 'play', '--title', 'asker']);
    const state = async () => (await rows()).find(({ agent }) => agent?.name === 'asker')?.agent?.state;
    await moment('the agent to ask', async () => (await state()) === 'AGENT_STATE_WAITING');
    const terminal = new PersonTerminal();
    try {
      const { shows, answer, hasEnded } = await terminal.open(['answer', 'asker'], { ...env(), HOME: home.path });
      await shows('Your name?');
      await shows('Type the answer and Enter:');
      await answer('Ada Lovelace', ['Enter'], '\nPassword:');
      await answer('s3cret; "x"', ['Enter'], '\nGo on? [y/N]');
      expect(terminal.seen.join('\n')).to.include('Ada Lovelace').and.not.include('s3cret');
      await answer('y', ['Enter'], 'asker: typed "Ada Lovelace", Enter, a hidden line, Enter, "y", Enter; now ');
      await moment('the command to have ended', hasEnded);
    } finally {
      await terminal.close();
    }
    expect((await muster(['read', 'asker'])).out).to.match(/^<Ada Lovelace\|s3cret; "x"\|y>$/m);
  });

  inTurn('opens a window through the service, to watch, and to type after taking over', async function () {
    skipWithoutPty.call(this);
    await muster(['new', 'echo ready', '-w', 'play', '--title', 'far']);
    const far = async () => (await rows()).find(({ agent }) => agent?.name === 'far')?.agent;
    await moment('the agent to rest', async () => (await far())?.state === 'AGENT_STATE_IDLE');
    const terminal = new PersonTerminal();
    try {
      const { shows, type, press, hasEnded } = await terminal.open(['attach', 'far', '--remote'], env());
      await shows('IDLE, watched · Ctrl-b t takes it over, Ctrl-b d leaves');
      await type('not yet');
      await shows('nothing is typed until Ctrl-b t takes it over');
      await press('C-b');
      await type('t');
      await shows('IDLE, taken over · Ctrl-b t gives it back, Ctrl-b d leaves');
      expect((await far())?.heldAt).to.match(/^2/);
      await type('echo $((6*7))');
      await press('Enter');
      await shows('\n42');
      await press('C-b');
      await type('d');
      await moment('the command to have ended', hasEnded);
      await shows('far is given back');
    } finally {
      await terminal.close();
    }
    expect((await far())?.heldAt ?? '').to.equal('');
    expect((await muster(['read', 'far'])).out)
      .to.match(/echo \$\(\(6\*7\)\)\n42$/m)
      .and.not.include('not yet');
  });

  inSoak('tries a setup script, and retries a failed launch as it was or with what its workflow says now', async () => {
    writeFileSync(join(repository(), '.env'), 'KEY=1\n');
    const setup = (script: string) => ['--setup', script];
    const create = ['workflow', 'create', 'broken', '--cwd', repository(), '--harness', 'shell'];
    expect((await muster([...create, ...setup('cat .env')])).code).to.equal(0);
    const terminal = { tty: true };
    const tried = await muster(['workflow', 'try', 'broken'], terminal);
    expect(tried).to.deep.include({ code: 6, err: 'the setup script of broken ended with 1\n' });
    expect(tried.out).to.match(/^cat: .*\.env/);
    const other = await muster(['workflow', 'try', 'broken', ...setup('git branch --show-current')], terminal);
    expect(other).to.deep.include({ code: 0, err: '' });
    expect(other.out).to.match(/^muster\/try_\w+\n$/);
    expect(git('branch', '--list', 'muster/*')).to.equal('');

    await muster(['new', 'echo work', '-w', 'broken', '--title', 'mended']);
    const failed = async () =>
      (await rows()).find(({ agent }) => agent?.name === 'mended')?.agent?.state === 'AGENT_STATE_FAILED_TO_CREATE';
    await moment('the launch to fail', failed);
    await muster(['workflow', 'edit', 'broken', '--copy-files', '.env', ...setup('cat .env > copied')]);
    const again = await muster(['retry', 'mended'], terminal);
    expect(again.code).to.equal(6);
    expect(again.err).to.match(/^mended failed again: preparing: the setup script ended with 1/);
    const mended = await muster(['retry', 'mended', '--with-current-workflow'], terminal);
    expect(mended.code).to.equal(0);
    const { cwd = '' } = (await rows()).find(({ agent }) => agent?.name === 'mended')?.agent ?? {};
    expect(readFileSync(join(cwd, 'copied'), 'utf8')).to.equal('KEY=1\n');
  });

  inSoak('reports the result of a deletion', async () => {
    expect((await muster(['workflow', 'create', 'trees', '--cwd', repository(), '--harness', 'shell'])).code).to.equal(
      0,
    );
    await muster(['new', 'echo work', '-w', 'trees', '--title', 'worker']);
    const worker = async () => (await rows()).find(({ agent }) => agent?.name === 'worker')?.agent;
    await moment('the agent to rest', async () => (await worker())?.state === 'AGENT_STATE_IDLE');
    const { id = '', cwd = '' } = (await worker()) ?? {};
    writeFileSync(join(cwd, 'unsaved'), 'work\n');
    const inTree = (...args: string[]) => execFileSync('git', ['-C', cwd, ...args], { encoding: 'utf8' });
    /** What a refusal must leave alone: state, window, the CLI's process, its token. */
    const standing = async () => {
      const { state, stateReason, stateChangedAt, alive, paneId } = (await worker()) ?? {};
      const { out } = await muster(['token', 'worker']);
      const works = await muster(['ls'], { env: { SERVICE_BASE_URL: service?.url ?? '', SERVICE_TOKEN: out.trim() } });
      return { state, stateReason, stateChangedAt, alive, paneId, token: works.code, cli: shellIn(cwd) };
    };
    const token = readFileSync(join(home.path, 'operator.token'), 'utf8').trim();
    const post = async (path: string, body: object) => {
      const headers = {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      };
      const answer = await fetch(`${service?.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(answer.status, await answer.text()).to.equal(200);
    };
    const overHttp = (agentId: string) => post('/agent.v1.AgentService/DeleteAgent', { agentId });
    const overMcp = (agentId: string) =>
      post('/mcp', {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'delete_agent', arguments: { agentId } },
      });

    const before = await standing();
    const kept = await muster(['delete', 'worker'], { tty: true });
    expect(kept.err).to.match(/^worker is kept: .*1 untracked file: unsaved/);
    expect(kept.code).to.equal(6);
    expect(await standing()).to.deep.equal(before);
    expect((await muster(['ls'], { tty: true })).out.replaceAll(/\s+/g, ' ')).to.include(
      ' not deleted: this would be lost: 1 untracked file: unsaved. ',
    );
    inTree('add', '.');
    inTree(...author, 'commit', '-q', '-m', 'unpushed');
    for (const ask of [overHttp, overMcp]) {
      await ask(id);
      await moment('its answer', async () => /1 commit/.test((await worker())?.refusedDeletion ?? ''));
      expect(await standing()).to.deep.equal(before);
    }
    expect((await muster(['prompt', 'worker', 'sleep 1; echo still-here'])).code).to.equal(0);
    await moment('it works on', async () => (await worker())?.refusedDeletion === undefined);

    const { out, code } = await muster(['delete', 'worker', '--force'], { tty: true });
    expect(code).to.equal(0);
    const [, ref = ''] = /^worker is deleted\n.*branch rescued (\S+) makes/.exec(out) ?? [];
    expect(ref).to.equal(`refs/muster/kept/${id}`);
    expect(git('show', `${ref}:unsaved`)).to.equal('work\n');

    await muster(['new', 'echo work', '-w', 'trees', '--title', 'worker']);
    await moment('the next to rest', async () => (await worker())?.state === 'AGENT_STATE_IDLE');
    const pointer = join((await worker())?.cwd ?? '', '.git');
    const pointed = readFileSync(pointer);
    writeFileSync(pointer, 'gitdir: /nowhere\n');
    const refused = await muster(['delete', 'worker', '--force'], { tty: true });
    expect(refused.err)
      .to.match(/^worker is kept: .*no longer points to this repository/)
      .and.not.include('with force');
    writeFileSync(pointer, pointed);
    expect((await muster(['retry', 'worker'], { tty: true })).out).to.equal('worker is deleted\n');
  });

  inSoak('says why a script and a CLI failed, by the line that says it', async () => {
    const failing = ['--cwd', join(home.path, 'repository'), '--harness', 'shell'];
    const setup = 'echo start; echo "npm error Missing script: build" >&2; echo done; exit 3';
    await muster(['workflow', 'create', 'failing', ...failing, '--setup', setup]);
    await muster(['new', 'echo x', '-w', 'failing', '--title', 'unbuilt']);
    await moment('it fails', async () => (await muster(['ls', '--state', 'failed'])).out.includes('unbuilt'));
    expect((await muster(['ls'], { tty: true })).out.replaceAll(/\s+/g, ' ')).to.include(
      ' preparing: the setup script ended with 3: npm error Missing script: build ',
    );
    expect((await muster(['delete', 'unbuilt', '--force'])).code).to.equal(0);
    await muster(['new', 'echo "Error: Invalid API key" >&2; exit 1', '-w', 'play', '--title', 'keyless']);
    const keyless = async () => (await rows()).find(({ agent }) => agent?.name === 'keyless')?.agent;
    await moment('it ends', async () => (await keyless())?.fault !== undefined);
    const shown = (await muster(['ls'], { tty: true })).out.replaceAll(/\s+/g, ' ');
    expect(shown).to.include(' the CLI exited with status 1: Error: Invalid API key ');
    expect(shown).to.match(/keyless ENDED \(was /);
    expect((await muster(['delete', 'keyless'])).code).to.equal(0);
  });

  inTurn('reports after a restart of the machine which agents lost their windows, and restores them', async () => {
    for (const title of ['one', 'two']) await muster(['new', 'echo x', '-w', 'play', '--title', title]);
    const mine = async () =>
      (await rows()).flatMap(({ agent }) => (agent && /^(one|two)$/.test(agent.name ?? '') ? [agent] : []));
    const rest = async () => (await mine()).filter(({ state }) => state === 'AGENT_STATE_IDLE').length === 2;
    await moment('both to rest', rest);
    const families = (await mine()).map(({ id = '' }) => id);
    const endTerminals = () => {
      for (const family of families)
        execFileSync('tmux', ['-S', socketOf(socketFolder(join(home.path, 'run')), family), 'kill-server']);
    };
    await service?.stop();
    endTerminals();
    service = await startService(home.path);
    await moment('the start says so', () => / restore --all /.test(service?.told() ?? ''));
    expect(service.told()).to.match(/\n2 agents have lost their windows: .* \(found .*[0-9:]+\)\.\n/);
    expect((await muster(['ls'], { tty: true })).out).to.match(/ one +ENDED \(was IDLE, window lost\) /);
    expect((await muster(['show', 'one'], { tty: true })).out).to.match(/ENDED \(was IDLE, window lost\), for /);
    expect((await muster(['restore', '--all', 'one'])).code).to.equal(2);
    expect((await muster(['restore'])).code).to.equal(2);
    const restored = await muster(['restore', '--all'], { tty: true });
    expect(restored).to.deep.include({ code: 0, err: '' });
    expect(restored.out)
      .to.match(/one is running again/)
      .and.match(/two is running again/);
    expect((await muster(['restore', '--all'], { tty: true })).out).to.equal('No agent has lost its window\n');
    await moment('both to rest again', rest);
    // The same while the host is up.
    endTerminals();
    await moment('both to be found', async () => (await mine()).every(({ windowLost }) => windowLost));
    expect((await muster(['restore', '--all'])).code).to.equal(0);
  });

  testWaiting(() => ({ home: home.path, url: service?.url ?? '' }));
});
