import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect } from 'chai';
import { faultyDisk } from '#test/support/faulty-disk.ts';
import { moment } from '#test/support/moment.ts';
import { type Pieces, setUpPieces } from '#test/support/pieces.ts';
import { inSoak } from '#test/support/soak.ts';

interface Ready {
  readonly status: string;
  readonly bus: { readonly ok: boolean };
  readonly registry: { readonly ok: boolean; readonly why?: string };
  readonly hosts?: { readonly ok: boolean; readonly online: number; readonly known: number; readonly why?: string };
}

describe('the readiness of a service', () => {
  let pieces: Pieces;
  /** What a test must undo, the last first. */
  const undo: (() => void)[] = [];
  beforeEach(async () => {
    pieces = await setUpPieces();
  });
  afterEach(async () => {
    const steps = undo.splice(0).toReversed();
    for (const step of steps) step();
    await pieces.stop();
  });

  const start = async () => {
    for (const piece of ['registry', 'host', 'gateway'] as const) await pieces.start(piece);
  };
  const look = async (): Promise<Ready & { readonly code: number }> => {
    const started = performance.now();
    const answer = await fetch(`${pieces.url}/readyz`);
    expect(performance.now() - started, 'how long it took').to.be.below(2_500);
    const alive = await fetch(`${pieces.url}/healthz`);
    expect([alive.status, await alive.json()]).to.deep.equal([200, { status: 'ok' }]);
    return { code: answer.status, ...((await answer.json()) as Ready) };
  };
  const until = (what: string, holds: (ready: Ready & { readonly code: number }) => boolean) =>
    moment(what, async () => {
      const ready = await look();
      return holds(ready) ? ready : undefined;
    });
  /** What Doctor shows of the database. */
  const databaseCheck = async (): Promise<string> => {
    type Part = { name: string; checks: { name: string; outcome: string; found?: string }[] };
    const { parts } = await pieces.call<{ parts: Part[] }>('host.v1.HostService/RunDoctor', {});
    const check = parts.find(({ name }) => name === 'registry')?.checks.find(({ name }) => name === 'database');
    return `${check?.outcome === 'CHECK_OUTCOME_FAILURE' ? 'fail' : 'well'} ${check?.found}`;
  };
  const isWell = ({ code, status }: Ready & { code: number }) => code === 200 && status === 'ok';

  it('shows a hung or killed registry within two seconds, and its return', async () => {
    await start();
    await until('all is well', isWell);
    pieces.signal('registry', 'SIGSTOP');
    const hanging = await look();
    expect([hanging.code, hanging.status, hanging.bus.ok, hanging.registry.ok]).to.deep.equal([
      503,
      'unavailable',
      true,
      false,
    ]);
    pieces.signal('registry', 'SIGCONT');
    await until('it goes on', isWell);
    await pieces.kill('registry');
    expect((await look()).registry.ok).to.equal(false);
    await pieces.start('registry');
    await until('it is back', isWell);
  });

  inSoak('is degraded, and ready, while the only host hangs or is gone', async () => {
    await start();
    await until('all is well', isWell);
    pieces.signal('host', 'SIGSTOP');
    const silent = await until('the host is missed', ({ status }) => status === 'degraded');
    expect([silent.code, silent.hosts?.online, silent.hosts?.known]).to.deep.equal([200, 0, 1]);
    expect(silent.hosts?.why).to.equal('1 of 1 hosts do not answer');
    pieces.signal('host', 'SIGCONT');
    await until('it goes on', isWell);
  });

  inSoak('shows a database that another program locks, which can still be read', async () => {
    await start();
    await until('all is well', isWell);
    const other = new Database(join(pieces.home, 'muster.db'));
    undo.push(() => other.close());
    other.exec('begin immediate');
    const held = await until('it is missed', ({ code }) => code === 503);
    expect([held.bus.ok, held.registry.ok]).to.deep.equal([true, false]);
    expect(held.registry.why).to.match(/^Another program has locked the database/);
    const { agents = [] } = await pieces.call<{ agents?: unknown[] }>('agent.v1.AgentService/ListAgents', {});
    expect(agents, 'what is read meanwhile').to.deep.equal([]);
    expect(await databaseCheck()).to.match(/^fail Another program has locked the database/);
    other.exec('rollback');
    await until('it is free', isWell);
  });

  inSoak('reports a full disk, and that there is room again', async function () {
    const disk = join(pieces.home, 'disk');
    mkdirSync(disk);
    if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=8m', 'muster-test', disk]).status !== 0) this.skip();
    undo.push(() => spawnSync('umount', [disk]));
    symlinkSync(join(disk, 'muster.db'), join(pieces.home, 'muster.db'));
    await start();
    await until('all is well', isWell);
    const filler = join(disk, 'filler');
    expect(() => writeFileSync(filler, Buffer.alloc(16 * 1024 * 1024))).to.throw('ENOSPC');
    const full = await until('it is missed', ({ code }) => code === 503);
    expect(full.registry.why).to.equal('The disk is full, so nothing was written: make room and try again');
    expect(await databaseCheck()).to.match(/^fail The disk is full/);
    rmSync(filler);
    await until('there is room', isWell);
    expect(await databaseCheck()).to.match(/^well it is writable/);
    // Its processes hold files there until they have ended.
    for (const piece of ['gateway', 'host', 'registry'] as const) await pieces.halt(piece);
  });

  inSoak(
    'reports a file system that has become read-only, which can still be read, and outlives it',
    async function () {
      const disk = faultyDisk(pieces.home);
      if (disk === undefined) this.skip();
      undo.push(() => disk.remove());
      symlinkSync(join(disk.path, 'muster.db'), join(pieces.home, 'muster.db'));
      await start();
      await until('all is well', isWell);
      disk.setReadOnly();
      const readOnly = await until('it is missed', ({ code }) => code === 503);
      expect(readOnly.registry.why).to.match(/can only be read .*kernel's log/);
      await pieces.call('agent.v1.AgentService/ListAgents', {});
      expect(await databaseCheck()).to.match(/^fail The database or its file system can only be read/);
      for (const piece of ['gateway', 'host', 'registry'] as const) await pieces.halt(piece);
      await disk.repair();
      await start();
      await until('it is mended', isWell);
      for (const piece of ['gateway', 'host', 'registry'] as const) await pieces.halt(piece);
    },
  );
});
