import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import type { BrowserContext, Page } from 'playwright-core';
import { call, listAgents } from '#test/gateway/http-call.ts';
import { type Stage, setStage } from '#test/page/stage.ts';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';

/** What an agent serves on another port of the same machine, and every header that browsers sent to it. */
interface DevServer {
  readonly port: number;
  readonly seen: IncomingHttpHeaders[];
  /** The cookies that it sets, for whatever asks. */
  cookies: readonly string[];
  close(): Promise<void>;
}

async function devServer(): Promise<DevServer> {
  const seen: IncomingHttpHeaders[] = [];
  const dev = { cookies: [] as readonly string[] };
  const server: Server = createServer((request, response) => {
    seen.push(request.headers);
    response.writeHead(200, {
      'content-type': 'text/html',
      'access-control-allow-origin': request.headers.origin ?? '*',
      'access-control-allow-credentials': 'true',
      'access-control-allow-headers': 'authorization, dpop, content-type',
      'set-cookie': [...dev.cookies],
    });
    response.end('<title>dev</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return Object.assign(dev, {
    port,
    seen,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  });
}

describe('a browser’s session', () => {
  let stage: Stage;
  let dev: DevServer;
  let page: Page;
  let context: BrowserContext;
  /** The headers of the calls that the page made, in the clear. */
  const sent: Record<string, string>[] = [];
  let origin: string;
  before(async () => {
    stage = await setStage();
    dev = await devServer();
    const { port } = new URL(stage.pieces.url);
    origin = `http://muster.localhost:${port}`;
    page = await stage.open();
    context = page.context();
    page.on('request', (request) => {
      if (request.url().includes('/agent.v1.')) void request.allHeaders().then((headers) => sent.push(headers));
    });
    await page.reload();
    await live(page).waitFor();
    await moment('the headers', () => sent.length > 0);
  });
  after(async () => {
    await dev.close();
    await stage.stop();
  });

  const live = (of: Page) => of.getByText('live', { exact: true });
  const out = (of: Page) => of.getByText('This browser is not signed in');
  const port = () => Number(new URL(origin).port);
  const secrets = () => sent.flatMap(({ authorization = '', dpop = '' }) => [authorization.slice(5), dpop]);

  it('uses its own host name, to which every other name redirects', async () => {
    expect(new URL(page.url()).origin).to.equal(origin);
    for (const name of ['127.0.0.1', 'localhost']) {
      await page.goto(`http://${name}:${port()}/mail`);
      await live(page).waitFor();
      expect(page.url()).to.equal(`${origin}/mail`);
    }
  });

  it('is in no cookie, and in no storage that a script can read and use elsewhere', async () => {
    expect(await context.cookies()).to.deep.equal([]);
    expect(secrets().every((one) => one.length > 40)).to.equal(true);
    const found = await page.evaluate(`new Promise((resolve) => {
      const asked = indexedDB.open('muster');
      asked.onsuccess = () => {
        const read = asked.result.transaction('session').objectStore('session').get('session');
        read.onsuccess = async () => {
          const { keys } = read.result;
          const exported = await crypto.subtle.exportKey('jwk', keys.privateKey).catch((error) => error.name);
          resolve([keys.privateKey.extractable, exported, document.cookie, localStorage.length + sessionStorage.length >= 0]);
        };
      };
    })`);
    expect(found).to.deep.equal([false, 'InvalidAccessError', '', true]);
  });

  it('is sent to no server of another port, by any name', async () => {
    dev.seen.length = 0;
    const other = await context.newPage();
    for (const name of ['127.0.0.1', 'localhost', 'muster.localhost', 'dev.muster.localhost']) {
      const at = `http://${name}:${dev.port}/`;
      await other.goto(at);
      // As far as a page of theirs can reach: our own page does not call out at all.
      await other.evaluate(`Promise.all([
        fetch('${at}x', { credentials: 'include' }),
        fetch('http://muster.localhost:${dev.port}/y', { credentials: 'include', mode: 'no-cors' }),
        new Promise((resolve) => Object.assign(new Image(), { src: '${at}z', onload: resolve, onerror: resolve })),
      ])`);
    }
    await other.close();
    expect(dev.seen.length).to.be.at.least(12);
    const text = JSON.stringify(dev.seen);
    expect(
      dev.seen.flatMap(({ authorization, dpop, cookie }) => [authorization, dpop, cookie]).filter(Boolean),
    ).to.deep.equal([]);
    for (const secret of secrets()) expect(text).not.to.include(secret);
    const refused = await page.evaluate(`fetch('http://muster.localhost:${dev.port}/').catch((error) => error.name)`);
    expect(refused, 'our page calls nobody else').to.equal('TypeError');
  });

  it('is useless to a page of another port, which has neither key, token nor answer', async () => {
    for (const name of ['127.0.0.1', 'localhost', 'muster.localhost']) {
      const other = await context.newPage();
      await other.goto(`http://${name}:${dev.port}/`);
      const got = await other.evaluate(`(async () => {
        const databases = await indexedDB.databases();
        const ask = (mode) => fetch('${origin}${listAgents}', {
          method: 'POST', mode, credentials: 'include', body: '{}',
          headers: mode === 'cors' ? { 'content-type': 'application/json' } : {},
        }).then((answer) => answer.type, (error) => error.name);
        const opened = window.open('${origin}/');
        const reached = () => { try { return opened === null || opened.closed || typeof opened.document; } catch (error) { return error.name; } };
        // Until it has gone where it was sent, it is a blank page of its opener's.
        while (reached() === 'object') await new Promise((resolve) => setTimeout(resolve, 10));
        const reach = reached();
        return [databases.map(({ name }) => name), await ask('cors'), await ask('no-cors'), localStorage.length, reach];
      })()`);
      expect((got as unknown[]).slice(0, 4), name).to.deep.equal([[], 'TypeError', 'TypeError', 0]);
      expect((got as unknown[])[4], name).to.be.oneOf([true, 'SecurityError']);
      await other.close();
    }
  });

  it('cannot be replayed: neither a whole request, nor its parts as a bearer token or a cookie', async () => {
    for (const headers of sent) {
      const { authorization = '', dpop = '', ...rest } = headers;
      const token = authorization.slice(5);
      const page = { host: new URL(origin).host, origin, 'sec-fetch-site': 'same-origin' };
      const tries: Readonly<Record<string, Record<string, string | null>>> = {
        'as it was sent': { ...page, authorization, dpop },
        'with every header': {
          ...rest,
          ...page,
          authorization,
          dpop,
          'content-type': 'application/json',
          'content-length': null,
        },
        'as a bearer token': { authorization: `Bearer ${token}` },
        'as a bearer token with the proof': { ...page, authorization: `Bearer ${token}`, dpop },
        'as a cookie': { ...page, authorization: null, cookie: `muster_${port()}=${token}` },
        'without the proof': { ...page, authorization },
      };
      for (const [what, given] of Object.entries(tries)) {
        const sentAnew = Object.fromEntries(Object.entries(given).filter(([name]) => !name.startsWith(':')));
        const { status } = await call({ port: port() }, listAgents, { headers: sentAnew });
        expect(status, what).to.equal(401);
      }
    }
  });

  it('ignores cookies that another port sets, and accepts none', async () => {
    const [first] = sent;
    const token = first?.['authorization']?.slice(5) ?? '';
    dev.cookies = ['muster.localhost', '127.0.0.1', 'localhost'].flatMap((domain) => [
      `muster_${port()}=${token}; Path=/; Domain=${domain}`,
      `__Host-muster_${port()}=${token}; Path=/; Secure`,
      `session=${token}; Path=/`,
    ]);
    const notNats = await stage.browser.newContext();
    for (const where of [context, notNats]) {
      const other = await where.newPage();
      for (const name of ['127.0.0.1', 'localhost', 'muster.localhost'])
        await other.goto(`http://${name}:${dev.port}/`);
      await other.goto(origin);
      await (where === notNats ? out(other) : live(other)).waitFor();
      await other.close();
    }
    dev.cookies = [];
    await notNats.close();
    await context.clearCookies();
  });

  it('is shared by the tabs of one browser, and ends in all of them on sign-out', async () => {
    const tabs = [page, await context.newPage()] as const;
    await tabs[1].goto(`${origin}/hosts`);
    for (const tab of tabs) await live(tab).waitFor();
    await tabs[1].getByRole('button', { name: 'Settings' }).click();
    await tabs[1].getByRole('button', { name: 'Sign out of this browser' }).click();
    await out(tabs[1]).waitFor();
    await page.reload();
    await out(page).waitFor();
    const left = await page.evaluate(`new Promise((resolve) => {
      const asked = indexedDB.open('muster');
      asked.onsuccess = () => {
        const read = asked.result.transaction('session').objectStore('session').count();
        read.onsuccess = () => resolve(read.result);
      };
    })`);
    expect(left, 'the key is gone').to.equal(0);
  });

  inSoak('of an earlier release is reported as ended', async () => {
    const earlier = await stage.browser.newContext();
    await earlier.addCookies([
      { name: `muster_${port()}`, value: `mss_${'A'.repeat(43)}`, url: `http://127.0.0.1:${port()}`, httpOnly: true },
    ]);
    const tab = await earlier.newPage();
    await tab.goto(`http://127.0.0.1:${port()}/mail`);
    await tab.getByRole('alert').getByText('muster was updated').waitFor();
    expect([tab.url(), await earlier.cookies()]).to.deep.equal([`${origin}/mail`, []]);
    await tab.goto(await stage.signInAddress());
    await live(tab).waitFor();
    await earlier.close();
  });
});
