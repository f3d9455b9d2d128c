import type { z } from 'zod';
import { findHost, hostOf } from '#actors/registry/host/host-resource.ts';
import type { HostScope } from '#actors/registry/host/host-scope.ts';
import { isSilent } from '#actors/registry/host/online.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { Failure } from '#contract/failure.ts';
import { keyAndValue, nameKey, patienceLimits } from '#contract/host/host-setting.ts';
import { updateHost } from '#contract/operations/host.ts';
import { quoted } from '#contract/quoted.ts';
import { hostDeadlines } from '#machines/host/host.ts';
import { bareHost } from '#store/host/bare-host.ts';
import type { StoredHost } from '#store/host/host-entity.ts';
import type { HostSettings } from '#store/host/host-table.ts';

/** How many labels a host may have. */
const maxLabels = 64;

type HostUpdate = z.output<typeof updateHost.request>;

/** Changes what people set for a host. What is both set and cleared is set. */
export const updateHostHandler = handler(updateHost, async (request, _caller, scope: HostScope) => {
  const { id, placed } = await scope.store.write(async ({ hosts, facts, agents, deadlines }) => {
    const host = await findHost(hosts, request.hostId);
    const [before, after] = [settingsOf(host), changed(host, request)];
    const fields = (Object.keys(after) as (keyof HostSettings)[]).filter(
      (field) => JSON.stringify(before[field]) !== JSON.stringify(after[field]),
    );
    if (fields.length > 0) {
      await hosts.set(host.id, after);
      // Check its deadline again immediately.
      if (isSilent(host)) await deadlines.set({ owner: 'host', ownerId: host.id }, { [hostDeadlines.silent]: 0 });
      await facts.append([{ kind: 'host.set', subjectId: host.id, detail: { name: host.name, fields } }]);
    }
    return { id: host.id, placed: await agents.countPlaced() };
  });
  const host = await scope.store.read(({ hosts }) => findHost(hosts, id));
  return { host: hostOf(host, { ...scope, placed }) };
});

function settingsOf(host: HostSettings): HostSettings {
  const { labels, patienceMs, maxAgents, maxLaunches, maxSetups, maxAtWork, minDiskFreeMib } = host;
  return { labels, patienceMs, maxAgents, maxLaunches, maxSetups, maxAtWork, minDiskFreeMib };
}

/** @throws INVALID_ARGUMENT when the limit is shorter than the silence after which a host counts as silent */
function patienceIn({ patienceSeconds = 0 }: HostUpdate): number | undefined {
  if (patienceSeconds === 0 || patienceSeconds >= patienceLimits.min) return patienceSeconds * 1_000 || undefined;
  throw new Failure(
    'INVALID_FIELD',
    `patienceSeconds is ${patienceSeconds}, and a host is silent only after ${patienceLimits.min} s: give at least that`,
    { field: 'patienceSeconds' },
  );
}

function changed(
  host: StoredHost,
  { clear = [], setLabels = [], removeLabels = [], ...given }: HostUpdate,
): HostSettings {
  const cleared = {
    ...settingsOf(host),
    ...Object.fromEntries(clear.map((field) => [stored[field], bareHost[stored[field]]])),
  };
  const { maxAgents, maxLaunches, maxSetups, maxAtWork, minDiskFreeMib } = given;
  return {
    labels: labelled(cleared.labels, setLabels, removeLabels),
    patienceMs: patienceIn(given) ?? cleared.patienceMs,
    maxAgents: maxAgents || cleared.maxAgents,
    maxLaunches: maxLaunches || cleared.maxLaunches,
    maxSetups: maxSetups || cleared.maxSetups,
    maxAtWork: maxAtWork || cleared.maxAtWork,
    minDiskFreeMib: minDiskFreeMib || cleared.minDiskFreeMib,
  };
}

/** The columns of the fields that may be cleared. */
const stored = {
  labels: 'labels',
  patienceSeconds: 'patienceMs',
  maxAgents: 'maxAgents',
  maxLaunches: 'maxLaunches',
  maxSetups: 'maxSetups',
  maxAtWork: 'maxAtWork',
  minDiskFreeMib: 'minDiskFreeMib',
} as const satisfies Record<NonNullable<HostUpdate['clear']>[number], keyof HostSettings>;

function labelled(
  before: StoredHost['labels'],
  set: readonly string[],
  removed: readonly string[],
): StoredHost['labels'] {
  const pairs = set.map(keyAndValue);
  for (const [at, [key]] of pairs.entries()) {
    if (key === nameKey) throw refused(set[at] ?? '', 'and a host has its name already: use another key');
    if (pairs.findIndex(([other]) => other === key) !== at)
      throw refused(set[at] ?? '', 'and that key is given twice: give it once');
    if (removed.includes(key)) throw refused(set[at] ?? '', 'and removeLabels names that key: leave one of them out');
  }
  const kept = Object.entries(before).filter(([key]) => !removed.includes(key));
  const merged = Object.entries(Object.fromEntries([...kept, ...pairs]));
  const labels = Object.fromEntries(merged.toSorted(([one], [other]) => (one < other ? -1 : 1)));
  const count = Object.keys(labels).length;
  if (count <= maxLabels) return labels;
  throw new Failure(
    'INVALID_FIELD',
    `setLabels would give the host ${count} labels, and at most ${maxLabels} are allowed: remove others`,
    { field: 'setLabels' },
  );
}

function refused(label: string, why: string): Failure {
  return new Failure('INVALID_FIELD', `setLabels has ${quoted(label)}, ${why}`, { field: 'setLabels' });
}
