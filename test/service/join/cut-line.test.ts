import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { JoinPreview, joinPaths } from '#contract/wire/host-joining.ts';
import { entranceAt } from '#service/join/entrance-client.ts';
import { ensureCertificates } from '#service/network/certificate-files.ts';
import { failureOf } from '#test/support/failure.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';

describe('a join line that was cut before its fingerprint', () => {
  let place: TemporaryFolder;
  let gateway: Server;
  before(async () => {
    place = temporaryFolder('cut-line');
    const { certFile, keyFile } = await ensureCertificates(place.path, ['127.0.0.1'], Date.now());
    gateway = createServer({ cert: readFileSync(certFile), key: readFileSync(keyFile) });
    const { promise, resolve } = Promise.withResolvers<void>();
    gateway.listen(0, '127.0.0.1', resolve);
    await promise;
  });
  after(() => {
    gateway.close();
    place.remove();
  });

  it('is refused with the advice to copy all of it, and nothing is sent', async () => {
    let requests = 0;
    gateway.on('request', () => requests++);
    const url = `https://127.0.0.1:${(gateway.address() as AddressInfo).port}`;
    const entrance = await entranceAt({ url, token: `JOIN-${'x'.repeat(43)}`, fingerprint: undefined });
    const { reason, message } = await failureOf(() => entrance.ask(joinPaths.preview, {}, JoinPreview));
    expect(reason).to.equal('JOIN_LINE_INVALID');
    expect(message).to.contain('copy the whole line');
    expect(requests).to.equal(0);
  });
});
