import { expect } from 'chai';
import type { Caller } from '#contract/access/caller.ts';
import { SharedReadings } from '#gateway/mcp/shared-readings.ts';
import { failureOf, refusalWith } from '#test/support/failure.ts';

const person: Caller = { kind: 'person' };
const agent = (agentId: string): Caller => ({ kind: 'agent', agentId, role: 'implementer' });

describe('readings of resources that several subscribers share', () => {
  let readings: SharedReadings;
  let hints: { received: number };
  let now: number;
  let read: Promise<string>[];

  beforeEach(() => {
    hints = { received: 0 };
    now = 0;
    read = [];
    readings = new SharedReadings(hints, () => now);
  });

  const digest = (caller: Caller, lookEveryMs?: number, reading = () => Promise.resolve(`reading ${read.length}`)) =>
    readings.digest({ uri: 'muster://agents', caller, lookEveryMs }, () => {
      const one = reading();
      read.push(one);
      return one;
    });

  it('are one for all people, and one for each agent', async () => {
    const all = [person, person, agent('agt_1'), agent('agt_1'), agent('agt_2')].map((caller) => digest(caller));
    await Promise.all(all);
    expect(read).to.have.length(3);
  });

  it('are read again after a hint that something has changed', async () => {
    const first = digest(person);
    hints.received += 1;
    const second = digest(person);
    expect([await first, await second]).to.deep.equal(['reading 0', 'reading 1']);
  });

  it('are current for half of the check interval of a resource that also changes without a hint', async () => {
    const first = digest(person, 1_000);
    now = 499;
    const second = digest(person, 1_000);
    now = 500;
    const third = digest(person, 1_000);
    expect(await Promise.all([first, second, third])).to.deep.equal(['reading 0', 'reading 0', 'reading 1']);
  });

  it('fail only for the caller that was refused: another reads for itself', async () => {
    const refused = digest(agent('agt_1'), undefined, () => Promise.reject(refusalWith('unauthenticated', 'ended')));
    const other = digest(agent('agt_1'));
    expect((await failureOf(() => refused)).code).to.equal('unauthenticated');
    expect(await other).to.equal('reading 1');
  });
});
