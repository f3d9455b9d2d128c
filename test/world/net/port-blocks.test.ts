import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { PortBlocks } from '#world/net/port-blocks.ts';

describe('the ports of worktrees', () => {
  let home: TemporaryFolder;
  let blocks: PortBlocks;
  beforeEach(() => {
    home = temporaryFolder('ports');
    blocks = opened();
  });
  afterEach(() => home.remove());

  const opened = () => new PortBlocks(join(home.path, 'ports.json'), join(home.path, 'worktrees'));
  function worktree(name: string): string {
    const path = join(home.path, 'worktrees', 'app-1', name);
    mkdirSync(join(path, 'src'), { recursive: true });
    return path;
  }
  /** A program that listens on a port, in a directory. */
  async function listening(port: string | undefined, cwd: string) {
    const say = `require('node:net').createServer().listen(${port}, '127.0.0.1', () => console.log('ready'))`;
    const server = spawn(process.execPath, ['-e', say], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
    await once(server.stdout, 'data');
    return {
      async [Symbol.asyncDispose]() {
        server.kill('SIGKILL');
        await once(server, 'exit');
      },
    };
  }

  it('are ten, the same for the worktree’s lifetime and everything in it, and unique', async () => {
    const [a, b] = [worktree('a'), worktree('b')];
    const [ofA, ofB] = await Promise.all([blocks.checked(a), blocks.checked(b)]);
    expect(Object.keys(ofA)).to.deep.equal(Array.from({ length: 10 }, (_, n) => `MUSTER_PORT_${n}`));
    expect(Object.values(ofA).filter((port) => Object.values(ofB).includes(port))).to.deep.equal([]);
    expect(await opened().checked(a)).to.deep.equal(ofA);
    expect(await opened().variables(join(a, 'src'))).to.deep.equal(ofA);
    expect(await blocks.variables(home.path)).to.deep.equal({});
  });

  it('are free at first: a block with a taken port is skipped, and a removed worktree’s is reused', async () => {
    const path = worktree('a');
    const first = (await blocks.variables(path))['MUSTER_PORT_3'];
    rmSync(path, { recursive: true });
    await blocks.variables(worktree('b'));
    worktree('a');
    await using _ = await listening(first, home.path);
    expect((await blocks.variables(path))['MUSTER_PORT_3']).to.not.equal(first);
  });

  it('are checked again: another program’s server fails the launch, the worktree’s own does not', async function () {
    if (process.platform !== 'linux') this.skip();
    const path = worktree('a');
    const ports = await blocks.checked(path);
    {
      await using _ = await listening(ports['MUSTER_PORT_7'], home.path);
      const failure = await failureOf(() => blocks.checked(path));
      expect(failure.reason).to.equal('PORT_TAKEN');
      expect(failure.message).to.include(`port ${ports['MUSTER_PORT_7']}`).and.to.include('end that, then retry');
    }
    await using _ = await listening(ports['MUSTER_PORT_7'], join(path, 'src'));
    expect(await blocks.checked(path)).to.deep.equal(ports);
  });
});
