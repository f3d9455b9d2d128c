import dns from 'node:dns';
import { once } from 'node:events';
import { syncBuiltinESMExports } from 'node:module';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import type { ProxyPolicy } from '#world/isolation/filter-proxy.ts';
import type { Destination } from '#world/isolation/host-filter.ts';
import type { Listener } from '#world/isolation/socket-folder.ts';

/** What names resolve to: whoever has the records of a name decides that, also between two connections. */
const records: Readonly<Record<string, readonly string[]>> = {
  'loopback.example': ['127.0.0.1'],
  'loopback6.example': ['::1'],
  'mapped.example': ['::ffff:127.0.0.1'],
  'unspecified.example': ['0.0.0.0'],
  'metadata.example': ['169.254.169.254'],
  'metadata6.example': ['fd00:ec2::254'],
  'private.example': ['10.0.0.1', '192.168.0.1', 'fd12::1'],
};

describe('the filter of an isolated agent', () => {
  let folder: TemporaryFolder;
  let listener: Listener;
  let path: string;
  let policy: ProxyPolicy = { granted: [], models: [] };
  const refused: Destination[] = [];
  const { lookup } = dns;
  /** A service of the person's. */
  let service: Server;
  let port = 0;
  let reached = 0;

  before(async () => {
    folder = temporaryFolder('filter');
    service = createServer((client) => {
      reached += 1;
      client.end();
    }).listen(0, '127.0.0.1');
    await once(service, 'listening');
    ({ port } = service.address() as AddressInfo);
    path = join(folder.path, 'proxy');
    Object.assign(dns, { lookup: fakeLookup });
    syncBuiltinESMExports();
    const { filterProxy } = await import('#world/isolation/filter-proxy.ts');
    listener = filterProxy({ policy: () => policy, onRefused: (one) => refused.push(one), parent: {} });
    listener.server.listen(path);
    await once(listener.server, 'listening');
  });
  after(async () => {
    Object.assign(dns, { lookup });
    syncBuiltinESMExports();
    await listener.close();
    service.close();
    folder.remove();
  });

  /** The status with which the filter answers a request to connect. */
  const status = async (host: string, port: number): Promise<string> => {
    const client = connect(path);
    client.end(`CONNECT ${host}:${port} HTTP/1.1\r\nHost: ${host}:${port}\r\n\r\n`);
    let answer = '';
    for await (const chunk of client) answer += chunk;
    return answer.split(' ')[1] ?? 'closed';
  };

  it('refuses every address and name that is not granted, and says which', async () => {
    policy = { granted: ['example.com', '*.example.org:443'], models: [] };
    const asked = [
      '10.0.0.1',
      '169.254.169.254',
      '[fd00::1]',
      '127.1',
      '2130706433',
      'example.com.evil.test',
      'localhost',
    ];
    for (const host of asked) expect(await status(host, 443), host).to.equal('403');
    expect(await status('a.example.org', 444)).to.equal('403');
    expect(refused.map(({ host }) => host)).to.include.members([
      '10.0.0.1',
      '169.254.169.254',
      'localhost',
      'a.example.org',
    ]);
  });

  it('refuses granted names that lead to this machine, to metadata or, of a CLI’s own hosts, into private networks', async () => {
    const names = Object.keys(records);
    policy = { granted: names.filter((name) => name !== 'private.example'), models: ['private.example'] };
    for (const name of names) expect(await status(name, port), name).to.match(/^(?:403|502)$/);
    expect(reached).to.equal(0);
  });

  it('follows a change of what is granted at once', async () => {
    policy = { granted: [], models: [] };
    expect(await status('loopback.example', port)).to.equal('403');
    expect(refused.at(-1)).to.deep.equal({ host: 'loopback.example', port });
  });
});

type Found = (error: Error | null, addresses?: unknown, family?: number) => void;

function fakeLookup(name: string, options: { readonly all?: boolean } | Found, callback?: Found): void {
  const done = typeof options === 'function' ? options : callback;
  const addresses = (records[name] ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  const [first] = addresses;
  if (first === undefined) done?.(new Error(`ENOTFOUND ${name}`));
  else if (typeof options !== 'function' && options.all) done?.(null, addresses);
  else done?.(null, first.address, first.family);
}
