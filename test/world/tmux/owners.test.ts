import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { Failure } from '#contract/failure.ts';
import { moment } from '#test/support/moment.ts';
import { timesOf } from '#test/support/soak.ts';
import { createTmuxTerminals } from '#world/tmux/terminals.ts';
import { environment, hintsOf, screenWith } from '../terminal-fixture.ts';
import { TmuxFixture } from '../tmux-fixture.ts';

const owner = fileURLToPath(new URL('./owner.ts', import.meta.url));

/** How many kills at a moment of their own. */
const rounds = timesOf('MUSTER_TEST_ROUNDS', 2, 20);

describe('owners of tmux servers', () => {
  let fixture: TmuxFixture;
  const children: ChildProcess[] = [];

  beforeEach(() => {
    fixture = new TmuxFixture();
  });

  afterEach(async () => {
    for (const child of children.splice(0)) child.kill('SIGKILL');
    await fixture.close();
  });

  /** Starts an owner in its own process, which keeps opening windows. Returns once the first is open. */
  async function startOwner(): Promise<ChildProcess> {
    const child = spawn(process.execPath, [owner, fixture.runDir, fixture.root], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    await once(child.stdout ?? child, 'data');
    return child;
  }

  async function kill(child: ChildProcess): Promise<void> {
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  const clients = () => fixture.tmux('agt_root', 'list-clients', '-F', '#{client_pid}').split('\n').filter(Boolean);

  it('keep panes alive after a kill, and pass them to the next one with the same ids', async () => {
    const child = await startOwner();
    const before = await moment('three windows', () => {
      const rows = fixture.tmux('agt_root', 'list-panes', '-a', '-F', '#{@muster_agent_id} #{pane_id} #{pane_pid}');
      return rows.includes('agt_2 ') ? rows : undefined;
    });
    await kill(child);
    const terminals = fixture.terminals();
    expect(await terminals.running()).to.deep.equal(['agt_root']);
    const terminal = await terminals.of('agt_root');
    const panes = await terminal.panes();
    const known = panes.map((pane) => `${pane.agentId} ${pane.paneId} ${pane.pid}`);
    for (const row of before.split('\n').filter((line) => line.startsWith('agt_'))) expect(known).to.include(row);
    const [flood] = panes;
    const again = await terminal.open(fixture.shell('agt_flood', 'exec cat'));
    expect(again).to.deep.equal(flood);
  });

  it('have one complete window for each agent after a kill at any point of opening or pasting', async () => {
    for (let round = 0; round < rounds; round += 1) {
      const child = await startOwner();
      const goal = 1 + Math.floor(Math.random() * 30);
      await moment(`window ${goal}`, () => fixture.tmux('agt_root', 'list-windows', '-a').split('\n').length > goal);
      await kill(child);
      const terminals = fixture.terminals();
      const terminal = await terminals.of('agt_root');
      const panes = await terminal.panes();
      expect(new Set(panes.map((pane) => pane.agentId)).size).to.equal(panes.length);
      const windows = fixture.tmux(
        'agt_root',
        'list-windows',
        '-F',
        '#{window_name} #{@x} #{window_width}x#{window_height}',
      );
      expect(windows.split('\n')).to.have.length(panes.length + 1);
      for (const row of windows.split('\n')) expect(row).to.match(/ 200x50$/);
      const next = `agt_${panes.length - 1}`;
      const opened = await Promise.all([0, 1].map(() => terminal.open(fixture.window(next, ['cat']))));
      expect(opened[0]).to.deep.equal(opened[1]);
      expect(await terminal.panes()).to.have.length(panes.length + 1);
      expect(fixture.tmux('agt_root', 'list-buffers')).to.equal('');
      await terminals.end('agt_root');
    }
  });

  it('do not block a pane that writes without end if its reader is killed', async () => {
    const child = await startOwner();
    await moment('the pane writes', () => Number(fixture.read('flood')) > 5);
    await kill(child);
    await moment('the client of the killed owner is gone', () => clients().length === 0);
    const then = Number(fixture.read('flood'));
    await moment('the pane goes on', () => Number(fixture.read('flood')) > then + 20);
  });

  it('attach again after the end of a control client, without losses', async () => {
    const terminal = await fixture.terminals().of('agt_root');
    const pane = await terminal.open(fixture.shell('agt_root', 'exec cat'));
    for (let round = 0; round < 3; round += 1) {
      const hints = hintsOf(terminal);
      process.kill(Number(clients()[0]), 'SIGKILL');
      await moment('it is noticed', () => fixture.log.length > round);
      expect(await terminal.panes()).to.deep.equal([pane]);
      await moment('a look is asked for', () => hints.some((hint) => hint.kind === 'output'));
      await terminal.paste(pane.paneId, `round ${round}`, 's');
      await screenWith(terminal, pane, `round ${round}`);
      expect(hints.some((hint) => hint.kind === 'lost')).to.equal(false);
      expect(clients()).to.have.length(1);
    }
  });

  it('resume a paused pane', async () => {
    const terminal = await fixture.terminals().of('agt_root');
    const say = String.raw`stty -echo; while read word; do printf '\033]7501;state=%s\007' "$word"; done`;
    const pane = await terminal.open(fixture.shell('agt_root', say));
    const status = async () => (await terminal.capture(pane.paneId))?.programStatus;
    const says = async (word: string) => {
      await terminal.paste(pane.paneId, word, 's');
      await terminal.submit(pane.paneId, 's');
      return (await status()) === `state=${word}`;
    };
    await moment('its first status', () => says('idle'));
    const client = fixture.tmux('agt_root', 'list-clients', '-F', '#{client_name}');
    fixture.tmux('agt_root', 'refresh-client', '-t', client, '-A', `${pane.paneId}:pause`);
    await moment('its status is forgotten, for it may have moved unheard', async () => (await status()) === '');
    await moment('its next status', () => says('done'));
  });

  it('lose the buffers of broken transactions, and people’s stay', async () => {
    const first = fixture.terminals();
    await first.of('agt_root');
    await first.detach();
    for (const name of ['muster-0123ab', 'mine']) fixture.tmux('agt_root', 'set-buffer', '-b', name, 'a prompt');
    await fixture.terminals().of('agt_root');
    expect(fixture.tmux('agt_root', 'list-buffers', '-F', '#{buffer_name}')).to.equal('mine');
  });

  it('lose the control clients of dead owners, and those of live ones stay', async () => {
    const living = fixture.terminals();
    await living.of('agt_root');
    const attach = ['-C', '-S', fixture.socket('agt_root'), 'attach', '-t', 'muster'];
    const env = { ...environment, MUSTER_CONTROL_OWNER: '999999:1' };
    const left = spawn('tmux', attach, { env, stdio: ['pipe', 'ignore', 'ignore'] });
    children.push(left);
    await moment('the client of a dead owner is attached', () => clients().includes(`${left.pid}`));
    await (await fixture.terminals().of('agt_root')).panes();
    await moment('it is gone', () => !clients().includes(`${left.pid}`));
    expect(clients()).to.have.length(2);
  });

  it('do not treat a silent server as dead', async () => {
    const terminals = createTmuxTerminals({ runDir: fixture.runDir, environment, patience: 2_000 });
    const terminal = await terminals.of('agt_root');
    const pane = await terminal.open(fixture.shell('agt_root', 'exec cat'));
    const hints = hintsOf(terminal);
    const server = fixture.serverPid('agt_root');
    process.kill(server, 'SIGSTOP');
    try {
      const error = await terminal.panes().catch((thrown: unknown) => thrown);
      expect(error).to.be.instanceOf(Failure).with.property('code', 'unavailable');
      expect(await terminals.running()).to.deep.equal(['agt_root']);
    } finally {
      process.kill(server, 'SIGCONT');
    }
    await moment('it answers again', () =>
      terminal.panes().then(
        (panes) => panes.length === 1,
        () => false,
      ),
    );
    expect(await terminal.open(fixture.shell('agt_root', 'exec cat'))).to.deep.equal(pane);
    expect(hints.some((hint) => hint.kind === 'lost')).to.equal(false);
    await terminals.detach();
  });

  it('can be released twice, and then refuse to work', async () => {
    const terminals = fixture.terminals();
    const terminal = await terminals.of('agt_root');
    await terminal.open(fixture.shell('agt_root', 'exec cat'));
    await terminal.detach();
    await terminal.detach();
    await moment('no client is left', () => clients().length === 0);
    const error = await terminal.panes().catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(Failure).with.property('code', 'failed_precondition');
    expect(await (await terminals.of('agt_root')).panes()).to.have.length(1);
    await terminals.detach();
    await terminals.detach();
  });

  it('watch from the first moment, however many start at the same time', async () => {
    const terminals = fixture.terminals();
    const families = [1, 2, 3, 4, 5, 6, 7, 8].map((n) => `agt_${n}`);
    await Promise.all(families.map((family) => terminals.of(family)));
    const widths = families.map((family) => fixture.tmux(family, 'list-clients', '-F', '#{client_width}'));
    expect(widths).to.deep.equal(families.map(() => '200'));
    expect(fixture.log).to.deep.equal([]);
  });

  it('start a server once for concurrent calls', async () => {
    const terminals = fixture.terminals();
    const found = await Promise.all([1, 2, 3, 4].map(() => terminals.of('agt_root')));
    expect(new Set(found).size).to.equal(1);
    expect(clients()).to.have.length(1);
  });
});
