import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

describe('the machine in the pictures', () => {
  it('is idle, however busy the real one is', () => {
    const machine = fileURLToPath(new URL('calm-machine.mjs', import.meta.url));
    const ask = `import { cpus, loadavg } from 'node:os'; console.log(loadavg()[0] / cpus().length);`;
    const program = ['--import', machine, '--input-type=module', '-e', ask];
    const share = Number(execFileSync(process.execPath, program, { encoding: 'utf8' }));
    expect(share).to.be.within(0.2, 0.7);
  });
});
