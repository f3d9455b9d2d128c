import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { expect } from 'chai';
import { newAgent, type StoreFixture, saveHost, storeFixture } from '../store-fixture.ts';

const rounds = 6;

describe('a process killed during commits', () => {
  let fixture: StoreFixture;

  beforeEach(async () => {
    fixture = await storeFixture();
    await saveHost(fixture.store);
    await fixture.store.write(({ journal }) => journal.insert(newAgent('agt_1')));
    await fixture.store.close();
  });
  afterEach(() => fixture.close());

  /** Lets a committer run until it has printed this many versions, kills it, and returns the last printed one. */
  async function runAndKill(acknowledgements: number): Promise<number> {
    const script = new URL('../committer.ts', import.meta.url).pathname;
    const committer = spawn(process.execPath, [script, fixture.file, 'agt_1'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let heard = 0;
    let last = 0;
    for await (const line of createInterface({ input: committer.stdout })) {
      last = Number(line);
      heard += 1;
      if (heard === acknowledgements) committer.kill('SIGKILL');
    }
    if (committer.exitCode === null && committer.signalCode === null) await once(committer, 'exit');
    return last;
  }

  it('loses no acknowledged write and leaves no partial one', async () => {
    for (let round = 1; round <= rounds; round += 1) {
      const acknowledged = await runAndKill(7 + round * 11);
      const store = await fixture.reopen();
      const record = await store.read(({ journal }) => journal.load('agt_1'));
      expect(record.version).to.be.at.least(acknowledged);
      expect(record.version).to.be.at.most(acknowledged + 1);
      expect(record.effects.map(({ key }) => key)).to.deep.equal([`agt_1/${record.version}/0`]);
      const facts = await store.read((tables) => tables.facts.after(0n, 10_000));
      expect(facts.map(({ detail }) => detail['version'])).to.deep.equal([
        undefined,
        ...Array.from({ length: record.version - 1 }, (_, row) => row + 2),
      ]);
      await store.close();
    }
    await fixture.reopen();
  });
});
