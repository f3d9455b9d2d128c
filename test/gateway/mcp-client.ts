import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { token } from './gateway-fixture.ts';

/** The protocol that a client speaks: with a handshake as of 2025, or without any as of 2026-07-28. */
export const eras = { '2025': 'legacy', '2026-07-28': { pin: '2026-07-28' } } as const;
export type Era = keyof typeof eras;
export const everyEra = Object.keys(eras) as Era[];

/** A client of one of the two eras, not connected yet. */
export function clientOf(era: Era): Client {
  return new Client({ name: 'test', version: '1.0.0' }, { versionNegotiation: { mode: eras[era] } });
}

/** A client that is connected to a gateway over HTTP. */
export async function connectOverHttp(
  url: string,
  era: Era,
  bearer = token,
  headers: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const client = clientOf(era);
  const requestInit = { headers: { ...headers, authorization: `Bearer ${bearer}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL('/mcp', url), { requestInit }));
  return client;
}
