import { expect } from 'chai';
import { ForgeError } from '#world/forge/forge-error.ts';
import { reading, ScriptedForge } from './scripted-forge.ts';

describe('the tests’ in-memory forge', () => {
  it('answers page by page, newest first, and by branch', async () => {
    const forge = new ScriptedForge();
    forge.pullRequests = [
      reading(1, { updatedAt: '2026-01-01T00:00:00.000Z' }),
      reading(2, { updatedAt: '2026-01-03T00:00:00.000Z' }),
      reading(3, { updatedAt: '2026-01-02T00:00:00.000Z', state: 'CLOSED' }),
    ];
    const first = await forge.list('acme/app', { state: 'all', pageSize: 2 });
    expect(first.readings.map(({ number }) => number)).deep.equal([2, 3]);
    const second = await forge.list('acme/app', { state: 'all', pageSize: 2, cursor: first.nextCursor ?? '' });
    expect(second.readings.map(({ number }) => number)).deep.equal([1]);
    expect(second.nextCursor).equal(undefined);
    const found = await forge.list('acme/app', { state: 'open', branch: 'branch-3', pageSize: 2 });
    expect(found.readings).deep.equal([]);
  });

  it('fails on request', async () => {
    const forge = new ScriptedForge();
    forge.errors.push(new ForgeError('server', 'down'));
    await expectKind(forge.check(), 'server');
    await expectKind(forge.list('acme/other', { state: 'open', pageSize: 1 }), 'not_found');
  });
});

async function expectKind(promise: Promise<unknown>, kind: string): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).instanceOf(ForgeError).property('kind', kind);
}
