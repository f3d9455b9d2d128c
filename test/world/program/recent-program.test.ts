import { chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { temporaryFolder } from '#test/support/temporary-folder.ts';
import { recentProgram } from '#world/program/recent-program.ts';

describe('a program that was found', () => {
  it('counts as found for a second, and one that was not found is looked for each time', () => {
    const folder = temporaryFolder('program');
    const file = join(folder.path, 'tool');
    const look = (now: number) => recentProgram('tool', folder.path, now);
    expect(look(0)).to.equal(undefined);
    writeFileSync(file, '#!/bin/sh\n');
    chmodSync(file, 0o755);
    expect(look(1)).to.equal(file);
    rmSync(file);
    expect(look(1_000)).to.equal(file);
    expect(look(1_001)).to.equal(undefined);
    folder.remove();
  });
});
