import type { Session } from '#cli/client/session.ts';
import { findAgent } from '#cli/find/find-agent.ts';
import { counted } from '#cli/print/counted.ts';
import { type OutputFlags, writeRecord } from '#cli/print/output.ts';
import { printable } from '#contract/printable.ts';

export interface RotateFlags extends OutputFlags {
  readonly agent?: string;
}

/** `muster token rotate`: revokes all tokens, or those of one agent. */
export async function rotate(session: Session, { agent: said, output = 'table' }: RotateFlags): Promise<void> {
  const client = session.client();
  const agent = said === undefined ? undefined : await findAgent(client, said);
  const answer = await client.call('session.v1.SessionService/RotateTokens', { agentId: agent?.id ?? '' });
  const { agents = 0, sessions = 0, operatorToken = '' } = answer;
  const notice = 'cannot call muster until they are archived and restored (`muster archive`, `muster restore`)';
  writeRecord(session.io, { output }, answer, () => {
    if (agent !== undefined) {
      return `The tokens of ${printable(agent.name)} are revoked: archive and restore it to give it a new one.\n`;
    }
    // A caller who uses the file finds the new token there. All others must see it.
    const isInFile = session.connection().token === operatorToken;
    const where = isInFile ? 'is in operator.token' : `is\n${printable(operatorToken)}\nKeep it to yourself`;
    return (
      `Revoked the tokens of ${counted(agents, 'agent')} and ${counted(sessions, 'signed-in browser')}, and the operator’s own: the new one ${where}.\n` +
      `Running agents continue, and ${notice}.\n`
    );
  });
}
