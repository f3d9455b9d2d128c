import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import type { Pane, Terminal } from '#world/terminal/terminal.ts';
import { deadPane, screenWith } from '../terminal-fixture.ts';
import { TmuxFixture } from '../tmux-fixture.ts';

const receiver = fileURLToPath(new URL('./paste-receiver.mjs', import.meta.url));

describe('typing into a pane on tmux', () => {
  let fixture: TmuxFixture;
  let terminal: Terminal;
  let pane: Pane;

  /** A pane with a program that has bracketed paste on. */
  beforeEach(async () => {
    fixture = new TmuxFixture();
    terminal = await fixture.terminals().of('agt_root');
    pane = await terminal.open(fixture.window('agt_root', [process.execPath, receiver, fixture.root]));
    await screenWith(terminal, pane, 'ready');
  });

  afterEach(() => fixture.close());

  it('types and stamps nothing while a person scrolls', async () => {
    fixture.tmux('agt_root', 'copy-mode', '-t', pane.paneId);
    expect(await terminal.paste(pane.paneId, 'hello', 's')).to.equal('in-mode');
    expect(await terminal.submit(pane.paneId, 's')).to.equal('in-mode');
    expect(await terminal.press(pane.paneId, ['Escape'])).to.equal('in-mode');
    expect(await terminal.stampOf(pane.paneId)).to.equal('');
    fixture.tmux('agt_root', 'send-keys', '-t', pane.paneId, '-X', 'cancel');
    expect(await terminal.paste(pane.paneId, 'hello')).to.equal('written');
    await moment('the paste has arrived', () => fixture.read('paste-1') === 'hello');
    expect(fixture.read('typed')).to.equal('');
  });

  it('types nothing late on a stopped server', async () => {
    const server = fixture.serverPid('agt_root');
    const until = Date.now() + 500;
    process.kill(server, 'SIGSTOP');
    const writes = [
      terminal.paste(pane.paneId, 'hello', 'late', until),
      terminal.submit(pane.paneId, 'late', until),
      terminal.press(pane.paneId, ['Escape'], until),
      terminal.type(pane.paneId, 'hello', until),
    ];
    try {
      await moment('it is too late', () => Date.now() > until);
    } finally {
      process.kill(server, 'SIGCONT');
    }
    expect(await Promise.all(writes)).to.deep.equal(['late', 'late', 'late', 'late']);
    expect(await terminal.stampOf(pane.paneId)).to.equal('');
    expect(await terminal.paste(pane.paneId, 'hello', 'early', Date.now() + 3_600_000)).to.equal('written');
    await moment('the paste has arrived', () => fixture.read('paste-1') === 'hello');
    expect(fixture.read('typed')).to.equal('');
  });

  it('keeps the server alive and free of buffers if a pane has ended, is ending or is missing', async () => {
    const server = fixture.serverPid('agt_root');
    process.kill(pane.pid, 'SIGKILL');
    await deadPane(terminal, 'agt_root');
    expect(await terminal.paste(pane.paneId, 'x', 'late')).to.equal('dead');
    expect(await terminal.submit(pane.paneId, 'late')).to.equal('dead');
    for (let n = 0; n < 20; n += 1) {
      const short = await terminal.open(fixture.shell(`agt_${n}`, 'exec cat'));
      const pasting = [1, 2, 3, 4, 5].map(() => terminal.paste(short.paneId, 'hello '.repeat(1000), 's'));
      process.kill(short.pid, 'SIGKILL');
      for (const written of await Promise.all(pasting)) expect(written).to.be.oneOf(['written', 'dead']);
    }
    for (const id of ['%99', '%1 ; kill-server', '=muster:0']) {
      expect(await terminal.paste(id, 'x', 's'), id).to.equal('gone');
    }
    expect(fixture.serverPid('agt_root')).to.equal(server);
    expect(fixture.tmux('agt_root', 'list-buffers')).to.equal('');
  });
});
