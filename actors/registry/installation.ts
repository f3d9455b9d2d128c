import { randomUUID } from 'node:crypto';
import type { Tables } from '#store/store.ts';

const setting = 'installation';

/**
 * Identifies this installation's database; created and deleted with it. Hosts mark their terminals with it, so a host
 * that is connected to another database adopts none of them.
 */
export async function installationOf({ settings }: Tables): Promise<string> {
  const known = await settings.get(setting);
  if (known !== undefined) return known;
  const made = randomUUID();
  await settings.settle(setting, made);
  return made;
}
