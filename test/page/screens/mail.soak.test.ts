import { expect } from 'chai';
import type { Page } from 'playwright-core';
import { moment } from '#test/support/moment.ts';
import { asAgent } from '../as-agent.ts';
import { colorSchemes, faultsFoundByAxe } from '../axe.ts';
import { type Stage, setStage } from '../stage.ts';

interface Sent {
  readonly mail: { readonly id: string };
}

describe('mail on the page', () => {
  let stage: Stage;
  let page: Page;
  const ids = { ada: '', bob: '' };
  before(async () => {
    stage = await setStage();
    [ids.ada, ids.bob] = await Promise.all([stage.launch('ada', 'rest'), stage.launch('bob', 'rest')]);
    await Promise.all([stage.until(ids.ada, 'IDLE'), stage.until(ids.bob, 'IDLE')]);
    page = await stage.open('/mail');
  });
  after(() => stage.stop());
  afterEach(() => expect(stage.faults).to.deep.equal([]));

  const as = <T>(agentId: string, method: string, request: object) => asAgent<T>(stage, agentId, method, request);
  const thread = (subject: string) =>
    page.getByRole('list', { name: 'Threads' }).getByRole('listitem').filter({ hasText: subject });
  const letters = () => page.getByRole('complementary').getByRole('listitem');
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };

  it('shows an empty list, and sends one by keyboard as a person', async () => {
    await page.getByRole('heading', { name: 'No mail yet' }).waitFor();
    await press('n');
    const dialog = page.getByRole('dialog', { name: 'Write to an agent' });
    await dialog.getByLabel('To').selectOption({ label: 'ada' });
    await dialog.getByLabel('Subject').fill('The lock');
    await dialog.getByLabel('Mail').fill('Is it held too long?\nLook at <b>write</b>.');
    await press('Control+Enter');
    await page.getByRole('heading', { name: 'The lock' }).waitFor();
    await letters().getByText('Look at <b>write</b>.').waitFor();
    expect(await letters().locator('b').allInnerTexts()).to.deep.equal(['You']);
    await thread('The lock').getByText('not read yet').waitFor();
    expect(await thread('The lock').getAttribute('data-unread'), 'one’s own').to.equal('false');
  });

  it('shows live who took it and who answered, as one thread', async () => {
    await as(ids.ada, 'TakeMail', {});
    await letters().getByText('read', { exact: true }).waitFor();
    await thread('The lock').getByText('not read yet').waitFor({ state: 'detached' });
    const { mail } = await as<Sent>(ids.ada, 'SendMail', {
      agentId: ids.bob,
      subject: 'Your lock',
      body: 'Let go of it.',
    });
    await letters().getByText('caused by the mail above').waitFor();
    await as(ids.bob, 'TakeMail', {});
    await as(ids.bob, 'SendMail', { agentId: ids.ada, inReplyTo: mail.id, body: 'Done.' });
    await letters().getByText('a reply', { exact: true }).waitFor();
    const said = await letters().allInnerTexts();
    expect(said).to.have.length(3);
    for (const [at, words] of [['ada'], ['ada', 'bob', 'Your lock'], ['bob', 'ada', 'Done.']].entries()) {
      for (const word of words) expect(said[at]).to.include(word);
    }
    await thread('The lock').getByText('3 mails').waitFor();
    expect(await thread('The lock').getByText('You, ada, bob').count()).to.equal(1);
  });

  it('replies by key to the last author', async () => {
    await press('r');
    const dialog = page.getByRole('dialog', { name: 'Reply' });
    await dialog.getByLabel('Mail').and(page.locator(':focus')).waitFor();
    expect(await dialog.getByLabel('To').inputValue()).to.equal('bob');
    await page.keyboard.type('Thank you both.');
    await press('Control+Enter');
    await letters().getByText('Thank you both.').waitFor();
    const { mail } = await stage.call<{ mail: { body: string; inReplyTo?: string }[] }>('ListMail', {
      agentId: ids.bob,
    });
    expect(mail[0]).to.include({ body: 'Thank you both.' });
    expect(mail[0]?.inReplyTo).to.match(/^mal_/);
  });

  it('keeps refused input, with the service’s message', async () => {
    await page.getByRole('button', { name: 'Write to an agent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('To').selectOption({ label: 'ada' });
    await dialog.getByLabel('Subject').fill('x'.repeat(201));
    await dialog.getByLabel('Mail').fill('too long a subject');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByRole('alert').getByText('200').waitFor();
    expect(await dialog.getByLabel('Mail').inputValue()).to.equal('too long a subject');
    await press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('passes axe in light, dark and on a phone, and is unchanged after a reload', async () => {
    await stage.call('SendMail', { agentId: ids.ada, body: 'Another matter' });
    await thread('Another matter').waitFor();
    await press('k');
    await page.getByRole('heading', { name: 'Another matter' }).waitFor();
    await press('j');
    await page.reload();
    await page.getByRole('heading', { name: 'The lock' }).waitFor();
    for (const colorScheme of colorSchemes) {
      await page.emulateMedia({ colorScheme });
      expect(await faultsFoundByAxe(page), colorScheme).to.deep.equal([]);
    }
    await press('n');
    await page.getByRole('dialog').waitFor();
    expect(await faultsFoundByAxe(page), 'writing').to.deep.equal([]);
    const phone = await stage.open('/mail', { viewport: { width: 390, height: 780 }, hasTouch: true, isMobile: true });
    await phone.getByRole('link', { name: 'The lock' }).tap();
    await phone.getByRole('complementary').getByText('Thank you both.').waitFor();
    expect(await faultsFoundByAxe(phone), 'phone').to.deep.equal([]);
    expect(await phone.evaluate<number>('document.documentElement.scrollWidth')).to.equal(390);
    await phone.getByRole('link', { name: 'All mail' }).tap();
    await phone.getByRole('link', { name: 'Another matter' }).waitFor();
    await phone.context().close();
  });

  it('keeps drafts, and never sends a reply to another agent', async () => {
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Mail').fill('not sent yet');
    await press('Escape', 'n');
    expect(await dialog.getByLabel('Mail').inputValue()).to.equal('not sent yet');
    await press('Escape');
    const gone = await stage.launch('gone', 'rest');
    await stage.until(gone, 'IDLE');
    await as(gone, 'SendMail', { agentId: ids.bob, subject: 'From one that leaves', body: 'Farewell.' });
    await thread('From one that leaves').waitFor();
    await stage.call('DeleteAgent', { agentId: gone });
    await moment('it to be gone', async () => {
      const { agents } = await stage.call<{ agents: { agent: { name: string } }[] }>('ListAgents', {});
      return agents.every(({ agent }) => agent.name !== 'gone');
    });
    await thread('From one that leaves').getByRole('link').click();
    await page.getByRole('button', { name: 'Reply to gone' }).click();
    expect(await dialog.getByLabel('To').inputValue()).to.equal('gone');
    await dialog.getByLabel('Mail').fill('For your eyes alone');
    await dialog.getByRole('button', { name: 'Send' }).click();
    await dialog.getByRole('alert').waitFor();
    const { mail } = await stage.call<{ mail: { body: string }[] }>('ListMail', {});
    expect(mail.map(({ body }) => body)).not.to.include('For your eyes alone');
  });
});
