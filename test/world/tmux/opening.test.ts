import { existsSync } from 'node:fs';
import { expect } from 'chai';
import type { Terminal } from '#world/terminal/terminal.ts';
import { runs } from '../terminal-fixture.ts';
import { TmuxFixture } from '../tmux-fixture.ts';

describe('opening a window on tmux', () => {
  let fixture: TmuxFixture;
  let terminal: Terminal;

  beforeEach(async () => {
    fixture = new TmuxFixture();
    terminal = await fixture.terminals().of('agt_root');
  });

  afterEach(() => fixture.close());

  it('opens one window if two owners open at the same time', async () => {
    const second = await fixture.terminals().of('agt_root');
    const spec = fixture.shell('agt_root', 'exec cat');
    const panes = await Promise.all([terminal, second, terminal, second].map((one) => one.open(spec)));
    expect(new Set(panes.map((pane) => pane.paneId)).size).to.equal(1);
    expect(await second.panes()).to.have.length(1);
  });

  it('shows a name without tmux formats in it', async () => {
    const name = '\u202efix #[fg=red] #(touch pwned)\u0007\n #{pid}; -h';
    const pane = await terminal.open(fixture.shell('agt_root', 'exec cat', { name }));
    const shown = () => fixture.tmux('agt_root', 'display-message', '-p', '-t', pane.paneId, '#{window_name}');
    expect(shown()).to.equal('fix ＃[fg=red] ＃(touch pwned) ＃{pid}; -h');
    await terminal.rename(pane.paneId, '-h #(touch pwned) ünï');
    expect(shown()).to.equal('-h ＃(touch pwned) ünï');
    expect(existsSync(fixture.path('pwned'))).to.equal(false);
  });

  it('keeps variables out of what tmux reports', async () => {
    const pane = await terminal.open(fixture.shell('agt_root', 'exec cat', { env: { SERVICE_TOKEN: 'tok-canary-1' } }));
    const told = [
      fixture.tmux('agt_root', 'show-environment', '-g'),
      fixture.tmux('agt_root', 'show-environment', '-t', 'muster'),
      fixture.tmux('agt_root', 'list-panes', '-a', '-F', '#{pane_start_command}'),
      fixture.tmux('agt_root', 'list-buffers'),
    ];
    for (const text of told) expect(text).not.to.include('tok-canary-1');
    expect(runs(pane.pid)).to.equal(true);
  });
});
