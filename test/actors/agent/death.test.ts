import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { inTurn } from '#test/support/some-of.ts';
import { runs } from '#test/world/terminal-fixture.ts';
import type { Terminals } from '#world/terminal/terminal.ts';
import { deathFixture } from './death-fixture.ts';

const serverEnded = 'the tmux server ended with everything in it';

describe('the end of an agent', () => {
  let fixture: Awaited<ReturnType<typeof deathFixture>>;
  afterEach(() => fixture.close());

  /**
   * An agent, its child on the same tmux server, and another one on its own server, of which only the first may move.
   */
  async function three(script: string): Promise<() => Promise<void>> {
    await fixture.launch('agt_one', script);
    await fixture.launch('agt_child', 'exec cat', 'agt_one');
    await fixture.launch('agt_other', 'exec cat');
    return untouched(['agt_child', 'agt_other']);
  }

  /** Records the agents' states; the returned function expects that they are unchanged. */
  async function untouched(ids: readonly string[]): Promise<() => Promise<void>> {
    const versions = () => Promise.all(ids.map(fixture.version));
    const before = await versions();
    return async () => {
      expect(await versions()).to.deep.equal(before);
      for (const id of ids) expect(await fixture.view(id)).to.include({ alive: true, stateReason: '' });
    };
  }

  const type = (id: string, ...keys: string[]) => fixture.tmux.tmux(id, 'send-keys', '-t', `=muster:${id}`, ...keys);
  const paneOf = (id: string) =>
    Number(fixture.tmux.tmux(id, 'display-message', '-p', '-t', `=muster:${id}`, '#{pane_pid}'));

  describe('by its own CLI', () => {
    it('reports the exit status and the last words', async () => {
      fixture = await deathFixture();
      const othersStand = await three('read line; echo last words; exit 3');
      type('agt_one', 'Enter');
      const row = await fixture.rowWith('agt_one', /./);
      expect(row).to.include({ alive: false, state: 'AGENT_STATE_UNCERTAIN' });
      expect(row.stateReason.startsWith('the CLI exited with status 3; its screen shows: ')).to.equal(true);
      expect(row.stateReason.endsWith('last words')).to.equal(true);
      await othersStand();
    });

    inTurn('reports the signal', async () => {
      fixture = await deathFixture();
      const othersStand = await three('exec cat');
      process.kill(paneOf('agt_one'), 'SIGKILL');
      const row = await fixture.rowWith('agt_one', /./);
      expect(row.stateReason).to.match(/^the CLI was ended by SIGKILL; its screen shows: up$/);
      expect(row.alive).to.equal(false);
      await othersStand();
    });

    inTurn('reports the error, not the usage text below it', async () => {
      fixture = await deathFixture();
      const usage = 'for i in $(seq 30); do echo "  --flag$i"; done';
      const othersStand = await three(
        `read line; clear; echo "bash: --foo: invalid option"; echo Usage:; ${usage}; exit 2`,
      );
      type('agt_one', 'Enter');
      const row = await fixture.rowWith('agt_one', /./);
      expect(row.fault?.line).to.equal('bash: --foo: invalid option');
      await othersStand();
    });

    inTurn('reports no screen without words', async () => {
      fixture = await deathFixture();
      const othersStand = await three('read line; clear; echo ────; echo "❯ "; echo ────; exit 1');
      type('agt_one', 'Enter');
      expect((await fixture.rowWith('agt_one', /./)).stateReason).to.equal('the CLI exited with status 1');
      await othersStand();
    });

    it('reports that a person closed its window', async () => {
      fixture = await deathFixture();
      const othersStand = await three('exec cat');
      fixture.tmux.tmux('agt_one', 'kill-window', '-t', '=muster:agt_one');
      expect(await fixture.rowWith('agt_one', /./)).to.include({ alive: false, stateReason: 'the window was closed' });
      await othersStand();
    });
  });

  describe('into a shell', () => {
    inTurn('reports a live pane whose CLI exited to a shell', async () => {
      fixture = await deathFixture();
      const othersStand = await three('cat; exec bash --norc --noprofile -i');
      expect((await fixture.view('agt_one')).stateReason, 'a script that runs a CLI is no shell').to.equal('');
      type('agt_one', 'C-d');
      const row = await fixture.rowWith('agt_one', /./);
      expect(row).to.include({ alive: true, state: 'AGENT_STATE_UNCERTAIN', stateReason: 'exited to a shell' });
      await othersStand();
    });
  });

  describe('with its tmux server', () => {
    for (const [how, end] of [
      ['killed', (family: string) => process.kill(fixture.tmux.serverPid(family), 'SIGKILL')],
      ['told to end', (family: string) => fixture.tmux.tmux(family, 'kill-server')],
    ] as const) {
      it(`reports that it was ${how}, and no other server is touched`, async () => {
        fixture = await deathFixture();
        await fixture.launch('agt_one', 'exec cat');
        await fixture.launch('agt_other', 'exec cat');
        await fixture.launch('agt_third', 'exec cat');
        const othersStand = await untouched(['agt_other', 'agt_third']);
        end('agt_one');
        expect(await fixture.rowWith('agt_one', /./)).to.include({ alive: false, stateReason: serverEnded });
        await othersStand();
        expect(await fixture.tmux.terminals().running()).to.not.include('agt_one');
      });
    }
  });

  describe('with a terminal that does not answer', () => {
    it('is reported as an unreachable terminal until it answers again', async () => {
      fixture = await deathFixture();
      await fixture.launch('agt_one', 'exec cat');
      await fixture.launch('agt_other', 'exec cat');
      const othersStand = await untouched(['agt_other']);
      const [server, pane] = [fixture.tmux.serverPid('agt_one'), paneOf('agt_one')];
      process.kill(server, 'SIGSTOP');
      try {
        const row = await fixture.rowWith('agt_one', /./);
        expect(row).to.include({ alive: true, phase: 'live.uncertain', stateReason: 'its terminal does not answer' });
      } finally {
        process.kill(server, 'SIGCONT');
      }
      await fixture.rowWith('agt_one', /^$/);
      expect(await fixture.view('agt_one')).to.include({ alive: true, phase: 'live.uncertain' });
      expect(runs(pane)).to.equal(true);
      await othersStand();
    });
  });

  describe('together with most other agents', () => {
    const ids = ['agt_1', 'agt_2', 'agt_3', 'agt_4', 'agt_5', 'agt_6'];

    /**
     * Terminals that say of some families, while the test wants it, that nothing runs; asked again they report the
     * truth, or fail.
     */
    function lying(about: ReadonlySet<string>, asked: 'truth' | 'silence') {
      return (terminals: Terminals): Terminals => ({
        endReason: terminals.endReason,
        of: (family) => terminals.of(family),
        find: async (family) => (about.has(family) ? undefined : terminals.find(family)),
        runs: (family) => terminals.runs(family),
        running: () => terminals.running(),
        own: async () => [],
        commands: (family) => terminals.commands(family),
        windowOf: (...given) => terminals.windowOf(...given),
        end: (family) => terminals.end(family),
        release: (family) => terminals.release(family),
        detach: () => terminals.detach(),
        async ask(family) {
          if (about.has(family) && asked === 'silence') await new Promise(() => {});
          return terminals.ask(family);
        },
      });
    }

    async function six(): Promise<void> {
      for (const id of ids) await fixture.launch(id, 'exec cat');
    }

    inTurn('is reported once tmux confirms it', async () => {
      fixture = await deathFixture();
      await six();
      const [last = '', ...killed] = ids.toReversed();
      const lastStands = await untouched([last]);
      for (const id of killed) process.kill(fixture.tmux.serverPid(id), 'SIGKILL');
      const many: string[] = [];
      for (const id of killed) {
        const row = await fixture.rowWith(id, /./);
        expect(row.alive).to.equal(false);
        // The first of them may have been seen before it was clear that they are most.
        if (row.stateReason !== serverEnded) many.push(row.stateReason);
      }
      expect(many.length).to.be.greaterThan(0);
      for (const reason of many)
        expect(reason).to.match(/^the tmux server ended .* \([45] of 6 panes ended at once\)$/);
      await lastStands();
    });

    it('ends no agent that tmux reports as alive', async () => {
      const about = new Set<string>();
      let asked = 0;
      fixture = await deathFixture((terminals) => {
        const liar = lying(about, 'truth')(terminals);
        const ask: Terminals['ask'] = (family) => {
          asked += 1;
          return liar.ask(family);
        };
        return { ...liar, ask };
      });
      await six();
      for (const id of ids.slice(0, 4)) about.add(id);
      await moment('tmux was asked of each, twice', () => asked >= 8);
      for (const id of ids) expect(await fixture.view(id)).to.include({ alive: true, phase: 'live.uncertain' });
      about.clear();
      for (const id of ids) await fixture.rowWith(id, /^$/);
    });

    it('is shown as a doubt in rows while tmux does not answer', async () => {
      const about = new Set<string>();
      fixture = await deathFixture(lying(about, 'silence'));
      await six();
      const othersStand = await untouched(ids.slice(4));
      for (const id of ids.slice(0, 4)) about.add(id);
      for (const id of ids.slice(0, 4)) {
        const row = await fixture.rowWith(id, /./);
        expect(row).to.include({ alive: true, phase: 'live.uncertain' });
        expect(row.stateReason).to.match(/seems? to have ended.*, and tmux has not said so yet$/);
      }
      about.clear();
      for (const id of ids.slice(0, 4)) await fixture.rowWith(id, /^$/);
      await othersStand();
    });

    inTurn('is not reported as a mass death if few ended', async () => {
      fixture = await deathFixture();
      for (const id of ids.slice(0, 4)) await fixture.launch(id, 'exec cat');
      for (const id of ids.slice(0, 4)) process.kill(fixture.tmux.serverPid(id), 'SIGKILL');
      for (const id of ids.slice(0, 4)) await fixture.rowWith(id, /^the tmux server ended with everything in it$/);
    });
  });
});
