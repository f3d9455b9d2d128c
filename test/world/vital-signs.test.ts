import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { tellsVitalSigns, vitalSigns } from '#world/vital-signs.ts';

describe('what shows of a process from outside', () => {
  before(function () {
    if (!tellsVitalSigns) this.skip();
  });

  it('is when it started, whether it waits, and that it has ended', async () => {
    const child = spawn('sleep', ['1000'], { stdio: 'ignore' });
    const pid = child.pid ?? 0;
    try {
      const signs = await moment('it waits', () => [vitalSigns(pid)].find((found) => found?.waits));
      expect(vitalSigns(pid)).to.deep.equal(signs);
      process.kill(pid, 'SIGSTOP');
      await moment('it was stopped', () => vitalSigns(pid)?.waits === false);
      expect(vitalSigns(pid)?.started).to.equal(signs.started);
    } finally {
      child.kill('SIGKILL');
    }
    await once(child, 'exit');
    expect(vitalSigns(pid)).to.equal(undefined);
    expect(vitalSigns(process.pid)?.started).to.match(/^\d+$/);
  });
});
