import { createHash, createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readPrivateFile, writePrivateFile } from '#world/private-file.ts';

const prefix = 'mst_';

/** The tokens of agents: derived from a secret of the installation, so that none has to be stored to be handed out again. */
export interface AgentTokens {
  /** An agent's token in the clear. */
  of(agentId: string, generation: number): string;
}

/** The SHA-256 of a token in hex: all that is stored of it and all that travels on the bus. */
export function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Tokens by the installation's secret, which is made where the state folder has none yet. */
export function agentTokens(stateFolder: string): AgentTokens {
  const secret = kept(join(stateFolder, 'installation.secret'), () => randomBytes(32).toString('base64url'));
  return {
    of(agentId, generation) {
      const mac = createHmac('sha256', secret).update(`${agentId}/${generation}`);
      return `${prefix}${mac.digest('base64url')}`;
    },
  };
}

/** The operator's token, which is made where the state folder has none yet. */
export function operatorToken(stateFolder: string): string {
  return kept(join(stateFolder, 'operator.token'), () => `${prefix}${randomBytes(32).toString('base64url')}`);
}

/** What a file of one line holds; it is made, for its owner alone, where it is not there or blank. */
function kept(path: string, make: () => string): string {
  const known = readPrivateFile(path)?.trim();
  if (known) return known;
  const made = make();
  writePrivateFile(path, `${made}\n`);
  return made;
}
