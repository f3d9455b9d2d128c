import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';

describe('the computer of the pictures', () => {
  it('is not busy, however busy that one is on which they are taken', () => {
    const machine = fileURLToPath(new URL('calm-machine.mjs', import.meta.url));
    const ask = `import { cpus, loadavg } from 'node:os'; console.log(loadavg()[0] / cpus().length);`;
    const program = ['--import', machine, '--input-type=module', '-e', ask];
    const share = Number(execFileSync(process.execPath, program, { encoding: 'utf8' }));
    expect(share).to.be.within(0.2, 0.7);
  });
});
