import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { moment } from '#test/support/moment.ts';
import { cancelledBy } from '#world/concurrency/cancellation.ts';
import { type GroupCommand, type GroupEnd, runGroup } from '#world/process/group/process-group.ts';
import { findProcess, listProcesses } from '#world/process/process-tree.ts';

const ownerProgram = fileURLToPath(new URL('./group-owner.ts', import.meta.url));

describe('process group', () => {
  let owner: ChildProcess | undefined;
  let output: string;
  beforeEach(() => {
    output = '';
  });
  afterEach(() => owner?.kill('SIGKILL'));

  /** Another process that runs a script in a group. */
  function ownerOf(script: string): ChildProcess {
    owner = spawn(process.execPath, [ownerProgram, script], { stdio: ['ignore', 'pipe', 'inherit'] });
    owner.stdout?.on('data', hear);
    return owner;
  }

  function hear(chunk: Buffer): void {
    output += chunk.toString();
  }

  function run(script: string, options: Partial<GroupCommand> = {}): Promise<GroupEnd> {
    const env = { PATH: process.env['PATH'] ?? '' };
    const command = { file: 'sh', args: ['-c', script], cwd: '/', env, timeoutMs: 10_000 };
    return runGroup({ ...command, onStdout: hear, onStderr: hear, ...options });
  }

  const word = (form: RegExp) => moment(`${form}`, () => form.exec(output)?.[1]);
  const gone = (pid: string) => moment(`the end of ${pid}`, async () => (await findProcess(Number(pid))) === undefined);

  it('ends completely with its owner, even after a kill', async () => {
    ownerOf(
      `trap '' HUP INT TERM; sh -c 'trap "" TERM; echo deep $$; while :; do sleep 0.05; done' & echo top $$; wait`,
    );
    const [top, deep] = [await word(/top (\d+)/), await word(/deep (\d+)/)];
    owner?.kill('SIGKILL');
    await Promise.all([gone(top), gone(deep)]);
  });

  it('leaves none of its own processes after a normal end, and spares the program’s', async () => {
    ownerOf('sleep 60 & echo left $!; echo group $(ps -o pgid= -p $$)');
    const [left, group] = [await word(/left (\d+)/), await word(/group (\d+)/)];
    await word(/(ended 0)/);
    try {
      const living = (await listProcesses()).filter(({ session }) => session === Number(group));
      expect(living.map(({ pid }) => pid)).to.deep.equal([Number(left)]);
      owner?.kill('SIGKILL');
      await once(owner as ChildProcess, 'exit');
      expect(await findProcess(Number(left))).to.not.equal(undefined);
    } finally {
      process.kill(Number(left), 'SIGKILL');
    }
  });

  it('is ended with all its processes when its work is cancelled, which then starts no other', async () => {
    const abort = new AbortController();
    const work = cancelledBy(abort.signal, async () => {
      await Promise.resolve();
      return [await run('sleep 60 & echo deep $!; wait'), await run('echo second')];
    });
    const deep = await word(/deep (\d+)/);
    abort.abort();
    const [first, second] = await work;
    expect(first).to.deep.equal({ exitCode: undefined, signal: 'SIGKILL', timedOut: false });
    expect(second).to.deep.equal({ exitCode: undefined, signal: undefined, timedOut: false });
    await gone(deep);
    expect(output).to.not.contain('second');
  });

  it('returns how its program ended', async () => {
    const end = async (script: string) => {
      const { exitCode, signal } = await run(script);
      return exitCode ?? signal;
    };
    expect(await end('exit 0')).to.equal(0);
    expect(await end('exit 129')).to.equal(129);
    expect(await end('exit 255')).to.equal(255);
    expect(await end('kill -9 $$')).to.equal('SIGKILL');
    expect(await end('kill -ABRT $$')).to.equal('SIGABRT');
    expect(output).to.equal('');
  });

  it('ends its processes if its leader is killed', async () => {
    const running = run('echo lead $PPID; echo top $$; sleep 60');
    const [lead, top] = [await word(/lead (\d+)/), await word(/top (\d+)/)];
    process.kill(Number(lead), 'SIGKILL');
    expect(await running).to.deep.include({ signal: 'SIGKILL' });
    await gone(top);
  });

  it('passes input, output and arguments unchanged', async () => {
    const args = ['-c', 'cat; printf "%s|" "$@" >&2', 'sh', 'a b', '', '$HOME', 'ü;'];
    const heard = { out: '', err: '' };
    await run('', {
      args,
      input: 'one\0two\n',
      onStdout: (chunk) => {
        heard.out += chunk.toString();
      },
      onStderr: (chunk) => {
        heard.err += chunk.toString();
      },
    });
    expect(heard).to.deep.equal({ out: 'one\0two\n', err: 'a b||$HOME|ü;|' });
  });

  it('rejects an unknown program', async () => {
    const refused = await run('', { file: 'no-such-program' }).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(Error);
  });
});
