import { Caller, requestBytes } from '../stage/caller.ts';
import type { Fleet } from '../stage/fleet.ts';
import { driveTransitions } from '../stage/fleet-transitions.ts';
import { pathOfMethod } from '../stage/installation.ts';
import { timed } from '../stage/sample.ts';

/** How long each call took, and all of them together, in milliseconds. */
export interface Outcome {
  readonly took: readonly number[];
  readonly elapsedMs: number;
}

/** A kind of load on a fleet. */
export interface Load {
  readonly name: string;
  run(fleet: Fleet, forMs: number): Promise<Outcome>;
}

const pageSize = 50;
const callers = 16;

/** The loads in order: those that add rows come last. */
export const loads: readonly Load[] = [
  reads('get_agent, 16 callers', 'GetAgent', ({ agentIds: [agentId] }) => ({ agentId })),
  reads(`list_agents, ${pageSize} rows, 16 callers`, 'ListAgents', () => ({ pagination: { pageSize } })),
  reads('list_agents, one row, 16 callers', 'ListAgents', () => ({ pagination: { pageSize: 1 } })),
  reads('list_workflows, 16 callers', 'ListWorkflows', () => ({})),
  ...[1, 8, 32].map(transitions),
  ...[1, 8, 32].map((inFlight) =>
    writes('mails', inFlight, async (fleet, turn) => {
      const agentId = fleet.agentIds[turn % fleet.agentIds.length];
      await fleet.call('SendMail', { agentId, body: 'Rebase.' });
    }),
  ),
  writes('creates', 8, async (fleet, turn) => {
    await fleet.call('CreateAgent', { prompt: 'echo done', title: `made-${turn}`, workflowId: 'wfl_bench' });
  }),
];

/** The same call over several connections, each of which repeats it as soon as it is answered. */
function reads(name: string, method: string, requestFor: (fleet: Fleet) => object): Load {
  return {
    name,
    async run(fleet, forMs) {
      const { url, token } = fleet;
      const request = requestBytes(url, pathOfMethod(method), token, JSON.stringify(requestFor(fleet)));
      const took: number[] = [];
      const started = performance.now();
      await Promise.all(
        Array.from(
          { length: callers },
          () =>
            new Promise<void>((resolve, reject) => {
              const caller = new Caller(url, request, (status, tookMs) => {
                if (status !== 200) return reject(new Error(`${method} answered ${status}`));
                took.push(tookMs);
                if (performance.now() < started + forMs) return caller.ask();
                caller.close();
                resolve();
              });
              caller.ask();
            }),
        ),
      );
      return { took, elapsedMs: performance.now() - started };
    },
  };
}

function transitions(inFlight: number): Load {
  return {
    name: `state transitions, ${inFlight} in flight`,
    async run({ home }, forMs) {
      const started = performance.now();
      const { took } = await driveTransitions(home, { inFlight, forMs });
      return { took, elapsedMs: performance.now() - started };
    },
  };
}

function writes(name: string, inFlight: number, write: (fleet: Fleet, turn: number) => Promise<void>): Load {
  let turn = 0;
  return {
    name: `${name}, ${inFlight} in flight`,
    async run(fleet, forMs) {
      const took: number[] = [];
      const started = performance.now();
      const writer = async (): Promise<void> => {
        while (performance.now() < started + forMs) {
          turn += 1;
          const own = turn;
          took.push(await timed(() => write(fleet, own)));
        }
      };
      await Promise.all(Array.from({ length: inFlight }, writer));
      return { took, elapsedMs: performance.now() - started };
    },
  };
}
