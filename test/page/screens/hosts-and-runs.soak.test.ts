import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { version } from '#gateway/http/version.ts';
import { HostState } from '#page/client/host/v1/host_pb.js';
import { openLocal } from '#service/local.ts';
import { colorSchemes, faultsFoundByAxe } from '../axe.ts';
import { showHost } from '../shown-host.ts';
import { type Stage, setStage } from '../stage.ts';

describe('hosts and runs on the page', () => {
  let stage: Stage;
  let page: Page;
  let goOn = '';
  const ids = { steady: '', broken: '' };
  before(async () => {
    stage = await setStage();
    goOn = join(stage.pieces.home, 'go-on');
    const setup = [
      `printf '\\033[32mready\\033[0m for <b>the rest</b>\\n'`,
      `case "$PWD" in *broken*) echo "no such package" >&2; exit 3;; esac`,
      `until test -e '${goOn}'; do sleep 0.1; done`,
      'echo "the rest came"',
    ].join('\n');
    const request = { name: 'scripts', cwd: stage.pieces.repository, harness: 'scripted', provisionEnabled: true };
    const { workflow } = await stage.call<{ workflow: { id: string } }>('workflow.v1.WorkflowService/CreateWorkflow', {
      ...request,
      scripts: { setup },
    });
    ids.steady = await stage.launch('steady', 'rest', { workflowId: workflow.id });
    ids.broken = await stage.launch('broken', 'rest', { workflowId: workflow.id });
    await stage.until(ids.broken, 'FAILED_TO_CREATE');
    page = await stage.open('/runs');
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const run = (agent: string) =>
    page.getByRole('list', { name: 'Runs' }).getByRole('listitem').filter({ hasText: agent });
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const axe = async (what: string) => {
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      expect(await faultsFoundByAxe(page), `${what}, ${colorScheme}`).to.deep.equal([]);
    }
  };

  it('list script runs with their states, and show one’s output as it is written', async () => {
    await run('broken').getByText('failed', { exact: true }).waitFor();
    await run('broken').getByText('ended with 3').waitFor();
    await run('steady').getByText('running').waitFor();
    await run('steady')
      .getByRole('link', { name: /^setup/ })
      .click();
    const output = page.getByRole('log', { name: 'Output' });
    expect(await output.textContent()).to.equal('ready for <b>the rest</b>\n');
    writeFileSync(goOn, '');
    await output.getByText('the rest came').waitFor();
    await page.getByRole('complementary').getByText('succeeded').waitFor();
    await run('steady').getByText('succeeded').waitFor();
  });

  it('show failed runs by key, and acknowledge one', async () => {
    await press('f');
    await run('steady').waitFor({ state: 'detached' });
    await press('Escape');
    await page.getByRole('complementary').waitFor({ state: 'detached' });
    await press('j');
    await page.getByRole('log').getByText('no such package').waitFor();
    await axe('a failed run');
    await press('a');
    await page.getByRole('complementary').getByText('failed, seen').waitFor();
    await page.getByText('No unacknowledged failures.').waitFor();
    const { runs } = await stage.call<{ runs: { acknowledgedAt?: string }[] }>('host.v1.HostService/ListRunLogs', {
      agentId: ids.broken,
    });
    expect(runs[0]?.acknowledgedAt).to.match(/^20/);
    await press('f');
    await run('broken').getByText('failed, seen').waitFor();
  });

  it('list hosts with their agents, cordon one by key, and uncordon it by mouse', async () => {
    await stage.until(ids.steady, 'IDLE');
    await page.getByRole('link', { name: 'Hosts', exact: true }).click();
    const host = page.getByRole('list', { name: 'Hosts' }).getByRole('listitem');
    await host.getByText('online').waitFor();
    await host.getByText('1 launch failed, 1 idle', { exact: true }).waitFor();
    await press('j');
    const carried = page.getByRole('list', { name: /^Agents on/ }).getByRole('listitem');
    await carried.first().waitFor();
    expect(await carried.getByRole('link').allInnerTexts()).to.deep.equal(['broken', 'steady']);
    await press('c');
    // None of its agents is at work, so it is drained at once.
    await host.getByText('drained').waitFor();
    await axe('a host that is drained');
    const hosts = () => stage.call<{ hosts: { draining?: boolean }[] }>('host.v1.HostService/ListHosts', {});
    expect((await hosts()).hosts[0]?.draining).to.equal(true);
    await page.getByRole('button', { name: 'Uncordon' }).click();
    await host.getByText('drained').waitFor({ state: 'detached' });
    expect((await hosts()).hosts[0]?.draining ?? false).to.equal(false);
  });

  it('show the launches of harness files, and confirm one', async () => {
    const local = await openLocal(stage.pieces.home);
    await local.addHarness({ name: 'second', command: process.execPath, like: undefined });
    await page.goto(`${stage.pageUrl}/hosts`);
    await page.getByRole('list', { name: 'Hosts' }).getByRole('link').first().click();
    const rules = page.getByRole('region', { name: 'Harness rules' });
    await rules.getByText('scripted confirmed').waitFor();
    await rules.getByText('second not confirmed').click();
    await rules.getByText(process.execPath).last().waitFor();
    await rules.getByRole('button', { name: 'Confirm second' }).click();
    await rules.getByText('second confirmed').waitFor();
  });

  it('show a host’s load, in meters and in words', async () => {
    const host = page.getByRole('list', { name: 'Hosts' }).getByRole('listitem');
    for (const name of ['Load', 'Memory', 'Disk']) {
      const meter = host.getByRole('meter', { name });
      expect(Number(await meter.getAttribute('aria-valuenow')), name).to.be.within(0, 100);
      expect(await meter.getAttribute('aria-valuetext'), name).to.match(/^\d+%, .*\d/);
    }
    const panel = page.getByRole('complementary');
    await panel.getByText(/^\d+%.*: [\d.]+ on \d+ CPUs in the last minute$/).waitFor();
    await panel.getByText(/^\d+%.*: .* of .* GiB, .* left$/).waitFor();
    await panel.getByText(/^\d+%.*: .* of .*, .* free$/).waitFor();
    await panel.getByText(`${process.platform} ${process.arch}`).waitFor();
    await panel.getByText(version, { exact: true }).waitFor();
    await panel.getByText('Up since').waitFor();
  });

  it('show scarce resources automatically, and a lost host’s last report', async () => {
    const host = page.getByRole('list', { name: 'Hosts' }).getByRole('listitem');
    const gibibyte = 2n ** 30n;
    const memory = { memoryUsedBytes: 15n * gibibyte, memoryTotalBytes: 16n * gibibyte };
    await showHost(page, { load: { ...memory, loadAverage1m: 7, cpuCount: 2, diskTotalBytes: 0n } });
    const told = (name: string, text: string) =>
      host.locator(`[aria-label="${name}"][aria-valuetext="${text}"]`).waitFor();
    await told('Memory', '94%, scarce: 15.0 of 16.0 GiB');
    await told('Load', '350%, busy: 7.00 on 2 CPUs');
    expect(await host.getByRole('meter', { name: 'Load' }).getAttribute('aria-valuenow')).to.equal('100');
    expect(await host.getByRole('meter', { name: 'Disk' }).count()).to.equal(0);
    await host.getByText('unknown').waitFor();
    await axe('a host with little memory left');
    const seenAt = new Date(Date.now() - 7.5 * 60_000).toISOString();
    await showHost(page, { state: HostState.LOST, seenAt, load: { ...memory, measuredAt: seenAt } });
    await host.getByText('lost', { exact: true }).waitFor();
    await host.getByText('Load as it was 7m ago').waitFor();
    await told('Memory', '94%, scarce: 15.0 of 16.0 GiB');
    await axe('a lost host');
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('save a person’s notifications, and test them', async () => {
    await page.getByRole('button', { name: 'Settings', exact: true }).click();
    await page.getByRole('button', { name: 'Notifications elsewhere' }).click();
    const dialog = page.getByRole('dialog', { name: 'Notifications elsewhere' });
    await dialog.getByLabel('Webhook').fill('ftp://nowhere');
    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await dialog.getByRole('alert').getByText('webhook').waitFor();
    await dialog.getByLabel('Webhook').fill('');
    await dialog.getByLabel('Command').fill('exit 4');
    await dialog.getByLabel('fails', { exact: true }).uncheck();
    await dialog.getByRole('button', { name: 'Save and test' }).click();
    await dialog.getByRole('alert').getByText('The command:').waitFor();
    await axe('telling elsewhere');
    await press('Escape');
    const { notify } = await stage.call<{ notify: object }>('fact.v1.FactService/GetNotify', {});
    const ofInstallation = ['NOTICE_KIND_HOST_LOST', 'NOTICE_KIND_HOST_BACK', 'NOTICE_KIND_BACKUP_FAILED'];
    const on = ['NOTICE_KIND_WAITING', 'NOTICE_KIND_FINISHED', ...ofInstallation];
    expect(notify).to.deep.equal({ command: 'exit 4', on });
  });

  it('are readable on a phone, and list every key', async () => {
    await press('?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    await keys.getByRole('region', { name: 'Runs' }).getByText('acknowledge the failure').waitFor();
    expect(await faultsFoundByAxe(page), 'keys').to.deep.equal([]);
    await press('Escape');
    const phone = await stage.open('/runs', { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
    await phone
      .getByRole('link', { name: /^setup/ })
      .first()
      .tap();
    await phone.getByRole('log').waitFor();
    expect(await faultsFoundByAxe(phone), 'run').to.deep.equal([]);
    await phone.goto(`${stage.pageUrl}/hosts`);
    await phone.getByText('online').waitFor();
    await phone.getByRole('meter', { name: 'Memory' }).waitFor();
    expect(await faultsFoundByAxe(phone), 'hosts').to.deep.equal([]);
    expect(await phone.evaluate<number>('document.documentElement.scrollWidth')).to.equal(390);
    await phone.context().close();
  });
});
