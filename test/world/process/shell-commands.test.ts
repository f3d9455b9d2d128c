import { AsyncLocalStorage } from 'node:async_hooks';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { MarkedOutput } from '#world/process/group/marked-output.ts';
import { type GroupCommand, type GroupEnd, runGroup } from '#world/process/group/process-group.ts';
import { findProcess } from '#world/process/process-tree.ts';
import { printing } from '#world/shell-text.ts';

const owner = fileURLToPath(new URL('./group-owner.ts', import.meta.url));
const everyByte = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

describe('commands that a waiting shell starts', () => {
  let output: { out: Buffer; err: Buffer };
  beforeEach(() => {
    output = { out: Buffer.alloc(0), err: Buffer.alloc(0) };
  });

  function run(script: string, options: Partial<GroupCommand> = {}): Promise<GroupEnd> {
    return runGroup({
      file: 'sh',
      args: ['-c', script],
      cwd: '/',
      env: { PATH: process.env['PATH'] ?? '' },
      leavesNothing: true,
      timeoutMs: 10_000,
      onStdout: (chunk) => {
        output.out = Buffer.concat([output.out, chunk]);
      },
      onStderr: (chunk) => {
        output.err = Buffer.concat([output.err, chunk]);
      },
      ...options,
    });
  }

  const heard = () => output.out.toString().trim();
  const gone = (pid: string) => moment(`the end of ${pid}`, async () => (await findProcess(Number(pid))) === undefined);
  /** The shell that starts a command. */
  async function shell(): Promise<string> {
    output.out = Buffer.alloc(0);
    await run('echo $PPID');
    return heard();
  }

  it('run in turn in one shell, and next to each other in several', async () => {
    expect(await shell()).to.equal(await shell());
    const both = await Promise.all([run('echo $PPID'), run('echo $PPID')]);
    expect(both.map(({ exitCode }) => exitCode)).to.deep.equal([0, 0]);
    const pids = heard().split('\n').slice(-2);
    expect(new Set(pids).size).to.equal(2);
  });

  it('get their arguments, variables and input as they are', async () => {
    const words = ['', "it's", 'a b', '$HOME', '`x`', '"', '\\', 'two\nlines', 'ü', '-n', '*', '!'];
    await run('', { args: ['-c', 'cat; printf "%s|" "$@" "$ONE" >&2', 'sh', ...words], input: everyByte });
    expect(output.out).to.deep.equal(everyByte);
    expect(output.err.toString()).to.equal(`${words.join('|')}||`);
    output = { out: Buffer.alloc(0), err: Buffer.alloc(0) };
    await run('printf %s "$ONE$PATH"', { env: { ONE: "a'\n$b", PATH: '/usr/bin:/bin' } });
    expect(heard()).to.equal("a'\n$b/usr/bin:/bin");
  });

  it('see nothing of the shell: no variable of this process, no input, no open file', async () => {
    const script = 'env | cut -d= -f1 | sort; cat; [ ! -d /proc/self/fd ] || ls /proc/self/fd';
    await run(script);
    const ofShells = ['OLDPWD', 'PWD', 'SHLVL', '_'];
    const visible = () =>
      heard()
        .split('\n')
        .filter((name) => !ofShells.includes(name));
    const seen = visible();
    expect(seen).to.include('PATH');
    output.out = Buffer.alloc(0);
    await run(script, { leavesNothing: false });
    expect(seen).to.deep.equal(visible());
  });

  it('end as their program does', async () => {
    const end = async (script: string) => {
      const { exitCode, signal } = await run(script);
      return exitCode ?? signal;
    };
    expect(await end('exit 0')).to.equal(0);
    expect(await end('exit 129')).to.equal(129);
    expect(await end('kill -9 $$')).to.equal('SIGKILL');
    expect(await end('kill -TERM $$')).to.equal('SIGTERM');
    expect(await end('exit 3')).to.equal(3);
    expect(output.err.toString()).to.equal('');
  });

  it('need not read their input, however large', async () => {
    for (const size of [15_000, 100_000]) {
      const { exitCode } = await run('exit 7', { input: 'x'.repeat(size) });
      expect(exitCode).to.equal(7);
    }
    await run('cat', { input: 'y' });
    expect(heard()).to.equal('y');
  });

  it('get input that looks like an option', async () => {
    for (const input of ['- item\n', '-v a', '--', '-', '%s']) await run('cat', { input });
    expect(output.out.toString()).to.equal('- item\n-v a---%s');
  });

  it('run if the shell that waited has just been killed', async () => {
    process.kill(Number(await shell()), 'SIGKILL');
    output.out = Buffer.alloc(0);
    expect(await run('echo done')).to.deep.include({ exitCode: 0 });
    expect(heard()).to.equal('done');
  });

  it('get another shell after one that left a process behind, which printed', async () => {
    const before = await shell();
    await run('(printf late; printf late >&2) & kill -9 $$');
    expect(await shell()).to.not.equal(before);
    expect(heard()).to.match(/^\d+$/);
  });

  it('print in the context of their own call', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const listen = () => run('echo a', { onStdout: () => void seen.push(context.getStore()) });
    await context.run('one', listen);
    await context.run('two', listen);
    expect(seen).to.deep.equal(['one', 'two']);
  });

  it('are ended with their group at the limit, and the next gets another shell', async () => {
    const before = await shell();
    output.out = Buffer.alloc(0);
    const { timedOut, signal } = await run('echo $PPID; sleep 60 & echo $!; wait', { timeoutMs: 300 });
    expect({ timedOut, signal }).to.deep.equal({ timedOut: true, signal: 'SIGKILL' });
    const [lead = '', deep = ''] = heard().split('\n');
    expect(lead).to.equal(before);
    await Promise.all([gone(lead), gone(deep)]);
    expect(await shell()).to.not.equal(before);
  });

  it('are ended if their shell is, and the next gets another one', async () => {
    const running = run('echo $PPID; sleep 60');
    const lead = await moment('the shell', () => /^\d+(?=\n)/.exec(output.out.toString())?.[0]);
    process.kill(Number(lead), 'SIGKILL');
    expect(await running).to.deep.include({ signal: 'SIGKILL' });
    await gone(lead);
    expect(await shell()).to.not.equal(lead);
  });

  for (const script of ['echo $PPID; sleep 60', 'echo $PPID']) {
    it(`are ended with their owner and its shells, even after a kill: ${script}`, async () => {
      const program = spawn(process.execPath, [owner, script, 'shell'], { stdio: ['ignore', 'pipe', 'inherit'] });
      let printed = '';
      program.stdout.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
      });
      const form = script.includes('sleep') ? /^(\d+)\n/ : /^(\d+)\nended 0/;
      const lead = await moment('the shell', () => form.exec(printed)?.[1]);
      program.kill('SIGKILL');
      await gone(lead);
    });
  }

  for (const leavesNothing of [true, false]) {
    it(`are refused if no more files may be opened, ${leavesNothing ? 'by a waiting shell' : 'alone'}`, () => {
      const module = new URL('../../../src/world/process/group/process-group.ts', import.meta.url).href;
      const program = `import { openSync } from 'node:fs';
        import { runGroup } from ${JSON.stringify(module)};
        for (;;) try { openSync('/dev/null'); } catch { break; }
        const nothing = () => {};
        const command = { file: '/bin/true', args: [], cwd: '/', env: {}, timeoutMs: 1000, onStdout: nothing, onStderr: nothing };
        const refused = await runGroup({ ...command, leavesNothing: ${leavesNothing} }).then(nothing, () => 'refused');
        process.exitCode = refused === 'refused' ? 7 : 8;`;
      const limited = ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath, '--input-type=module', '-e', program];
      expect(spawnSync('/bin/sh', limited).status).to.equal(7);
    });
  }

  it('keep this process alive only while they run', async () => {
    const kept = () => process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
    const before = kept();
    const running = run('echo $PPID');
    expect(kept()).to.equal(before + 1);
    await running;
    expect(kept()).to.equal(before);
  });

  it('are refused where their folder cannot be entered, and do not keep the last one', async () => {
    const refused = await run('echo no', { cwd: '/no/such/folder' }).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Error);
    expect(output.out.toString()).to.equal('');
    await run('pwd', { cwd: '/usr' });
    expect(heard()).to.equal('/usr');
    const lead = await shell();
    if (process.platform === 'linux') expect(readlinkSync(`/proc/${lead}/cwd`)).to.equal('/');
  });
});

describe('output between two marks', () => {
  it('is passed on wherever it is cut, and nothing before it', () => {
    const whole = Buffer.from('xMAMARKmaMARmMARK12');
    for (let first = 0; first <= whole.length; first += 1) {
      for (let second = first; second <= whole.length; second += 1) {
        let passed = '';
        const marked = new MarkedOutput('MARK', (chunk) => {
          passed += chunk.toString();
        });
        for (const part of [whole.subarray(0, first), whole.subarray(first, second), whole.subarray(second)])
          marked.push(part);
        expect([passed, marked.hasBegun, marked.after]).to.deep.equal(['maMARm', true, '12'], `${first} ${second}`);
      }
    }
  });
});

describe('a shell that prints bytes', () => {
  it('prints all of them', () => {
    expect(execFileSync('/bin/sh', ['-c', printing(everyByte)])).to.deep.equal(everyByte);
  });
});
