import { execFile } from 'node:child_process';
import { cpSync, existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { type FaultyDisk, faultyDisk } from '#test/support/faulty-disk.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

const program = fileURLToPath(new URL('../../../bin/muster.mjs', import.meta.url));

/** How a command ended. */
interface CommandExit {
  readonly status: number;
  readonly err: string;
}

describe('a full disk', () => {
  let pieces: Pieces;
  let folder: TemporaryFolder;
  let disk: FaultyDisk | undefined;
  let file: string;

  before(async function () {
    folder = temporaryFolder('full-disk');
    disk = faultyDisk(folder.path, 32);
    if (disk === undefined) this.skip();
    pieces = await setUpPieces();
    await pieces.start('registry');
    await pieces.halt('registry');
    file = join(folder.path, 'one.backup');
  });
  after(async () => {
    disk?.remove();
    await pieces?.stop();
    folder.remove();
  });

  const muster = (home: string, ...args: readonly string[]) =>
    new Promise<CommandExit>((resolve) => {
      execFile(
        process.execPath,
        [program, ...args],
        { env: { ...process.env, MUSTER_HOME: home } },
        (error, _out, err) => resolve({ status: typeof error?.code === 'number' ? error.code : 0, err }),
      );
    });
  const well = { status: 0, err: '' };
  const place = (name: string) => join(disk?.path ?? '', name);
  /** Does something while the disk is full. */
  const whileFull = async <T>(work: () => Promise<T>): Promise<T> => {
    const makeRoom = disk?.fill();
    try {
      return await work();
    } finally {
      makeRoom?.();
    }
  };

  it('is reported by a backup, which leaves nothing there', async () => {
    const refused = await whileFull(() => muster(pieces.home, 'backup', place('one.backup')));
    expect(refused.err).to.match(/one\.backup cannot be written: its disk is full/);
    expect(refused.status).to.equal(7);
    expect(readdirSync(disk?.path ?? '').filter((name) => name !== 'lost+found')).to.deep.equal([]);
    expect(readdirSync(join(pieces.home, 'tmp'))).to.deep.equal([]);
    expect(await muster(pieces.home, 'backup', place('one.backup'))).to.deep.equal(well);
  });

  it('of the state folder is reported by a backup, which leaves nothing', async () => {
    cpSync(pieces.home, place('home'), { recursive: true, filter: (from) => !from.endsWith('.sock') });
    const refused = await whileFull(() => muster(place('home'), 'backup', file));
    expect(refused.err).to.match(/The backup cannot be prepared in .*: its disk is full/);
    expect(existsSync(file)).to.equal(false);
    expect(readdirSync(place('home/tmp'))).to.deep.equal([]);
    expect(await muster(place('home'), 'backup', file)).to.deep.equal(well);
  });

  it('is reported by a restore, which succeeds once there is space', async () => {
    const refused = await whileFull(() => muster(place('restored'), 'restore', file));
    expect(refused.err).to.match(/its disk (is full|has only)/);
    expect(existsSync(place('restored'))).to.equal(false);
    expect(await muster(place('restored'), 'restore', file)).to.deep.equal(well);
  });
});
