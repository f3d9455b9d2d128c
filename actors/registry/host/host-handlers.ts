import { handler } from '#actors/registry/kernel/handler.ts';
import { forgetHost, forgetHostKey, listDirectories, listHosts } from '#contract/operations/host.ts';
import { listLogRecords } from '#contract/operations/log.ts';
import { hostCalls } from '#contract/wire/registry.ts';
import { askHost } from './host-call.ts';
import { forget } from './host-orders.ts';
import { findHost, hostOf } from './host-resource.ts';
import type { HostScope } from './host-scope.ts';

/** Lists every host except forgotten ones. */
export const listHostsHandler = handler(listHosts, (_request, _caller, scope: HostScope) =>
  scope.store.read(async ({ hosts, agents }) => {
    const details = { ...scope, placed: await agents.countPlaced() };
    const removed = (await hosts.removed()).map(({ id, name }) => ({ id, name }));
    return { hosts: (await hosts.all()).map((host) => hostOf(host, details)), removed };
  }),
);

/** Forgets a lost host that has no agents. */
export const forgetHostHandler = handler(forgetHost, ({ hostId }, _caller, scope: HostScope) =>
  scope.store.write(async (tables) => {
    const host = await findHost(tables.hosts, hostId);
    await forget({ tables, now: scope.clock.now() }, host);
    return { host: hostOf(await findHost(tables.hosts, host.id), { ...scope, placed: new Map() }) };
  }),
);

/** Lets a host join with another key, and ends the sessions of the old one. */
export const forgetHostKeyHandler = handler(forgetHostKey, async ({ hostId }, _caller, scope: HostScope) => {
  const { row, placed } = await scope.store.write(async ({ hosts, agents, facts }) => {
    const { id } = await findHost(hosts, hostId);
    await hosts.bind(id, null);
    await facts.append([{ kind: 'host.key-forgotten', subjectId: id, detail: {} }]);
    return { row: await findHost(hosts, id), placed: await agents.countPlaced() };
  });
  scope.lines.endRevoked(row.id, row);
  return { host: hostOf(row, { ...scope, placed }) };
});

/** Lists directories on a host, as the host's own user sees them now. */
export const listDirectoriesHandler = handler(listDirectories, async ({ hostId, path }, _caller, { store, lines }) => {
  const host = await store.read(({ hosts }) => findHost(hosts, hostId));
  return askHost(lines, host, hostCalls.directories, { path });
});

/** How many log records are read by default. */
const defaultRecords = 100;

/** Reads the current log files on a host's machine. */
export const listLogRecordsHandler = handler(
  listLogRecords,
  async ({ hostId, process = '', count = 0 }, _caller, { store, lines }) => {
    const host = await store.read(({ hosts }) => findHost(hosts, hostId));
    return askHost(lines, host, hostCalls.logs, { process, count: count || defaultRecords });
  },
);
