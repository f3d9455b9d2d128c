import { closeSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Failure } from '#contract/failure.ts';
import { checkDatabaseFile } from '#service/installation-checks.ts';
import { framesOf } from '#store/sqlite/database-log.ts';
import { requirePages } from '#store/sqlite/page-comparison.ts';
import { moment } from '#test/support/moment.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { randomFrom } from '#test/support/random.ts';
import { timesOf } from '#test/support/soak.ts';
import { seed as seedFleet } from '../../../bench/stage/seed.ts';

/** How many bits are flipped, each on its own; and how many at once while muster runs. */
const flips = timesOf('MUSTER_TEST_FLIPS', 4, 400);
const runningFlips = Math.ceil(flips / 4);
const seed = Number(process.env['MUSTER_TEST_SEED'] ?? 14);
const pageBytes = 4096;

describe(`a flipped bit in the database (seed ${seed})`, function () {
  this.timeout(180_000 + flips * 1_000);
  let pieces: Pieces;
  let file: string;
  const random = randomFrom(seed);
  before(async () => {
    pieces = await setUpPieces();
    file = join(pieces.home, 'muster.db');
    await seedFleet(pieces.home, { archived: 100, dormant: 200 });
  });
  after(() => pieces.stop());

  /** Flips one bit of a file, as a disk does, or flips it back. */
  function flip(bit: number): void {
    const opened = openSync(file, 'r+');
    try {
      const byte = Buffer.alloc(1);
      readSync(opened, byte, 0, 1, bit >> 3);
      byte[0] = (byte[0] ?? 0) ^ (1 << (bit & 7));
      writeSync(opened, byte, 0, 1, bit >> 3);
    } finally {
      closeSync(opened);
    }
  }
  const anyBit = () => Math.floor(random() * statSync(file).size * 8);
  const pageOf = (bit: number) => Math.floor((bit >> 3) / pageBytes) + 1;
  const starting = () => pieces.start('registry').then(() => 'it starts', String);

  /** Flips bits one after the other; returns how many were not reported. */
  function untold(isHealed: (page: number) => boolean): number {
    let silent = 0;
    for (let done = 0; done < flips; done += 1) {
      const bit = anyBit();
      flip(bit);
      try {
        requirePages(file);
        if (!isHealed(pageOf(bit))) silent += 1;
      } catch (error) {
        expect((error as Failure).message).to.include(`(page ${pageOf(bit)}`);
      }
      flip(bit);
    }
    return silent;
  }

  it('is reported anywhere while muster is stopped, and refused at the start', async () => {
    expect(await starting()).to.equal('it starts');
    await pieces.halt('registry');
    expect(checkDatabaseFile(pieces.home).found).to.match(/is intact: (\d+) of \1 pages match what muster wrote$/);
    expect(untold(() => false)).to.equal(0);
    const bit = anyBit();
    flip(bit);
    const { outcome, found } = checkDatabaseFile(pieces.home);
    expect([outcome, found]).to.match(
      new RegExp(`fail.*1 of \\d+ pages .* are not as muster wrote them \\(page ${pageOf(bit)}`),
    );
    expect(await starting()).to.match(/registry ended/);
    flip(bit);
    expect(await starting()).to.equal('it starts');
    await pieces.halt('registry');
  });

  it('is reported after a kill, too, unless the log has the correct page', async () => {
    expect(await starting()).to.equal('it starts');
    await pieces.kill('registry');
    const logged = new Set([...framesOf(`${file}-wal`)].map(({ page }) => page));
    expect(untold((page) => logged.has(page))).to.equal(0);
    expect(await starting()).to.equal('it starts');
    await pieces.halt('registry');
  });

  it('is reported while muster runs, by readyz and Doctor, and refused at the next start', async () => {
    expect(await starting()).to.equal('it starts');
    await pieces.start('gateway');
    const readyz = async () => (await fetch(`${pieces.url}/readyz`)).json() as Promise<{ registry: { why?: string } }>;
    await moment('it is well', async () => (await readyz()).registry.why === undefined);
    const bits = new Map<number, number>();
    while (bits.size < runningFlips) {
      const bit = anyBit();
      if (!bits.has(pageOf(bit))) bits.set(pageOf(bit), bit);
    }
    for (const bit of bits.values()) flip(bit);
    const told = new RegExp(`${runningFlips} of \\d+ pages .* are not as muster wrote them`);
    await moment('all of them are told', async () => told.test((await readyz()).registry.why ?? ''));
    // A page that the registry writes meanwhile is whole again.
    expect(checkDatabaseFile(pieces.home).found).to.match(/\b\d+ of \d+ pages .* are not as muster wrote them/);
    await pieces.kill('registry');
    expect(await starting()).to.match(/registry ended/);
  });
});
