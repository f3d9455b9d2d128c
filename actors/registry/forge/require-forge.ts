import { Failure } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import type { ConnectedForge, Forges } from './forges.ts';

/** The forge that a host is connected to. @throws Failure `failed_precondition` */
export async function requireForge(forges: Forges, host: string): Promise<ConnectedForge> {
  const forge = await forges.forHost(host);
  if (forge !== undefined) return forge;
  throw new Failure(
    'failed_precondition',
    `No forge is connected for the host ${quoted(host)}: a person must connect it first (muster forge add)`,
  );
}
