import type { z } from 'zod';
import type { Change } from '#actors/registry/kernel/writing.ts';
import type { Sender } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { registryCalls } from '#contract/wire/registry.ts';

/**
 * Records that a host has cleaned up after an agent that left. A repeated report changes nothing.
 * @throws PERMISSION_DENIED when it is another host's
 */
export async function departed(
  { tables: { departures, facts } }: Change,
  { id, remains }: z.output<typeof registryCalls.departed.request>,
  { hostId }: Sender,
): Promise<void> {
  const departure = (await departures.from(hostId, maxDepartures)).find((one) => one.id === id);
  if (departure === undefined) {
    if (id.endsWith(`@${hostId}`)) return;
    throw new Failure('HOST_NOT_ENTITLED', `What ${quoted(id)} left behind is not on host ${hostId}`);
  }
  if (departure.remains === 'kept') return;
  await departures.remove(departure.id);
  const detail = { host: hostId, remains };
  await facts.append([{ kind: 'agent.left', subjectId: departure.agent, detail }]);
}

/** How many departures one answer lists. */
export const maxDepartures = 200;
