import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { ProcessWatch, showsProcessState } from '#world/process-state.ts';

describe('the visible state of a process', () => {
  before(function () {
    if (!showsProcessState) this.skip();
  });

  it('shows whether it waits, its terminal, and its end', async () => {
    const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
    const pulse = new ProcessWatch(child.pid ?? 0);
    try {
      const signs = await moment('it waits', () => [pulse.read()].find((found) => found?.waits));
      expect(pulse.read()).to.deep.equal(signs);
      process.kill(pulse.pid, 'SIGSTOP');
      await moment('it was stopped', () => pulse.read()?.waits === false);
      expect(pulse.read()?.terminal).to.equal(signs.terminal);
    } finally {
      child.kill('SIGKILL');
    }
    await once(child, 'exit');
    expect(pulse.read()).to.equal(undefined);
    pulse.close();
    pulse.close();
  });

  it('is undefined if it has already ended, or was released', () => {
    const own = new ProcessWatch(process.pid);
    expect(own.read()).to.be.an('object');
    own.close();
    expect([own.read(), new ProcessWatch(2 ** 22 + 1).read()]).to.deep.equal([undefined, undefined]);
  });
});
