import { execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { Failure } from '#contract/failure.ts';
import { moment } from '#test/support/moment.ts';
import { argumentsOf } from '#world/process/process-tree.ts';
import { attachCommand } from '#world/tmux/attach.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';
import { environment, hintsOf, runs, screenWith } from '../terminal-fixture.ts';
import { TmuxFixture } from '../tmux-fixture.ts';

describe('tmux servers', () => {
  let fixture: TmuxFixture;

  beforeEach(() => {
    fixture = new TmuxFixture();
  });

  afterEach(() => fixture.close());

  it('are independent: a killed one ends no other family', async () => {
    const terminals = fixture.terminals();
    const [one, two] = [await terminals.of('agt_one'), await terminals.of('agt_two')];
    const hints = hintsOf(two);
    await one.open(fixture.shell('agt_one', 'exec cat'));
    const other = await two.open(fixture.shell('agt_two', 'exec cat'));
    process.kill(fixture.serverPid('agt_one'), 'SIGKILL');
    await moment('one is gone', async () => (await one.panes()).length === 0);
    expect(runs(other.pid)).to.equal(true);
    expect(hints.some((hint) => hint.kind === 'lost')).to.equal(false);
    expect((await two.panes())[0]).to.include({ dead: false });
  });

  it('report a kill, end the rest of their panes, and start again', async () => {
    const terminals = fixture.terminals();
    const terminal = await terminals.of('agt_root');
    const hints = hintsOf(terminal);
    const stubborn = 'trap "" HUP TERM; echo up; while :; do sleep 0.1; done';
    const pane = await terminal.open(fixture.shell('agt_root', stubborn));
    await screenWith(terminal, pane, 'up');
    process.kill(fixture.serverPid('agt_root'), 'SIGKILL');
    await moment('the hint that it is lost', () => hints.some((hint) => hint.kind === 'lost'));
    expect(await terminal.panes()).to.deep.equal([]);
    expect(await terminal.capture(pane.paneId)).to.equal(undefined);
    expect(await terminal.paste(pane.paneId, 'x', 's')).to.equal('gone');
    await terminal.close(pane.paneId);
    expect(await terminals.running()).to.deep.equal([]);
    await moment('the old program has ended', () => !runs(pane.pid));
    const again = await terminal.open(fixture.shell('agt_root', 'exec cat'));
    expect(runs(again.pid)).to.equal(true);
    expect(await terminal.panes()).to.have.length(1);
    expect(await terminals.of('agt_root')).to.equal(terminal);
  });

  it('clean up after an earlier server whose death was not noticed', async () => {
    const first = fixture.terminals();
    const terminal = await first.of('agt_root');
    const pane = await terminal.open(fixture.shell('agt_root', 'trap "" HUP; echo up; while :; do sleep 0.1; done'));
    await screenWith(terminal, pane, 'up');
    const server = fixture.serverPid('agt_root');
    await first.detach();
    process.kill(server, 'SIGKILL');
    await moment('the server is gone', () => !runs(server));
    expect(runs(pane.pid)).to.equal(true);
    expect(await (await fixture.terminals().of('agt_root')).panes()).to.deep.equal([]);
    expect(runs(pane.pid)).to.equal(false);
  });

  it('give new panes the current environment, not that of their start', async () => {
    const first = fixture.terminals({ ...environment, CHANGED: 'before', GONE: 'still here' });
    await (await first.of('agt_root')).open(fixture.shell('agt_root', 'exec cat'));
    await first.detach();
    const hard = `a "b" $c ~ 'd' ; #{pid}\\ é`;
    const second = fixture.terminals({ ...environment, CHANGED: hard, CAME: 'with it' });
    const terminal = await second.of('agt_root');
    await terminal.open(fixture.shell('agt_child', 'env > env-child.part; mv env-child.part env-child; exec cat'));
    const shown = await moment('its environment', () => fixture.read('env-child'));
    expect(shown.split('\n')).to.include.members([`CHANGED=${hard}`, 'CAME=with it', `PATH=${environment.PATH}`]);
    expect(shown).not.to.match(/^GONE=/m);
    expect((await terminal.panes()).map(({ agentId }) => agentId)).to.have.members(['agt_root', 'agt_child']);
  });

  it('are found again after their socket was deleted', async () => {
    const first = fixture.terminals();
    const pane = await (await first.of('agt_root')).open(fixture.shell('agt_root', 'exec cat'));
    await first.detach();
    rmSync(fixture.socket('agt_root'));
    const second = fixture.terminals();
    expect(await second.running()).to.deep.equal(['agt_root']);
    rmSync(fixture.socket('agt_root'));
    expect(await second.runs('agt_root')).to.equal(true);
    rmSync(fixture.socket('agt_root'));
    expect(await (await second.of('agt_root')).panes()).to.deep.equal([pane]);
  });

  it('are found there even if another user’s process imitates one', async function () {
    // Only root can start a process as another user.
    if (process.platform !== 'linux' || process.getuid?.() !== 0) this.skip();
    const first = fixture.terminals();
    const pane = await (await first.of('agt_root')).open(fixture.shell('agt_root', 'exec cat'));
    await first.detach();
    const words = ['-c', 'while :; do sleep 1; done', 'tmux', '-S', fixture.socket('agt_root'), 'start-server'];
    const other = spawn('/bin/sh', words, { cwd: '/', detached: true, uid: 65_534, stdio: 'ignore' });
    try {
      await moment('it shows its arguments', () => argumentsOf(other.pid ?? 0).includes('start-server'));
      rmSync(fixture.socket('agt_root'));
      expect(await (await fixture.terminals().of('agt_root')).panes()).to.deep.equal([pane]);
      expect(runs(pane.pid)).to.equal(true);
    } finally {
      process.kill(-(other.pid ?? process.pid), 'SIGKILL');
    }
  });

  it('get their session again after a person closed it', async () => {
    const terminal = await fixture.terminals().of('agt_root');
    await terminal.open(fixture.shell('agt_root', 'exec cat'));
    fixture.tmux('agt_root', 'kill-session', '-t', 'muster');
    expect(await terminal.panes()).to.deep.equal([]);
    const again = await terminal.open(fixture.shell('agt_root', 'exec cat'));
    expect(await terminal.panes()).to.deep.equal([again]);
  });

  it('are not started by a mere query', async () => {
    const terminals = fixture.terminals();
    expect(await terminals.find('agt_root')).to.equal(undefined);
    const terminal = await terminals.of('agt_root');
    const pane = await terminal.open(fixture.shell('agt_root', 'exec cat'));
    expect(await terminals.find('agt_root')).to.equal(terminal);
    expect(await (await fixture.terminals().find('agt_root'))?.panes()).to.deep.equal([pane]);
    fixture.tmux('agt_root', 'kill-server');
    await moment('its end is known', async () => (await terminals.find('agt_root')) === undefined);
    expect(await terminals.running()).to.deep.equal([]);
  });

  it('are not started again by a connection that breaks at their end', async () => {
    const ending = fixture.path('ending');
    const tmux = fixture.write(
      'tmux',
      `#!/bin/sh
case "$*" in *attach-session*) [ -e ${ending} ] && tmux -N -S ${fixture.socket('agt_root')} kill-server && exit 1;; esac
exec tmux "$@"
`,
    );
    chmodSync(tmux, 0o755);
    const terminals = createTmuxTerminals({ runDir: fixture.runDir, environment, tmux });
    const terminal = await terminals.of('agt_root');
    const hints = hintsOf(terminal);
    await terminal.open(fixture.shell('agt_root', 'exec cat'));
    fixture.write('ending', '');
    process.kill(Number(fixture.tmux('agt_root', 'list-clients', '-F', '#{client_pid}')), 'SIGKILL');
    await moment('the hint that it is lost', () => hints.some((hint) => hint.kind === 'lost'));
    expect(await terminals.running()).to.deep.equal([]);
    await terminals.detach();
  });

  it('are found by the mark of their installation, also unmarked ones after an attach', async () => {
    const { runDir } = fixture;
    const marking = (installation: string) => createTmuxTerminals({ runDir, environment, installation });
    const [one, other] = [marking('one'), marking('two')];
    await one.of('agt_one');
    await other.of('agt_two');
    const unmarked = fixture.terminals();
    await unmarked.of('agt_bare');
    const families = await unmarked.running();
    expect(families).to.have.length(3);
    expect(await unmarked.own(families)).to.deep.equal([]);
    expect(await one.own(families)).to.deep.equal(['agt_one']);
    expect(await other.own(families)).to.deep.equal(['agt_two']);
    await one.find('agt_bare');
    expect((await one.own(families)).sort()).to.deep.equal(['agt_bare', 'agt_one']);
    await Promise.all([one.detach(), other.detach()]);
  });

  it('end with everything in them, once or twice, also without a connection', async () => {
    const terminals = fixture.terminals();
    const terminal = await terminals.of('agt_root');
    const stubborn = await terminal.open(
      fixture.shell('agt_root', 'trap "" HUP TERM; echo up; while :; do sleep 0.1; done'),
    );
    await screenWith(terminal, stubborn, 'up');
    const server = fixture.serverPid('agt_root');
    await fixture.terminals().end('agt_root');
    await terminals.end('agt_root');
    await terminals.end('agt_never');
    expect([server, stubborn.pid].map(runs)).to.deep.equal([false, false]);
    expect(await terminals.running()).to.deep.equal([]);
    expect(await terminals.runs('agt_root')).to.equal(false);
    expect(execFileSync('ls', [fixture.runDir], { encoding: 'utf8' })).to.equal('');
  });

  it('have private sockets, in a short folder if the path is long', async () => {
    await fixture.terminals().of('agt_root');
    expect(statSync(fixture.runDir).mode & 0o777).to.equal(0o700);
    const runDir = join(fixture.root, 'long'.repeat(20));
    const terminals = createTmuxTerminals({ runDir, environment });
    const terminal = await terminals.of('agt_0123456789ABCDEFGHJKMNPQRS');
    const pane = await terminal.open(fixture.shell('agt_x', 'exec cat'));
    const [socket = ''] =
      /(\/\S+)\.sock/.exec(
        attachCommand(
          runDir,
          {
            family: 'agt_0123456789ABCDEFGHJKMNPQRS',
            windowId: await terminals.windowOf('agt_0123456789ABCDEFGHJKMNPQRS', pane.paneId),
          },
          true,
        ).join(' '),
      ) ?? [];
    expect(socket).to.match(/^\/tmp\/muster-\d+\/[0-9a-f]{16}\/agt_\w+\.sock$/);
    expect(Buffer.byteLength(socket)).to.be.lessThan(100);
    expect(existsSync(runDir)).to.equal(false);
    expect(await createTmuxTerminals({ runDir, environment }).running()).to.deep.equal([
      'agt_0123456789ABCDEFGHJKMNPQRS',
    ]);
    await terminals.end('agt_0123456789ABCDEFGHJKMNPQRS');
    expect(existsSync(join(socket, '..')), 'the short folder goes with its last socket').to.equal(false);
  });

  it('are not started in an unsafe folder, nor without tmux', async () => {
    mkdirSync(fixture.path('elsewhere'));
    symlinkSync(fixture.path('elsewhere'), fixture.runDir);
    const error = await fixture
      .terminals()
      .of('agt_root')
      .catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Failure).with.property('code', 'failed_precondition');
    expect(() => createTmuxTerminals({ runDir: fixture.runDir, environment, tmux: '/no/tmux' })).to.throw(
      Failure,
      '/no/tmux',
    );
  });
});
