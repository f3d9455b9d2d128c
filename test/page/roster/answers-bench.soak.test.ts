import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect } from 'chai';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const run = promisify(execFile);

describe('the benchmark of answers on the page', function () {
  this.timeout(150_000);

  it('measures the first, second and third key, and ends', async () => {
    const options = { cwd: root, timeout: 120_000, killSignal: 'SIGINT' } as const;
    const { stdout } = await run(process.execPath, ['bench/run.ts', 'page:answers', '2'], options);
    expect(stdout).to.match(/^one key +2 +\d+ +\d+ +\d+$/m);
    expect(stdout).to.match(/^the second of two keys at once +2 +\d+ +\d+ +\d+$/m);
    expect(stdout).to.match(/^the third of three keys at once +2 +\d+ +\d+ +\d+$/m);
  });
});
