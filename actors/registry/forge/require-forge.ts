import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { ConnectedForge, Forges } from './forges.ts';

/** The connected forge with a web host. @throws FAILED_PRECONDITION when none is connected */
export async function requireForge(forges: Forges, host: string): Promise<ConnectedForge> {
  const forge = await forges.forHost(host);
  if (forge !== undefined) return forge;
  throw new Failure(
    'FORGE_NOT_CONNECTED',
    `No forge is connected for the host ${quoted(host)}: a person must connect it first (muster forge add)`,
    { metadata: { host } },
  );
}
