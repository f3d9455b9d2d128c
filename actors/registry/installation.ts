import { randomUUID } from 'node:crypto';
import type { Tables } from '#store/tables.ts';

const setting = 'installation';

/**
 * The id of this installation, created with its database and stored there. Hosts mark their terminals with it, so that
 * a host which is connected to another database adopts none of them.
 */
export async function installationOf({ settings }: Tables): Promise<string> {
  const known = await settings.get(setting);
  if (known !== undefined) return known;
  const made = randomUUID();
  await settings.insert(setting, made);
  return made;
}
