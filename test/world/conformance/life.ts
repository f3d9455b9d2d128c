import { chmodSync } from 'node:fs';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import type { Pane, Terminal, Terminals } from '#world/terminal/terminal.ts';
import { deadPane, hintsOf, type MakeFixture, runs, screenWith, type TerminalFixture } from '../terminal-fixture.ts';

const stubborn = 'trap "" HUP TERM; echo up; while :; do sleep 0.1; done';

/** How panes and terminals live and end on every kind of terminal. */
export function lifeConformance(make: MakeFixture): void {
  describe('the lifetime', () => {
    let fixture: TerminalFixture;
    let terminals: Terminals;
    let terminal: Terminal;

    beforeEach(async () => {
      fixture = make();
      terminals = await fixture.terminals();
      terminal = await terminals.of('agt_root');
    });

    afterEach(() => fixture.close());

    describe('of a pane', () => {
      it('reports exit status and death', async () => {
        for (let status = 1; status <= 12; status += 1) {
          const pane = await terminal.open(fixture.shell(`agt_${status}`, `read line; exit ${status}`));
          await terminal.submit(pane.paneId, 's');
          const dead = await moment(`death with status ${status}`, async () => {
            const found = (await terminal.panes()).find((one) => one.paneId === pane.paneId);
            return found?.dead && found.exitStatus !== undefined ? found : undefined;
          });
          expect(dead).to.include({ exitStatus: status, exitSignal: undefined });
        }
      });

      it('reports the signal that ended a program, without an exit status', async () => {
        await terminal.open(fixture.shell('agt_kill', 'kill -9 $$'));
        expect(await deadPane(terminal, 'agt_kill')).to.include({ exitStatus: undefined, exitSignal: 'SIGKILL' });
        const pane = await terminal.open(fixture.shell('agt_term', 'exec cat'));
        process.kill(pane.pid, 'SIGTERM');
        expect(await deadPane(terminal, 'agt_term')).to.include({ exitStatus: undefined, exitSignal: 'SIGTERM' });
      });

      it('ends with its program, even if another one keeps the terminal open', async () => {
        const pane = await terminal.open(fixture.shell('agt_root', 'trap "" HUP; sleep 1000 & echo $! > left; exit 3'));
        expect(await deadPane(terminal, 'agt_root')).to.include({ exitStatus: 3 });
        const left = Number(await moment('what is left is known', () => fixture.read('left')));
        await terminal.close(pane.paneId);
        expect(runs(left)).to.equal(false);
      });
    });

    describe('the foreground program', () => {
      const front = (pane: Pane) => terminal.frontProgram(pane.paneId);
      const command = async (pane: Pane) => (await terminal.capture(pane.paneId))?.command;
      const becomes = (pane: Pane, name: string) =>
        moment(`${name} is in front`, async () => (await front(pane)) === name);

      function script(name: string, text: string): string {
        const path = fixture.write(name, `#!/bin/sh\n${text}\n`);
        chmodSync(path, 0o755);
        return path;
      }

      it('is the CLI, even if a script started it and the capture names the script’s shell', async () => {
        const direct = await terminal.open(fixture.window('agt_a', ['cat']));
        await becomes(direct, 'cat');
        const wrapped = await terminal.open(fixture.window('agt_b', [script('wrapper', 'cat; true')]));
        await becomes(wrapped, 'cat');
        await moment('the capture names the shell', async () => /sh$/.test((await command(wrapped)) ?? ''));
      });

      it('is a script that runs alone', async () => {
        const pane = await terminal.open(fixture.window('agt_a', [script('claude', 'echo up; read line')]));
        await screenWith(terminal, pane, 'up');
        await becomes(pane, 'claude');
      });

      it('is a shell if a person types into it', async () => {
        const bash = 'bash --norc --noprofile';
        const after = await terminal.open(fixture.window('agt_a', [script('after', `echo bye; exec ${bash} -i`)]));
        await becomes(after, 'bash');
        expect(await command(after)).to.equal('bash');
        await terminal.paste(after.paneId, 'cat');
        await terminal.submit(after.paneId);
        await becomes(after, 'cat');
        await moment('the capture names it too', async () => (await command(after)) === 'cat');
      });

      it('is undefined if the pane is dead or gone', async () => {
        await terminal.open(fixture.shell('agt_a', 'exit 0'));
        expect(await front(await deadPane(terminal, 'agt_a'))).to.equal(undefined);
        expect(await terminal.frontProgram('%99')).to.equal(undefined);
      });
    });

    describe('closing', () => {
      it('ends the whole tree, including processes that ignore signals, have their own session, or run in the background', async () => {
        const script = [
          'trap "" HUP TERM',
          `sh -c 'trap "" HUP TERM; echo $$ > child; while :; do sleep 1; done' &`,
          `setsid -f sh -c 'trap "" HUP; echo $$ > daemon.part; mv daemon.part daemon; exec sleep 1000'`,
          'while :; do sleep 1; done',
        ].join('\n');
        const pane = await terminal.open(fixture.shell('agt_root', script));
        const pids = await moment('all have started', () => {
          const [child, daemon] = [Number(fixture.read('child')), Number(fixture.read('daemon'))];
          return child > 0 && daemon > 0 ? [pane.pid, child, daemon] : undefined;
        });
        expect(pids.map(runs)).to.deep.equal([true, true, true]);
        await terminal.close(pane.paneId);
        expect(pids.map(runs)).to.deep.equal([false, false, false]);
        expect(await terminal.panes()).to.deep.equal([]);
        await terminal.close(pane.paneId);
      });

      it('lets a program that handles the hang-up end on its own', async () => {
        const pane = await terminal.open(
          fixture.shell('agt_root', 'trap "echo bye > bye; exit" HUP; echo up; while :; do sleep 0.01; done'),
        );
        await screenWith(terminal, pane, 'up');
        await terminal.close(pane.paneId);
        expect(fixture.read('bye')).to.equal('bye\n');
      });

      it('affects no other agent, and allows the same one again', async () => {
        const [one, two] = [
          await terminal.open(fixture.shell('agt_1', 'exec cat')),
          await terminal.open(fixture.shell('agt_2', 'exec cat')),
        ];
        await terminal.close(one.paneId);
        expect((await terminal.panes()).map((pane) => [pane.paneId, pane.dead])).to.deep.equal([[two.paneId, false]]);
        expect(runs(two.pid)).to.equal(true);
        const again = await terminal.open(fixture.shell('agt_1', 'exec cat'));
        expect(again.paneId).not.to.equal(one.paneId);
        expect((await terminal.panes()).map(({ agentId }) => agentId)).to.have.members(['agt_1', 'agt_2']);
      });
    });

    describe('of terminals', () => {
      it('is separate: a family sees and changes only its own panes', async () => {
        const [one, two] = [await terminals.of('agt_one'), await terminals.of('agt_two')];
        const pane = await one.open(fixture.shell('agt_one', 'exec cat'));
        const other = await two.open(fixture.shell('agt_two', 'exec cat'));
        expect((await one.panes()).map((row) => row.agentId)).to.deep.equal(['agt_one']);
        expect((await two.panes()).map((row) => row.agentId)).to.deep.equal(['agt_two']);
        expect((await terminals.running()).sort()).to.deep.equal(['agt_one', 'agt_root', 'agt_two']);
        await one.paste(pane.paneId, 'only here', 's');
        await screenWith(one, pane, 'only here');
        expect((await two.capture(other.paneId))?.rows).to.deep.equal([]);
        await terminals.end('agt_one');
        expect([pane.pid, other.pid].map(runs)).to.deep.equal([false, true]);
        expect((await two.panes())[0]).to.include({ dead: false });
      });

      it('begins once on request, and not on a mere query', async () => {
        expect(await terminals.find('agt_new')).to.equal(undefined);
        expect(await terminals.ask('agt_new')).to.equal(undefined);
        expect(await terminals.runs('agt_new')).to.equal(false);
        const made = await Promise.all([1, 2, 3, 4].map(() => terminals.of('agt_new')));
        expect(new Set(made).size).to.equal(1);
        expect(await terminals.find('agt_new')).to.equal(made[0]);
        expect(await terminals.runs('agt_new')).to.equal(true);
        const pane = await made[0]?.open(fixture.shell('agt_new', 'exec cat'));
        expect(await terminals.ask('agt_new')).to.deep.equal([pane]);
      });

      it('ends with all panes, also when repeated', async () => {
        const pane = await terminal.open(fixture.shell('agt_root', stubborn));
        await screenWith(terminal, pane, 'up');
        await terminals.end('agt_root');
        await terminals.end('agt_root');
        await terminals.end('agt_never');
        expect(runs(pane.pid)).to.equal(false);
        expect(await terminals.running()).to.deep.equal([]);
        expect(await terminals.runs('agt_root')).to.equal(false);
      });

      it('ends for a caller that released it, also when repeated, and begins again on request', async () => {
        await terminal.open(fixture.shell('agt_root', 'while :; do echo more; done'));
        const hints = hintsOf(terminal);
        await moment('it hints', () => hints.length > 0);
        expect(terminal.released).to.equal(false);
        await terminal.detach();
        expect(terminal.released).to.equal(true);
        hints.length = 0;
        await terminal.detach();
        expect(hints).to.deep.equal([]);
        expect(await failureOf(() => terminal.panes())).to.have.property('code', 'failed_precondition');
        expect(await terminals.of('agt_root')).not.to.equal(terminal);
        await terminals.detach();
        await terminals.detach();
      });

      it('is refused under a name that is not an id', async () => {
        for (const name of ['', '../x', 'a/b', '-h', 'a.b', 'x'.repeat(41)]) {
          expect((await failureOf(() => terminals.of(name))).code, name).to.equal('invalid_argument');
        }
      });
    });
  });
}
