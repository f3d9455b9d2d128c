import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Failure } from '#contract/failure.ts';
import { checkDatabase } from '#service/installation-checks.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { randomFrom } from '#test/support/random.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { checkPages } from '#world/file/page-digests.ts';

const flips = 400;

describe('a bit of the database that flips while muster is stopped', function () {
  this.timeout(120_000);
  let pieces: Pieces;
  let folder: TemporaryFolder;
  let file: string;
  before(async () => {
    folder = temporaryFolder('flipped');
    file = join(folder.path, 'muster.db');
    pieces = await setUpPieces();
    await pieces.start('registry');
    expect(existsSync(join(pieces.home, 'muster.db-digests')), 'while it runs').to.equal(false);
    await pieces.halt('registry');
    for (const name of ['muster.db', 'muster.db-digests', 'operator.token'])
      copyFileSync(join(pieces.home, name), join(folder.path, name));
  });
  after(async () => {
    await pieces.stop();
    folder.remove();
  });

  it('is told wherever it is', () => {
    const whole = readFileSync(file);
    const random = randomFrom(14);
    let told = 0;
    for (let flip = 0; flip < flips; flip += 1) {
      const bit = Math.floor(random() * whole.length * 8);
      const flipped = Buffer.from(whole);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      writeFileSync(file, flipped);
      try {
        checkPages(file);
      } catch (error) {
        expect((error as Failure).code).to.equal('data_loss');
        told += 1;
      }
    }
    writeFileSync(file, whole);
    expect(told).to.equal(flips);
    expect(checkPages(file), 'once it is as it was').to.equal(true);
  });

  it('is told by Doctor and refused at the start, and whoever changed it on purpose may say so', async () => {
    expect(checkDatabase(folder.path).found).to.match(/every page is what muster left/);
    const database = join(pieces.home, 'muster.db');
    const whole = readFileSync(database);
    const flipped = Buffer.from(whole);
    flipped[whole.length - 1] = (flipped[whole.length - 1] ?? 0) ^ 1;
    writeFileSync(database, flipped);
    expect(checkDatabase(pieces.home).found).to.match(/1 of \d+ pages .* are not what muster left/);
    const error = await pieces.start('registry').catch((thrown: unknown) => thrown);
    expect(String(error)).to.match(/registry ended/);
    writeFileSync(database, whole);
    await pieces.start('registry');
    await pieces.halt('registry');
  });
});
