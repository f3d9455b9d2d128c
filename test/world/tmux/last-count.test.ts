import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { showsProcessState } from '#world/process-state.ts';
import { LastCount } from '#world/tmux/last-count.ts';

describe('the cached list of panes', () => {
  before(function () {
    if (!showsProcessState) this.skip();
  });

  it('has no file of a program that is about to end, and is then not cached', async () => {
    const parent = spawn('sh', ['-c', 'sleep 1000 & echo $!; exec sleep 1000'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    const count = new LastCount();
    try {
      const [said] = (await once(parent.stdout, 'data')) as [Buffer];
      const pid = Number(said.toString());
      // A shell would ask how its program ended; what it becomes does not.
      await moment('the shell to be another program', () =>
        readFileSync(`/proc/${parent.pid}/stat`, 'latin1').includes('(sleep) '),
      );
      process.kill(pid, 'SIGKILL');
      await moment('the program to have ended, and nobody to have asked how', () =>
        readFileSync(`/proc/${pid}/stat`, 'latin1').includes(') Z '),
      );
      const row = { paneId: '%1', windowId: '@1', dead: false, exitStatus: undefined, exitSignal: undefined };
      count.take(process.pid, [{ ...row, pid, agentId: 'agt_1' }]);
      expect(count.rows).to.equal(undefined);
      expect(openFiles()).to.include(`/proc/${process.pid}/stat`).and.to.not.include(`/proc/${pid}/stat`);
    } finally {
      count.close();
      parent.kill('SIGKILL');
      await once(parent, 'exit');
    }
    expect(openFiles()).to.not.include(`/proc/${process.pid}/stat`);
  });
});

function openFiles(): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return [];
    }
  });
}
