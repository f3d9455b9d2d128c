import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** The socket, in the state folder, on which simulated hosts accept requests for transitions. */
export const fleetSocket = 'run/fleet.sock';

/** The requested transitions: how many in flight, and for how many milliseconds. */
export interface TransitionLoad {
  readonly inFlight: number;
  readonly forMs: number;
}

/** How long the registry took to answer each transition, in milliseconds. */
export interface TransitionTimes {
  readonly took: readonly number[];
}

/** Makes the hosts of a state folder change the states of their agents. */
export async function driveTransitions(home: string, load: TransitionLoad): Promise<TransitionTimes> {
  const answer = await new Promise<string>((resolve, reject) => {
    const path = `/${encodeURIComponent(JSON.stringify(load))}`;
    request({ socketPath: join(home, fleetSocket), path }, (response) => text(response).then(resolve, reject))
      .once('error', reject)
      .end();
  });
  return JSON.parse(answer);
}
