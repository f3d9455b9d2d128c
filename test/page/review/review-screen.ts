import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Locator, Page } from 'playwright-core';
import { moment } from '#test/support/moment.ts';
import { inSoak } from '#test/support/soak.ts';
import { faultsFoundByAxe, faultsInEachLook } from '../axe.ts';
import type { Stage } from '../stage.ts';

const rounding = [
  'export function round(price: number): number {',
  '  return Math.round(price * 100) / 100;',
  '}',
  '',
  'export function gross(net: number, rate: number): number {',
  '  return round(net * (1 + rate));',
  '}',
  'export const rates = [',
  ...Array.from({ length: 12 }, (_, at) => `  ${at},`),
  '];',
  '',
].join('\n');

interface Shown {
  readonly id: string;
  readonly unreadByHuman?: boolean;
  readonly resolvedAt?: string;
  readonly newStart?: number;
  readonly newEnd?: number;
  readonly messages: { readonly body: string; readonly delivery: string }[];
}

/** Tests a review from the first round on, on a stage that may have agents. */
export function testReview(stageOf: () => Stage): void {
  describe('a review on the page', () => {
    let stage: Stage;
    let page: Page;
    let author: string;
    let worktree: string;
    before(async () => {
      stage = stageOf();
      author = await stage.launch('price-rounding', 'round prices as the tax office does');
      await stage.until(author, 'IDLE');
      const { agent } = await stage.call<{ agent: { agent: { cwd: string } } }>('GetAgent', { agentId: author });
      worktree = agent.agent.cwd;
      writeFileSync(join(worktree, 'prices.ts'), rounding);
      page = await stage.open(`/agents/${author}/review`);
    });
    after(() => page?.context().close());
    afterEach(() => expect(stage.faults).to.deep.equal([]));

    const threads = async () =>
      (await stage.call<{ threads?: Shown[] }>('ListReviewThreads', { agentId: author })).threads ?? [];
    const line = (number: number) => page.getByRole('button', { name: `Comment on line ${number} of prices.ts` });
    const thread = (words: string) => page.getByRole('article').filter({ hasText: words });
    /** Calls as the author does, by its own token. */
    const asAuthor = async (method: string, request: object): Promise<void> => {
      const { token } = await stage.call<{ token: string }>('IssueAgentToken', { agentId: author });
      const answer = await fetch(`${stage.pieces.url}/agent.v1.AgentService/${method}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(request),
      });
      expect(answer.status, await answer.text()).to.equal(200);
    };

    /** Waits until these words are marked as differing: a worker finds them. */
    const marked = (place: Locator, words: string) =>
      moment(`${words} to be marked`, async () => {
        return (await place.locator('.diff-code-edit').allTextContents()).join('') === words;
      });

    it('begins with a snapshot of the work, including uncommitted files', async () => {
      await page.getByText('No rounds yet').waitFor();
      await page.getByRole('button', { name: 'Snapshot the work' }).click();
      const file = page.getByRole('region', { name: 'prices.ts' });
      await file.getByText('return Math.round(price * 100) / 100;').waitFor();
      expect(await page.getByRole('navigation', { name: 'Files' }).textContent()).to.match(/prices\.ts.*\+21/);
    });

    it('adds a private comment on dragged lines, with a suggestion', async () => {
      const [from, to] = [await line(1).boundingBox(), await line(2).boundingBox()];
      if (from === null || to === null) throw new Error('the lines are not shown');
      await page.mouse.move(from.x + 10, from.y + 5);
      await page.mouse.down();
      await page.mouse.move(to.x + 10, to.y + 5, { steps: 3 });
      await page.mouse.up();
      const body = page.getByLabel('Comment on lines 1 to 2');
      await body.fill('Half a cent is rounded up here, and to even by law.');
      await page.getByRole('button', { name: 'Suggest a change' }).click();
      const suggested = page.getByLabel('Replace these lines with');
      expect(await suggested.inputValue()).to.equal(rounding.split('\n').slice(0, 2).join('\n'));
      await suggested.fill('export function round(price: number): number {\n  return toEven(price * 100) / 100;');
      await page.getByRole('button', { name: 'Comment Ctrl' }).click();
      await thread('to even by law').getByText('only you see it until you release').waitFor();
      const [written] = await threads();
      expect(written).to.deep.include({ newStart: 1, newEnd: 2 });
      expect(written?.messages[0]?.delivery).to.equal('REVIEW_DELIVERY_STATE_UNSENT');
    });

    it('adds, edits and discards a comment by keyboard', async () => {
      await page.keyboard.press('Escape');
      await page.goto(`${stage.pageUrl}/agents/${author}/review`);
      await line(5).waitFor();
      await page.keyboard.press('c');
      for (let at = 1; at < 5; at += 1) await page.keyboard.press('ArrowDown');
      await page.keyboard.press('Shift+ArrowDown');
      await page.keyboard.press('Enter');
      await page.getByLabel('Comment on lines 5 to 6').waitFor();
      await page.keyboard.type('Say what rate is.');
      // What was begun is still there when the rows are drawn again.
      await page.getByRole('checkbox', { name: 'Side by side' }).check();
      await page.locator('.diff-split').first().waitFor();
      await page.getByRole('checkbox', { name: 'Side by side' }).uncheck();
      await page.locator('.diff-unified .diff-gutter').first().waitFor();
      expect(await page.getByLabel('Comment on lines 5 to 6').inputValue()).to.equal('Say what rate is.');
      await page.getByLabel('Comment on lines 5 to 6').focus();
      await page.keyboard.press('Control+Enter');
      await thread('Say what rate is.').getByRole('button', { name: 'Edit' }).click();
      await page.getByLabel('Comment', { exact: true }).fill('Say what the rate is of.');
      await page.keyboard.press('Control+Enter');
      await thread('Say what the rate is of.').waitFor();
      expect(await threads()).to.have.length(2);
      await thread('Say what the rate is of.').getByRole('button', { name: 'Delete' }).click();
      await thread('Say what the rate is of.').waitFor({ state: 'detached' });
    });

    it('passes axe in light and dark and on a phone', async () => {
      expect(await faultsInEachLook(page)).to.deep.equal([]);
    });

    inSoak('colours code by its language, also in a suggestion', async () => {
      const colorOf = (place: string) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(place)})).color`);
      await page.locator('.hunk .token.keyword', { hasText: 'function' }).first().waitFor();
      expect(await colorOf('.hunk .token.keyword')).to.not.equal(await colorOf('.hunk .diff-code'));
      const suggestion = thread('to even by law').locator('.suggestion');
      await suggestion.locator('.diff-code-insert .token.function', { hasText: 'toEven' }).waitFor();
      await marked(suggestion, 'Math.roundtoEven');
    });

    inSoak('folds a file and marks it as viewed, by key, for its round', async () => {
      await page.goto(`${stage.pageUrl}/agents/${author}/review`);
      await line(5).waitFor();
      await page.keyboard.press('n');
      expect(await page.locator('.fold:focus').textContent()).to.equal('prices.ts');
      await page.keyboard.press('f');
      await line(5).waitFor({ state: 'detached' });
      await page.keyboard.press('f');
      await line(5).waitFor();
      await page.keyboard.press('v');
      await line(5).waitFor({ state: 'detached' });
      expect(await page.getByRole('checkbox', { name: 'Viewed' }).isChecked()).to.equal(true);
      await page.getByText('1 of 1 viewed').waitFor();
      await page.reload();
      await page.getByText('1 of 1 viewed').waitFor();
      expect(await line(5).count()).to.equal(0);
      expect(await faultsFoundByAxe(page)).to.deep.equal([]);
      await page.getByRole('checkbox', { name: 'Viewed' }).uncheck();
      await line(5).waitFor();
      await page.getByRole('checkbox', { name: 'Viewed' }).check();
      await page.getByRole('button', { name: 'prices.ts', expanded: false }).click();
      await line(5).waitFor();
    });

    it('is released with a verdict and a summary, by key', async () => {
      await page.getByText('One comment not released').waitFor();
      await page.keyboard.press('r');
      const dialog = page.getByRole('dialog', { name: 'Release your review of price-rounding' });
      await dialog.getByText('With one comment.').waitFor();
      expect(await faultsFoundByAxe(page)).to.deep.equal([]);
      await page.keyboard.type('Rounding is not what the law says.');
      await dialog.getByRole('button', { name: 'Release' }).click();
      await page.getByRole('region', { name: 'Reviews' }).getByText('requested changes').waitFor();
      await page.getByText('Rounding is not what the law says.').waitFor();
      await thread('to even by law')
        .getByText(/, (sent|read by the agent)/)
        .waitFor();
    });

    it('applies a suggestion, and shows what happened to the lines in the next round', async () => {
      await thread('to even by law').getByRole('button', { name: 'Apply the suggestion' }).click();
      await page.getByText('prices.ts, lines 1 to 2').waitFor();
      await moment('it to stand in the file', () =>
        readFileSync(join(worktree, 'prices.ts'), 'utf8').includes('toEven(price'),
      );
      const applied = readFileSync(join(worktree, 'prices.ts'), 'utf8');
      writeFileSync(join(worktree, 'prices.ts'), applied.replace('  11,', '  19,'));
      writeFileSync(join(worktree, 'even.ts'), 'export const toEven = (value: number): number => value;\n');
      await page.getByRole('button', { name: 'New round' }).click();
      await page.getByRole('region', { name: 'even.ts' }).waitFor();
      expect(await page.getByRole('checkbox', { name: 'Viewed', checked: true }).count(), 'of another round').to.equal(
        0,
      );
      await thread('to even by law').getByText('changed in round 2').waitFor();
      expect(await page.getByLabel('Compared with').locator(':checked').innerText(), 'the last one seen').to.equal(
        'round 1',
      );
    });

    it('suggests no approval while a thread is open', async () => {
      await page.keyboard.press('r');
      const dialog = page.getByRole('dialog', { name: 'Release your review of price-rounding' });
      await dialog.getByText('One thread is open.').waitFor();
      expect(await dialog.getByRole('radio', { name: 'Only comment' }).isChecked()).to.equal(true);
      await page.keyboard.press('Escape');
    });

    inSoak('narrows a round to the changes since an earlier one', async () => {
      await page.reload();
      expect(await page.getByLabel('Compared with').locator(':checked').innerText()).to.equal('round 1');
      const prices = page.getByRole('region', { name: 'prices.ts' });
      // A hunk that begins with where it is has columns like any other.
      await prices.getByText('export const rates').waitFor();
      const { width = 0 } = (await prices.locator('.hunk').last().locator('.diff-gutter').last().boundingBox()) ?? {};
      expect(width).to.be.within(20, 60);
      await prices.locator('.hunk .diff-code-delete').getByText('Math.round(price').waitFor();
      await prices.locator('.hunk .diff-code-insert').getByText('toEven(price').waitFor();
      await page.getByRole('checkbox', { name: 'Side by side' }).check();
      const beside = prices.locator('.diff-split .diff-line').filter({ hasText: 'Math.round(price' });
      expect(await beside.textContent()).to.match(/Math\.round\(price.*toEven\(price/s);
      await marked(beside, 'Math.roundtoEven');
      await beside.getByRole('button', { name: 'Comment on removed line 2' }).click();
      await page.getByLabel('Comment on removed line 2', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      expect(await faultsFoundByAxe(page)).to.deep.equal([]);
      await page.getByRole('checkbox', { name: 'Side by side' }).uncheck();
      await page.getByLabel('Compared with').selectOption({ label: 'the base' });
      await prices.locator('.diff-gutter-delete').first().waitFor({ state: 'detached' });
      await page.getByRole('combobox', { name: 'Round' }).selectOption({ index: 1 });
      // In this round it was marked as viewed.
      await page.getByRole('checkbox', { name: 'Viewed', checked: true }).uncheck();
      await prices.getByText('Math.round(price * 100)').first().waitFor();
      await page.getByRole('combobox', { name: 'Round' }).selectOption({ index: 0 });
      await page.getByLabel('Compared with').selectOption({ label: 'the base' });
    });

    inSoak('shows a suggestion without quoted lines as an addition', async () => {
      const place = { filePath: 'prices.ts', newStart: 1, newEnd: 1, suggestion: ['// From the law.'] };
      await stage.call('CreateReviewThread', { agentId: author, ...place, body: 'Say where it is from.' });
      // Unreleased comments are not published.
      await page.reload();
      await page.getByLabel('Compared with').selectOption({ label: 'the base' });
      await thread('Say where it is from.').locator('.diff-code-insert').getByText('From the law').waitFor();
      expect(await thread('Say where it is from.').locator('.diff-code-delete').count()).to.equal(0);
      await page.getByRole('button', { name: 'Discard' }).click();
      await page
        .getByRole('dialog', { name: 'Discard your comments?' })
        .getByRole('button', { name: 'Discard' })
        .click();
      await thread('Say where it is from.').waitFor({ state: 'detached' });
    });

    it('shows the agent’s replies since, and that the comment was read', async () => {
      const [{ id } = { id: '' }] = await threads();
      await asAuthor('ReplyReviewThread', { threadId: id, body: 'It rounds to even now.' });
      await page.getByText('One new reply').waitFor();
      await thread('It rounds to even now.').getByText('new reply', { exact: true }).waitFor();
      await page.keyboard.press('u');
      await page.getByRole('button', { name: 'Mark it as read' }).click();
      await page.getByText('One new reply').waitFor({ state: 'detached' });
      expect((await threads())[0]?.unreadByHuman ?? false).to.equal(false);
    });

    it('replies, discards drafts, resolves and reopens', async () => {
      await thread('to even by law').getByRole('button', { name: 'Reply' }).click();
      await page.getByLabel('Reply', { exact: true }).fill('Then test it.');
      await page.keyboard.press('Control+Enter');
      await thread('Then test it.').waitFor();
      await page.getByRole('button', { name: 'Discard' }).click();
      await page
        .getByRole('dialog', { name: 'Discard your comments?' })
        .getByRole('button', { name: 'Discard' })
        .click();
      await thread('Then test it.').waitFor({ state: 'detached' });
      await thread('to even by law').getByRole('button', { name: 'Resolve' }).click();
      await page.getByRole('button', { name: 'Resolved: show' }).click();
      expect((await threads())[0]?.resolvedAt).to.match(/^20/);
      await page.getByRole('button', { name: 'Reopen' }).click();
      await thread('to even by law').getByRole('button', { name: 'Resolve' }).waitFor();
      expect((await threads())[0]?.resolvedAt ?? '').to.equal('');
    });
  });
}
