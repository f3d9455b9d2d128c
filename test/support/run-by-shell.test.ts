import { spawn } from 'node:child_process';
import { expect } from 'chai';
import { findProcess } from '#world/process/process-tree.ts';
import { moment } from './moment.ts';
import { runByShell } from './run-by-shell.ts';
import { temporaryFolder } from './temporary-folder.ts';

const env = { PATH: process.env['PATH'] ?? '', ONE: "it's" };

describe('a program that the shell of the tests runs', () => {
  it('gets its folder, arguments and variables, and its output is returned', () => {
    const printed = runByShell('sh', ['-c', 'pwd; printf "%s|" "$ONE" "$@"', 'sh', 'a\nb', '-c'], { cwd: '/usr', env });
    expect(printed.toString()).to.equal("/usr\nit's|a\nb|-c|");
  });

  it('throws what it printed if it fails', () => {
    const fail = () => runByShell('sh', ['-c', 'echo out; echo why >&2; exit 3'], { cwd: '/', env });
    expect(fail).to.throw('why').that.includes({ status: 3, stderr: 'why\n' });
  });

  it('has a shell that ends with the process that uses it, even after a kill', async () => {
    const module = new URL('./run-by-shell.ts', import.meta.url).href;
    const folder = temporaryFolder('killed');
    const program = `import { runByShell } from ${JSON.stringify(module)};
      const pid = runByShell('sh', ['-c', 'echo $PPID'], { cwd: '/', env: { PATH: process.env.PATH } }).toString();
      process.stdout.write(pid);
      setInterval(() => {}, 60_000);`;
    const user = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: { ...process.env, TMPDIR: folder.path },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let printed = '';
    user.stdout.on('data', (chunk: Buffer) => {
      printed += chunk.toString();
    });
    const shell = await moment('the shell', () => /^(\d+)\n/.exec(printed)?.[1]);
    user.kill('SIGKILL');
    await moment('the end of the shell', async () => (await findProcess(Number(shell))) === undefined);
    folder.remove();
  });
});
