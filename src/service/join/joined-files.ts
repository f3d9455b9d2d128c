import { join } from 'node:path';

/** The files of a state folder that has joined. */
export function joinedFilesIn(home: string) {
  const within = (name: string) => join(home, name);
  return {
    joined: within('joined.json'),
    authority: within('joined-bus-ca.pem'),
    host: within('joined-host.creds'),
    gateway: within('joined-gateway.creds'),
  };
}
