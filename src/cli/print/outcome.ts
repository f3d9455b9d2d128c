import type { Client } from '#cli/client/client.ts';
import { follow } from '#cli/client/follow.ts';
import type { CliIo } from '#cli/client/io.ts';
import type { Agent } from '#contract/agent/agent.ts';
import { Failure } from '#contract/failure.ts';
import { failureCodes } from '#contract/reason/failure-code.ts';
import { cutToWidth } from './width.ts';

/** How long a wait may be silent before a notice is printed, in milliseconds. */
const maxQuietMs = 2_000;
const minute = 60_000;
/** Moves the cursor up a line and clears the line. */
const lineAboveGone = '\u001b[1A\u001b[2K';

/** The condition to wait for. */
export interface Wait {
  /** The agent's id. */
  readonly id: string;
  /** A description of the progress, such as `lead is still being deleted`. */
  readonly still: string;
  /** The time limit in minutes: more than the limits of all steps together. */
  readonly minutes: number;
  /** Whether the agent shows that the operation has ended. For an agent that is gone, it always has. */
  readonly isOver: (agent: Agent) => boolean;
}

/**
 * Waits until an accepted operation on an agent has ended, successfully or not. Returns the agent as it is then;
 * undefined if it is gone.
 * @throws DEADLINE_EXCEEDED past the time limit, while the service continues
 */
export async function outcomeOf(
  io: CliIo,
  client: Client,
  { id, still, minutes, isOver }: Wait,
): Promise<Agent | undefined> {
  const late = AbortSignal.timeout(minutes * minute);
  const signal = io.signal === undefined ? late : AbortSignal.any([io.signal, late]);
  const word = waitingNotice(io, `${still}; Ctrl-C ends only the waiting`);
  const changes = follow({ ...io, stderr: word.stderr, signal }, (cursor) =>
    client.watch('agent.v1.AgentService/WatchAgents', cursor === undefined ? {} : { cursor }, signal),
  );
  let hasListed = false;
  try {
    // The watch only triggers: it returns an archived agent only when it changes, and one that is gone only once.
    for await (const { agents = [], goneAgentIds = [] } of changes) {
      const names = [...agents.map(({ agent }) => agent?.id), ...goneAgentIds];
      if (hasListed && names.length > 0 && !names.includes(id)) continue;
      hasListed = true;
      const found = await look(client, id);
      if (found !== 'away' && (found === undefined || isOver(found))) return found;
    }
  } finally {
    word.clear();
  }
  throw new Failure('WAIT_ENDED', `${still} after ${minutes} minutes: muster ls shows its progress`);
}

/**
 * Prints a notice after a while about what is in progress. On a terminal, the notice is cleared after the wait, unless
 * something was printed below it through `stderr`.
 */
function waitingNotice(
  { stderr }: CliIo,
  word: string,
): { readonly stderr: CliIo['stderr']; readonly clear: () => void } {
  let isLast = false;
  const timer = setTimeout(() => {
    stderr.write(`${cutToWidth(word, stderr.columns ?? Number.POSITIVE_INFINITY)}\n`);
    isLast = stderr.isTTY;
  }, maxQuietMs);
  const reported = Object.create(stderr, {
    write: {
      value: (text: string) => {
        isLast = false;
        stderr.write(text);
      },
    },
  }) as CliIo['stderr'];
  return {
    stderr: reported,
    clear: () => {
      clearTimeout(timer);
      if (isLast) stderr.write(lineAboveGone);
    },
  };
}

async function look(client: Client, agentId: string): Promise<Agent | undefined | 'away'> {
  try {
    return (await client.call('agent.v1.AgentService/GetAgent', { agentId })).agent?.agent;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (error.code === 'not_found') return undefined;
    if (failureCodes[error.code].retry) return 'away';
    throw error;
  }
}
