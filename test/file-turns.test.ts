import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { filesInTurn, filesOfTurn, groupCount } from './file-turns.ts';
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
    const always =
      /^test\/(?:store|registry|crash|bus|peers|channels|world\/git|move)\/|migrate|backup\/backup|restored-folder|worktree-effects|carried-agent/;
    expect(turned.filter((file) => always.test(file))).to.deep.equal([]);
  });

  it('each run once in seven turns', () => {
    const turns = Array.from({ length: 7 }, (_, at) => 20_785 + at).map((turn) =>
      filesOfTurn(all, turn).filter((file) => filesInTurn.has(file)),
    );
    expect(turns.flat()).to.have.members(turned);
  });

  it('cover every large area of muster in each turn', () => {
    const many = ['actors', 'attacks', 'cli', 'gateway', 'service', 'world'];
    for (const turn of [0, 1, 2, 3, 4, 5, 6]) {
      const taken = filesOfTurn(all, turn).filter((file) => filesInTurn.has(file));
      expect(new Set(taken.map((file) => file.split('/')[1]))).to.include.all.keys(many);
    }
  });

  it('leave every other file in each run', () => {
    const others = all.filter((file) => !filesInTurn.has(file));
    expect(filesOfTurn(all, 1)).to.include.members(others);
  });

  // Every second turn takes a case of `inTurn`, so an even number of groups would never meet some.
  it('have no other turns that would keep a case from ever running', () => {
    expect(groupCount % 2).to.equal(1);
    for (const file of turned) expect(readFileSync(`${repository}${file}`, 'utf8'), file).not.to.include('isTaken(');
  });
});
