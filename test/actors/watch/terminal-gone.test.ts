import { expect } from 'chai';
import { terminalGone } from '#actors/host/watch/exit-reason.ts';

describe('the end of a terminal', () => {
  const gone = { reason: 'the tmux server ended', briefed: true };

  it('is a restart of the computer if the window was opened in another boot', () => {
    expect(terminalGone(gone, { opened: 'one', current: 'two' })).to.deep.include({
      reason: 'the computer was restarted: the tmux server ended',
      ending: { kind: 'rebooted' },
      lost: true,
    });
  });

  it('is the terminal’s own in the same boot, or if a boot is not known', () => {
    for (const boots of [{ opened: 'one', current: 'one' }, { current: 'two' }, { opened: 'one' }, {}])
      expect(terminalGone(gone, boots)).to.deep.include({ reason: gone.reason, ending: { kind: 'terminal-lost' } });
  });
});
