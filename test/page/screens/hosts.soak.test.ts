import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { HostState } from '#page/client/host/v1/host_pb.js';
import { faultsFoundByAxe } from '../axe.ts';
import { showHost } from '../shown-host.ts';
import { type Stage, setStage } from '../stage.ts';

describe('hosts and invitations on the page', () => {
  let stage: Stage;
  let page: Page;
  before(async () => {
    stage = await setStage();
    page = await stage.open('/hosts');
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const shoot = async (name: string, of = page) => {
    const folder = process.env['MUSTER_TEST_SHOTS'];
    if (folder !== undefined) writeFileSync(`${folder}/${name}.png`, await of.screenshot());
  };

  it('create an invitation, show its state, and withdraw it', async () => {
    await page.getByRole('button', { name: 'Invite a machine' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite a machine' });
    await dialog.getByLabel('Name').fill('build-2');
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click();
    await dialog.getByText(/^muster join https?:\/\/\S+#JOIN-/).waitFor();
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
    await dialog.getByRole('button', { name: 'Close' }).click();
    const invitation = page.getByRole('region', { name: 'Invitations' }).getByRole('listitem');
    await invitation.getByText('open').waitFor();
    expect(await invitation.innerText())
      .to.include('build-2')
      .and.not.to.include('JOIN-');
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
    await invitation.getByRole('button', { name: 'Withdraw build-2' }).click();
    await invitation.getByText('withdrawn', { exact: true }).waitFor();
    expect(await invitation.getByRole('button').count()).to.equal(0);
  });

  it('show a host’s details and limits, its state and since when, and its faults with remedies', async () => {
    const ago = new Date(Date.now() - 3 * 60_000).toISOString();
    const faults = ['clock compared with the registry’s: it is 3600.0 s behind; synchronize both clocks with NTP'];
    const more = { labels: ['gpu=no', 'zone=home'], maxAgents: 8, maxLaunches: 16, launches: 2, stateSince: ago };
    await showHost(page, { ...more, clockOffsetMs: -3_600_000n, protocol: 1, musterVersion: '0.1.0', faults });
    const host = page.getByRole('list', { name: 'Hosts' }).getByRole('listitem');
    await host.getByText('1 fault').waitFor();
    await host.getByText('for 3m').waitFor();
    await host.getByRole('link').click();
    const panel = page.getByRole('complementary');
    await panel.getByText(/3600.0 s behind; synchronize both clocks/).waitFor();
    for (const [name, value] of [
      [
        'Room',
        /^\d+ of 8 agents; 2 of 16 launches in progress, at most \d+ with a setup script; launches wait below .+ of free disk$/,
      ],
      ['Labels', 'gpu=no zone=home'],
      ['Clock', '-3600 s'],
      ['Protocol', '1'],
      ['muster', '0.1.0'],
    ] as const) {
      const fact = panel.locator('dt', { hasText: new RegExp(`^${name}$`) }).locator('xpath=following-sibling::dd[1]');
      expect(await fact.innerText(), name).to.match(
        typeof value === 'string' ? new RegExp(`^${value.replace('+', '.')}$`) : value,
      );
    }
    expect(await faultsFoundByAxe(page)).to.deep.equal([]);
    await shoot('hosts-fault');
    await showHost(page, {
      ...more,
      state: HostState.SILENT,
      seenAt: ago,
      faults: [`online: it is silent, last seen ${ago}; start it`],
    });
    await host.getByText('silent', { exact: true }).waitFor();
    await panel.getByText(/^Online: it is silent, last seen/).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('are readable on a phone', async () => {
    const phone = await stage.open('/hosts', { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
    await phone.getByText('online').waitFor();
    expect(await phone.evaluate<number>('document.documentElement.scrollWidth')).to.equal(390);
    expect(await faultsFoundByAxe(phone)).to.deep.equal([]);
    await shoot('hosts-phone', phone);
    await phone.context().close();
  });
});
