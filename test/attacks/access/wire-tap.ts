import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { encodeUser } from '@nats-io/jwt';
import { connect } from '@nats-io/transport-node';
import { authenticatorOf } from '#bus/identity/authenticator.ts';
import { type BusKeys, makeMemberKey } from '#bus/identity/bus-keys.ts';
import { keyPairOf } from '#bus/identity/nkey.ts';
import { requireBusKeys } from '#service/bus/bus-keys.ts';

/** What was heard, as text. */
export interface Tap {
  /** The subjects of messages, or the paths of requests, and what they carried. */
  readonly heard: string[];
  close(): Promise<void>;
}

/** A collector of traces, and its address. */
export async function collectTraces(): Promise<Tap & { readonly url: string }> {
  const heard: string[] = [];
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    heard.push(`${request.url} ${text}`);
    response.writeHead(200).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    heard,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Listens to every message of an installation's bus, with a certificate that only its keys can make. */
export async function tapBus(home: string, url: string): Promise<Tap> {
  const heard: string[] = [];
  const connection = await connect({
    servers: url,
    authenticator: authenticatorOf(await listener(requireBusKeys(join(home, 'bus.keys')))),
  });
  connection.subscribe('>', {
    callback: (_error, message) => {
      heard.push(`${message.subject} ${message.string()}`);
    },
  });
  await connection.flush();
  return { heard, close: () => connection.close() };
}

async function listener({ account }: BusKeys) {
  const { publicKey, seed } = makeMemberKey();
  const rights = { sub: { allow: ['>'] }, data: -1, payload: -1, subs: -1 };
  const jwt = await encodeUser('listener', publicKey, keyPairOf(account), rights);
  return { jwt: () => jwt, seed };
}
