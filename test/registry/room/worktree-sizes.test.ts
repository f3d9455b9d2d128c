import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { RoomRequests } from '#actors/host/room/room-requests.ts';
import type { AgentRow } from '#contract/agent/agent-row.ts';
import { moment } from '#test/support/moment.ts';
import { type RegistryFixture, registryFixture } from '../registry-fixture.ts';

const hour = 3_600_000;

describe('the sizes of worktrees', () => {
  let fixture: RegistryFixture;
  /** The agents that were to be measured, by request. */
  const requested: (readonly string[])[] = [];
  before(async () => {
    fixture = await registryFixture();
    const recordOf = (agentId: string) => fixture.host.registry.load(agentId);
    const room = new RoomRequests({ recordOf, worktrees: fixture.folder.path });
    fixture.host.room = {
      clean: (request) => room.clean(request),
      measure(request) {
        requested.push(request.agentIds);
        return room.measure(request);
      },
    };
  });
  after(() => fixture.close());

  interface Watched {
    readonly agents?: readonly AgentRow[];
    readonly cursor: string;
  }
  /** What a watch says of an agent once its size differs from one before, and where the watch is then. */
  const sizeAfter = (agentId: string, from: string, before?: string) =>
    moment('another size', async () => {
      const { agents = [], cursor } = await fixture.call<Watched>('WatchAgents', { cursor: from });
      const { diskBytes, diskMeasuredAt = '' } = agents.find(({ agent }) => agent?.id === agentId)?.agent ?? {};
      if (diskBytes === undefined || diskBytes === before) return undefined;
      return { cursor, diskBytes, at: Date.parse(diskMeasuredAt) };
    });
  /** Its next pass is an hour later, and a registry begins with one. */
  const passAfter = async (ms: number): Promise<void> => {
    fixture.clock.pass(ms);
    await fixture.host.beat();
    await fixture.restart();
    // The host first asks the registry that is gone.
    await moment('a registry answers', () =>
      fixture.host.beat().then(
        () => true,
        () => false,
      ),
    );
  };

  it('are measured about once an hour, and shown to those who watch', async () => {
    const { id } = await fixture.create();
    const path = join(fixture.folder.path, id);
    mkdirSync(path);
    writeFileSync(join(path, 'a'), 'x'.repeat(100_000));
    await fixture.host.bringUp(id, { path });
    const { cursor } = await fixture.call<Watched>('WatchAgents', {});
    await passAfter(0);
    const first = await sizeAfter(id, cursor);
    expect(Number(first.diskBytes)).to.be.within(100_000, 200_000);
    writeFileSync(join(path, 'b'), 'x'.repeat(300_000));
    await passAfter(hour / 2);
    await passAfter(hour / 2 + 1);
    const second = await sizeAfter(id, first.cursor, first.diskBytes);
    expect(Number(second.diskBytes)).to.be.within(400_000, 600_000);
    expect(second.at - first.at).to.be.greaterThan(hour);
    expect(requested).to.deep.equal([[id], [id]]);
  });

  it('are measured only for agents with a worktree of their own, on hosts that are there', async () => {
    const without = await fixture.create({ provisionEnabled: false });
    await fixture.host.bringUp(without.id, { path: '/repo' });
    const { id } = await fixture.create();
    await fixture.host.bringUp(id, { path: join(fixture.folder.path, id) });
    const found = (hosts: readonly string[]) =>
      fixture.store.read(async ({ disks }) =>
        (await disks.stale(fixture.clock.now() - hour, hosts)).map((one) => one.id),
      );
    expect(await found(['hst_1']))
      .to.include(id)
      .and.not.include(without.id);
    expect(await found(['hst_2'])).to.deep.equal([]);
    expect(await found([])).to.deep.equal([]);
  });

  it('are measured in turn on a host with more than it measures for one request', async () => {
    const ids: string[] = [];
    for (let made = 0; made < 22; made += 1) {
      const { id } = await fixture.create();
      const path = join(fixture.folder.path, id);
      mkdirSync(path);
      await fixture.host.bringUp(id, { path });
      ids.push(id);
    }
    requested.length = 0;
    for (let hours = 1; hours <= 2; hours += 1) {
      await passAfter(hour + 1);
      await moment('the next request, and its answer', async () => {
        const { length } = await fixture.store.read(({ disks }) => disks.stale(fixture.clock.now() - hour, ['hst_1']));
        return requested.length === hours && length < ids.length;
      });
    }
    expect(requested.map(({ length }) => length)).to.deep.equal([20, 20]);
    expect(new Set(requested.flat())).to.include.all.keys(ids);
  });
});
