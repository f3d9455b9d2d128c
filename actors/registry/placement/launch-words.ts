import { isNewcomer } from '#actors/registry/host/newcomers.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { splitFlags } from '#machines/flags.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import type { Tables } from '#store/store.ts';

/** Refuses a harness that is not built in and that no host has. @throws INVALID_ARGUMENT. */
export async function checkHarness({ hosts }: Tables, harnesses: Harnesses, harness: string): Promise<void> {
  if (harnesses.find(harness) !== undefined) return;
  const known = new Set(harnesses.all().map(({ name }) => name));
  for (const host of await hosts.all()) {
    // Of a newcomer that counts alone which a person has confirmed there.
    const names = isNewcomer(host) ? Object.keys(host.confirmedLaunches) : host.harnesses;
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

/** Refuses flags that no command line can be made of. @throws INVALID_ARGUMENT. */
export function checkFlags(flags: string): void {
  const why = flags.includes('\0') ? 'have a NUL character' : 'have a quote that is not closed';
  if (!flags.includes('\0') && splitFlags(flags) !== undefined) return;
  throw new Failure('INVALID_FIELD', `flags are ${quoted(flags)}, which ${why}: write them as in a shell`, {
    field: 'flags',
  });
}
