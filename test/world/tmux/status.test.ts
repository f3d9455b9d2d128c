import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { TmuxFixture } from '../tmux-fixture.ts';

describe('the status line of a family', () => {
  let fixture: TmuxFixture;
  beforeEach(() => {
    fixture = new TmuxFixture();
  });
  afterEach(() => fixture.close());

  it('shows the windows of agents, marks ended ones, and hides the placeholder', async () => {
    const terminal = await fixture.terminals().of('f');
    await terminal.open(fixture.shell('a', 'exec sleep 600'));
    await terminal.open(fixture.shell('b', 'exit 3'));
    const shown = (format: string): string[] =>
      fixture
        .tmux('f', 'list-windows', '-t', 'muster', '-F', `#{T:${format}}`)
        .split('\n')
        .map((text) => text.replaceAll(/[-*!~#]+(?= |$)/g, ''));
    await moment('the end of one', () => shown('window-status-format').includes('2:b (ended)'));
    expect(shown('window-status-format').filter(Boolean)).to.deep.equal(['1:a', '2:b (ended)']);
    expect(shown('window-status-format')).to.have.length(3);
    // A person who goes to the first window sees where they are.
    expect(shown('window-status-current-format')[0]).to.equal('0:muster');
    // A window that a person opens is shown.
    fixture.tmux('f', 'new-window', '-d', '-t', 'muster:', '-n', 'own', 'sleep 600');
    expect(shown('window-status-format')).to.include('3:own');
  });

  it('is the same after a person closed the session and it was created again', async () => {
    const terminal = await fixture.terminals().of('f');
    fixture.tmux('f', 'kill-session', '-t', 'muster');
    await moment('the session', () => {
      try {
        return fixture.tmux('f', 'list-windows', '-t', 'muster', '-F', '[#{T:window-status-format}]').trim() === '[]';
      } catch {
        return false;
      }
    });
    expect(await terminal.panes()).to.deep.equal([]);
  });
});
