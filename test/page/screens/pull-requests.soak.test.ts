import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { githubDouble } from '#test/forge/doubles/github.ts';
import { type DoubleServer, serveDouble } from '#test/forge/doubles/server.ts';
import { ForgeWorld, pull } from '#test/forge/doubles/world.ts';
import { inSoak } from '#test/support/soak.ts';
import { colorSchemes, faultsFoundByAxe } from '../axe.ts';
import { type Stage, setStage } from '../stage.ts';

describe('forges and pull requests on the page', () => {
  const world = new ForgeWorld();
  let forge: DoubleServer;
  let stage: Stage;
  let page: Page;
  before(async () => {
    const passed = [{ name: 'test', state: 'passed' }] as const;
    const failed = [{ name: 'test', state: 'failed' }] as const;
    const approved = [{ user: 'ada', verdict: 'approved' }] as const;
    const pulls = [
      pull(1, { title: 'Make retries idempotent', checks: passed, reviews: approved }),
      pull(2, { title: 'Round prices', checks: failed }),
      pull(3, { title: 'Move <b>templates</b>', merges: 'conflict' }),
    ];
    world.repository('acme/app', { pulls });
    forge = await serveDouble(githubDouble(world));
    stage = await setStage();
    page = await stage.open('/pull-requests');
  });
  after(async () => {
    await stage.stop();
    await forge.close();
  });
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const row = (title: string) =>
    page.getByRole('list', { name: 'Pull requests' }).getByRole('listitem').filter({ hasText: title });
  const dialog = () => page.getByRole('dialog', { name: 'Connect a forge' });
  const axe = async (what: string) => {
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      expect(await faultsFoundByAxe(page), `${what}, ${colorScheme}`).to.deep.equal([]);
    }
  };

  it('connect a forge by keyboard, show a refusal at its field, and never show the credential', async () => {
    await page.getByRole('heading', { name: 'No pull requests yet' }).waitFor();
    await page.getByRole('link', { name: 'Connected forges' }).click();
    await page.getByRole('heading', { name: 'No forge is connected' }).waitFor();
    await page.keyboard.press('n');
    await dialog().getByLabel('Host').and(page.locator(':focus')).waitFor();
    await page.keyboard.type('forge test');
    await dialog().getByLabel('Kind').selectOption({ label: 'GitHub' });
    await dialog().getByLabel('Address').fill(forge.address);
    await dialog().getByLabel('Token').fill(world.token);
    expect(await dialog().getByLabel('Token').getAttribute('type')).to.equal('password');
    await page.keyboard.press('Enter');
    await dialog().getByRole('alert').getByText('is not the host of a git remote').waitFor();
    expect(await dialog().getByLabel('Host').getAttribute('aria-invalid')).to.equal('true');
    await axe('the form');
    await dialog().getByLabel('Host').fill('forge.test');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'forge.test' }).waitFor();
    await page.getByText('kept, encrypted').waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'forge.test' }).waitFor();
    expect(await page.content()).not.to.include(world.token);
  });

  it('accept each source of a credential', async () => {
    for (const [host, source, label, given, told] of [
      ['env.test', 'From an environment variable', 'Variable', 'MUSTER_NONE', 'taken from the variable MUSTER_NONE'],
      ['file.test', 'From a file', 'File', '/nowhere/token', 'read from /nowhere/token'],
      ['run.test', 'From a program', 'Command', 'printf none', 'printed by printf none'],
    ] as const) {
      await page.getByRole('button', { name: 'Connect a forge' }).click();
      await dialog().getByLabel('Host').fill(host);
      await dialog().getByLabel('Where its credential comes from').selectOption({ label: source });
      await dialog().getByLabel(label, { exact: true }).fill(given);
      await dialog().getByRole('button', { name: 'Connect' }).click();
      await dialog().waitFor({ state: 'detached' });
      await page.getByRole('listitem').filter({ hasText: host }).getByText(told).waitFor();
    }
  });

  it('check one, report another’s fault, and remove that after a question', async () => {
    await page.getByRole('button', { name: 'Check forge.test' }).click();
    await page.getByText('Account:').getByText(world.login).waitFor();
    await page.getByRole('button', { name: 'Check env.test' }).click();
    await page.getByRole('alert').getByText('MUSTER_NONE').waitFor();
    await axe('connections');
    await page.getByRole('button', { name: 'Disconnect env.test' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
    await page.getByRole('heading', { name: 'env.test' }).waitFor({ state: 'detached' });
  });

  inSoak('query a forge about any repository, or explain why not', async () => {
    const ask = page.getByRole('region', { name: 'Pull requests of any repository' });
    const found = ask.getByRole('list', { name: 'The forge’s answer' }).getByRole('listitem');
    await ask.getByLabel('Repository').fill('https://forge.test/acme/other');
    await page.keyboard.press('Enter');
    await ask.getByRole('alert').getByText('forge.test has no such repository').waitFor();
    await ask.getByLabel('Repository').fill('git@forge.test:acme/app.git');
    await ask.getByRole('button', { name: 'Ask the forge' }).click();
    await found.filter({ hasText: 'Move <b>templates</b>' }).getByText('open', { exact: true }).waitFor();
    expect(await found.count()).to.equal(3);
    await axe('a forge’s answer');
    await ask.getByLabel('Branch').fill('no-such-branch');
    await page.keyboard.press('Enter');
    await ask.getByText('No pull requests from no-such-branch').waitFor();
    expect(await ask.getByRole('alert').count()).to.equal(0);
  });

  it('explain why there are none yet, once a forge is connected', async () => {
    await page.getByRole('link', { name: 'Pull requests' }).first().click();
    await page.getByRole('heading', { name: 'No pull requests yet' }).waitFor();
    await page.getByText('if you must confirm its repository').waitFor();
    expect(await page.getByText('Once you connect a forge').count()).to.equal(0);
    await page.getByRole('button', { name: 'failing' }).click();
    await page.getByText('No matches.').waitFor();
    await page.getByRole('button', { name: 'all' }).click();
  });

  it('show pull requests with their state and its reason, with safe links', async () => {
    await stage.call('forge.v1.ForgeService/SweepRepository', { remoteUrl: 'https://forge.test/acme/app' });
    await page.getByRole('link', { name: 'Pull requests' }).first().click();
    await row('Make retries').getByText('approved', { exact: true }).waitFor();
    await row('Make retries').getByText('checks pass').waitFor();
    await row('Round prices').getByText('failing').waitFor();
    await row('Round prices').getByText('checks fail').waitFor();
    await row('Move <b>templates</b>').getByText('conflicting').waitFor();
    await row('Move <b>templates</b>').getByText('conflicts with its base').waitFor();
    const links = await page.locator('main a[target="_blank"]').all();
    expect(links).to.have.length(4);
    for (const link of links) expect(await link.getAttribute('rel')).to.include('noopener');
    expect(await row('Round prices').getByRole('link').getAttribute('href')).to.equal(
      'https://forge.test/acme/app/pull/2',
    );
    await axe('pull requests');
    await page.getByRole('button', { name: 'failing' }).click();
    await row('Make retries').waitFor({ state: 'detached' });
    await row('Round prices').waitFor();
    await page.getByRole('button', { name: 'all' }).click();
  });

  it('sweep a repository on request, and show the changes', async () => {
    const app = world.repositories[0];
    if (app !== undefined) {
      const updatedAt = new Date().toISOString();
      app.pulls = app.pulls.map((one) =>
        one.number === 2 ? { ...one, checks: [{ name: 'test', state: 'passed' }], updatedAt } : one,
      );
    }
    await page.getByRole('button', { name: 'Read now: forge.test/acme/app' }).click();
    await page.getByText('forge.test/acme/app is').waitFor();
    await row('Round prices').getByText('checks pass').waitFor({ timeout: 20_000 });
  });

  inSoak('are readable on a phone', async () => {
    const phone = await stage.open('/pull-requests', {
      viewport: { width: 390, height: 780 },
      hasTouch: true,
      isMobile: true,
    });
    await phone.getByText('Round prices').waitFor();
    expect(await faultsFoundByAxe(phone)).to.deep.equal([]);
    expect(await phone.evaluate<number>('document.documentElement.scrollWidth')).to.equal(390);
    await phone.context().close();
  });
});
