import { request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

/** Where a fleet of hosts is asked for moves: a socket in the state folder. */
export const fleetSocket = 'run/fleet.sock';

/** How agents are to be moved: how many at a time, and for how long, in milliseconds. */
export interface Movement {
  readonly inFlight: number;
  readonly forMs: number;
}

/** How long each move took until the registry had answered it, in milliseconds. */
export interface Moves {
  readonly took: readonly number[];
}

/** Makes the hosts of a state folder change the states of their agents. */
export async function moveFleet(home: string, movement: Movement): Promise<Moves> {
  const answer = await new Promise<string>((resolve, reject) => {
    const path = `/${encodeURIComponent(JSON.stringify(movement))}`;
    request({ socketPath: join(home, fleetSocket), path }, (response) => text(response).then(resolve, reject))
      .once('error', reject)
      .end();
  });
  return JSON.parse(answer);
}
