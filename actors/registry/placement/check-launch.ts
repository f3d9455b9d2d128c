import { isNewHost } from '#actors/registry/host/new-hosts.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { splitFlags } from '#machines/flags.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import type { StoredHost } from '#store/host/host-entity.ts';

/** @throws INVALID_ARGUMENT when a harness is not built in and no host has it */
export function checkHarness(hosts: readonly StoredHost[], harnesses: Harnesses, harness: string): void {
  if (harnesses.find(harness) !== undefined) return;
  const known = new Set(harnesses.all().map(({ name }) => name));
  for (const host of hosts) {
    // Of a new host, only the harnesses that a person has confirmed count.
    const names = isNewHost(host) ? Object.keys(host.confirmedLaunches) : host.harnesses;
    for (const name of names) known.add(name);
  }
  if (known.has(harness)) return;
  throw new Failure(
    'INVALID_FIELD',
    `harness is ${quoted(harness)}, which is not built in and which no host has: use one of ${[...known].join(', ')}, ` +
      'define it on a host with `muster harness add`, or have a person run `muster harness confirm NAME` there',
    { field: 'harness' },
  );
}

/** @throws INVALID_ARGUMENT when flags cannot be split into the words of a command line */
export function checkFlags(flags: string): void {
  const why = flags.includes('\0') ? 'have a NUL character' : 'have a quote that is not closed';
  if (!flags.includes('\0') && splitFlags(flags) !== undefined) return;
  throw new Failure('INVALID_FIELD', `flags are ${quoted(flags)}, which ${why}: write them as in a shell`, {
    field: 'flags',
  });
}
