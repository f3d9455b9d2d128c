import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { chooseTerminal } from '#world/terminal-choice.ts';
import { openTerminals } from '#world/terminals.ts';
import { skipWithoutPty } from '../embedded-fixture.ts';
import { environment } from '../terminal-fixture.ts';
import { TmuxFixture } from '../tmux-fixture.ts';

describe('the terminal for panes', () => {
  let place: TemporaryFolder;
  beforeEach(() => {
    place = temporaryFolder('choice');
  });
  afterEach(() => place.remove());

  /** A PATH on which tmux says that it is of this version. */
  function tmux(version: string): string {
    const file = join(place.path, 'tmux');
    writeFileSync(file, `#!/bin/sh\necho tmux ${version}\n`);
    chmodSync(file, 0o755);
    return place.path;
  }

  it('is tmux if it is installed and new enough, unless embedded panes are configured', async () => {
    for (const setting of ['auto', 'tmux'] as const) {
      const choice = await chooseTerminal(setting, tmux('3.4'));
      expect(choice).to.deep.equal({ kind: 'tmux', file: join(place.path, 'tmux'), version: '3.4' });
    }
  });

  it('is undefined if tmux is required and too old', async () => {
    const { code, message } = await failureOf(() => chooseTerminal('tmux', tmux('3.2a')));
    expect(code).to.equal('failed_precondition');
    expect(message).to.include('tmux 3.2a at').and.to.include('install tmux 3.3');
  });

  describe('without tmux', () => {
    before(skipWithoutPty);

    it('is the host itself, with the reason and the remedy', async () => {
      const old = await chooseTerminal('auto', tmux('3.2a'));
      expect(old).to.include({ kind: 'embedded', why: `tmux 3.2a at ${place.path}/tmux is too old` });
      const asked = await chooseTerminal('embedded', tmux('3.4'));
      expect(asked).to.include({ kind: 'embedded', why: 'MUSTER_TERMINAL is embedded' });
      expect(asked).to.include({ mend: 'unset MUSTER_TERMINAL and restart muster' });
    });

    it('explains its limits at the start, and to a person who attaches', async () => {
      const log: string[] = [];
      const options = { runDir: place.path, environment, installation: 'one', log: (text: string) => log.push(text) };
      const terminals = await openTerminals(await chooseTerminal('embedded', tmux('3.4')), options);
      expect(log).to.have.length(1);
      expect(log[0])
        .to.match(/^Agents run in embedded panes \(MUSTER_TERMINAL is embedded\): they end when muster stops/)
        .and.to.match(/only muster attach opens them.* unset MUSTER_TERMINAL and restart muster\.$/);
      const { code, message } = await failureOf(() => terminals.windowOf('agt_root', 'x'));
      expect(code).to.equal('failed_precondition');
      expect(message)
        .to.include('MUSTER_TERMINAL is embedded')
        .and.to.include('unset MUSTER_TERMINAL and restart muster, and restore the agent');
      await terminals.detach();
    });

    it('is refused while agents of the installation run in tmux', async () => {
      const fixture = new TmuxFixture();
      try {
        const options = { runDir: fixture.runDir, environment, installation: 'one', log: () => undefined };
        const choice = await chooseTerminal('embedded');
        await fixture.terminals().of('agt_root');
        const { code, message } = await failureOf(() => openTerminals(choice, options));
        expect(code).to.equal('failed_precondition');
        expect(message).to.include('agt_root').and.to.include('with tmux');
        await fixture.terminals().end('agt_root');
        await (await openTerminals(choice, options)).detach();
      } finally {
        await fixture.close();
      }
    });
  });
});
