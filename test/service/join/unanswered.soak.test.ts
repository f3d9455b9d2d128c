import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { clientOf } from '#cli/client/client.ts';
import { startService, type WholeService } from '#test/cli/whole-service.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { joinBy, machineIn, tryToJoin } from './machine.ts';

/** A gateway whose registry certifies the keys of a machine, but answers too late. */
function slowGateway(url: string) {
  const headers = { 'content-type': 'application/json' };
  const seen: string[] = [];
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    seen.push(path);
    const answer = await fetch(new URL(path, url), { method: 'POST', headers, body: await text(request) });
    const isLate = path === '/join';
    response.writeHead(isLate ? 504 : answer.status, headers);
    response.end(isLate ? JSON.stringify({ code: 'deadline_exceeded', message: 'too late' }) : await answer.text());
  });
  return { server: server.listen(0, '127.0.0.1'), seen };
}

describe('an exchange whose answer is lost', () => {
  let place: TemporaryFolder;
  const running: WholeService[] = [];
  after(async () => {
    for (const one of running.toReversed()) await one.stop();
    place.remove();
  });

  it('leaves the keys on the machine, so that the same line joins later', async () => {
    place = temporaryFolder('unanswered');
    const central = await startService(join(place.path, 'central'));
    running.push(central);
    const token = readFileSync(join(place.path, 'central/operator.token'), 'utf8').trim();
    const client = clientOf({ baseUrl: central.url, token });
    const { command: line = '' } = await client.call('host.v1.HostService/InviteHost', { name: 'unanswered' });
    const { server, seen } = slowGateway(central.url);
    await moment('the slow gateway to listen', () => server.listening);
    const port = String((server.address() as AddressInfo).port);
    const machine = machineIn(place.path, 'unanswered');
    const { code, err } = await tryToJoin(line.replace(/:\d+#/, `:${port}#`), machine);
    server.close();
    expect({ code, seen }, err).to.deep.equal({ code: 10, seen: ['/join/invitation', '/join'] });
    running.push(await joinBy(line, machine));
    const { hosts = [] } = await client.call('host.v1.HostService/ListHosts', {});
    expect(hosts.find(({ name }) => name === 'unanswered')?.state).to.equal('HOST_STATE_ONLINE');
  });
});
