import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { filesInTurn, filesOfTurn } from './file-turns.ts';
import { selectSoak, selectTests } from './selection.ts';

const repository = fileURLToPath(new URL('..', import.meta.url));

describe('files that run in turn', () => {
  const all = selectTests([], repository);
  const turned = [...filesInTurn];

  it('are files of the suite, and all of them run in soak', () => {
    expect(all).to.include.members(turned);
    expect(selectSoak(repository)).to.include.members(turned);
  });

  it('are not those that show that nothing is lost, or that both databases do the same', () => {
    expect(
      turned.filter((file) => /^test\/(?:store|registry|crash|bus|peers|channels)\/|migrate|backup\/backup/.test(file)),
    ).to.deep.equal([]);
  });

  it('each run within three turns, a third of them in each', () => {
    const turns = [20_787, 20_788, 20_789].map((turn) =>
      filesOfTurn(all, turn).filter((file) => filesInTurn.has(file)),
    );
    expect(turns.flat()).to.have.members(turned);
    for (const taken of turns) expect(taken).to.have.length(turned.length / 3);
  });

  it('leave every other file in each run', () => {
    const others = all.filter((file) => !filesInTurn.has(file));
    expect(filesOfTurn(all, 1)).to.include.members(others);
  });

  it('are tried whole by themselves: what they try in part has turns of another length', () => {
    for (const file of turned) expect(readFileSync(`${repository}${file}`, 'utf8'), file).not.to.include('isTaken(');
  });
});
