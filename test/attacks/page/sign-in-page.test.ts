import { once } from 'node:events';
import { chmodSync, existsSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'chai';
import { closeContexts, sharedBrowser } from '#test/page/browser.ts';
import { failureOf } from '#test/support/failure.ts';
import { moment } from '#test/support/moment.ts';
import { type TemporaryFolder, temporaryFolder } from '#test/support/temporary-folder.ts';
import { argumentsOf, environmentOf, listProcesses } from '#world/process/process-tree.ts';
import { sweepSignInPages, writeSignInPage } from '#world/program/sign-in-page.ts';

const secret = 'a-code-that-is-good-once';

describe('the code that signs a browser in', () => {
  let home: TemporaryFolder;
  const run = () => join(home.path, 'run');
  beforeEach(() => {
    home = temporaryFolder('sign-in-page');
  });
  afterEach(() => home.remove());

  it('is in a file that only the person may read, in no process, and gone after its time', async () => {
    const page = writeSignInPage(run(), `http://127.0.0.1:1/#code=${secret}`, 300);
    expect(page).not.to.include(secret);
    const path = fileURLToPath(page);
    const modes = [run(), path].map((one) => statSync(one).mode & 0o777);
    expect(modes).to.deep.equal([0o700, 0o600]);
    expect(readFileSync(path, 'utf8')).to.include(secret);
    for (const { pid } of await listProcesses()) {
      const known = [...argumentsOf(pid), ...environmentOf(pid)].join('\n');
      expect(known, `process ${pid}`).not.to.include(secret);
    }
    await moment('the page to be removed', () => !existsSync(path));
  });

  it('is removed by the next sweep, which removes nothing else', () => {
    const [old, fresh] = [1, 2].map(() => fileURLToPath(writeSignInPage(run(), 'http://127.0.0.1:1/', 2_000)));
    writeFileSync(join(run(), 'open-mine.html'), '');
    for (const path of [old ?? '', join(run(), 'open-mine.html')]) utimesSync(path, 1, 1);
    sweepSignInPages(run(), 2_000);
    expect(readdirSync(run()).map((name) => join(run(), name))).to.have.members([fresh, join(run(), 'open-mine.html')]);
  });

  it('is never written where others may write', async () => {
    const shared = join(home.path, 'shared');
    writeSignInPage(shared, 'http://127.0.0.1:1/', 100);
    chmodSync(home.path, 0o777);
    const { code } = await failureOf(() => writeSignInPage(shared, `http://127.0.0.1:1/#code=${secret}`, 100));
    chmodSync(home.path, 0o700);
    expect(code).to.equal('failed_precondition');
    expect(readdirSync(shared).some((name) => readFileSync(join(shared, name), 'utf8').includes(secret))).to.equal(
      false,
    );
  });

  it('reaches the page behind the #, and in no header', async () => {
    const heard: string[] = [];
    const server = createServer((request, response) => {
      heard.push(JSON.stringify([request.url, request.rawHeaders]));
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>there</title>');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const browser = await sharedBrowser();
    try {
      const { port } = server.address() as AddressInfo;
      const address = `http://muster.localhost:${port}/#code=${secret}`;
      const page = await browser.newPage();
      await page.goto(writeSignInPage(run(), address, 2_000));
      await page.waitForURL(address);
      expect(await page.title()).to.equal('there');
      expect(await page.evaluate('document.referrer')).to.equal('');
      expect(heard).not.to.have.length(0);
      expect(heard.join('\n')).not.to.include(secret);
      expect(heard[0]).not.to.match(/referer/i);
    } finally {
      await closeContexts(browser);
      server.close();
    }
  });
});
