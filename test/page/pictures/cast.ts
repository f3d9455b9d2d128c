import * as scenes from './scenes.ts';

/** An agent of the pictures. */
export interface Part {
  readonly repository: 'shop' | 'ledger' | 'site';
  readonly harness: 'claude' | 'codex';
  /** Its prompt. */
  readonly task: string;
  readonly scene: scenes.Scene;
  /** How many lines it adds and removes, in how many files; nothing if this is left out. */
  readonly diff?: readonly [added: number, removed: number, files: number];
  /** Whose work it reviews. */
  readonly reviews?: string;
}

const part = (
  repository: Part['repository'],
  harness: Part['harness'],
  task: string,
  sceneOf: (task: string) => scenes.Scene,
  more: Pick<Part, 'diff' | 'reviews'> = {},
): Part => ({ repository, harness, task, scene: sceneOf(task), ...more });

const shop: Readonly<Record<string, Part>> = {
  'checkout-rewrite': part(
    'shop',
    'claude',
    'Carry the rewrite of the checkout through, page by page.',
    (task) =>
      scenes.writing(
        task,
        'The address page is on the new form and its tests pass. The payment page still reads the old cart in two places.',
        'I move both to the new cart now, and then remove the old one. The pages after it stay as they are for today.',
      ),
    { diff: [612, 388, 14] },
  ),
  'login-expiry': part('shop', 'claude', 'Say when a session ends', () => scenes.creating, { diff: [41, 12, 3] }),
  'payment-retries': part('shop', 'codex', 'Make payment retries idempotent.', scenes.working, { diff: [187, 64, 6] }),
  'price-rounding': part('shop', 'claude', 'Round prices as the tax office does.', (task) =>
    scenes.finished(task, 'Prices round half to even, once for each invoice. All 214 tests pass.'),
  ),
  'price-review': part(
    'shop',
    'claude',
    'Review how prices are rounded.',
    (task) => scenes.finished(task, 'Right shape. Two sums come out wrong: see my comments.'),
    { reviews: 'price-rounding' },
  ),
  'flaky-search': part(
    'shop',
    'claude',
    'Find out why the search test is flaky.',
    (task) =>
      scenes.reported(task, [
        'The test searches for "lamp" and wants three products in one order.',
        'Two of the three have the same score: "Desk lamp" and "Lamp oil".',
        'The index gives equal scores in the order in which its segments were written, and that changes from run to run.',
        'So the test fails whenever the second segment is written first: 7 of 200 runs here.',
        'I sort by name within a score, in the query and not in the test, for customers see the same flicker.',
        'The test now passes 200 times of 200. A new test has two products of one score.',
        'I have changed nothing else: 9 lines are new, 3 are gone.',
        'Run it once more on a slow machine before you merge. Mine is fast, and slow ones write smaller segments.',
      ]),
    { diff: [9, 3, 2] },
  ),
  'search-review': part(
    'shop',
    'codex',
    'Review the fix of the search test.',
    (task) =>
      scenes.considering(
        task,
        'Reading the order of equal scores. Looking for other lists that are sorted the same way',
      ),
    { reviews: 'flaky-search' },
  ),
  'invoice-pdf': part(
    'shop',
    'codex',
    'Render invoices without the browser.',
    (task) =>
      scenes.considering(
        task,
        'Comparing the fonts of both renderers. Measuring where the second page of a long invoice breaks',
      ),
    { diff: [310, 128, 9] },
  ),
  'rate-limits': part('shop', 'codex', 'Answer 429 with the time to come back.', scenes.reconnecting, {
    diff: [22, 5, 2],
  }),
  'cart-totals': part(
    'shop',
    'codex',
    'Show the total while the cart changes.',
    (task) =>
      scenes.answered(
        task,
        'The total follows each change of the cart, and screen readers hear it once it has settled.',
      ),
    { diff: [96, 31, 4] },
  ),
};

const ledger: Readonly<Record<string, Part>> = {
  'ledger-export': part('ledger', 'codex', 'Export the ledger as one CSV a month.', () => scenes.migrating, {
    diff: [74, 2, 3],
  }),
  'double-entry': part('ledger', 'claude', 'Refuse bookings that do not balance.', scenes.pondering, {
    diff: [133, 20, 5],
  }),
  'bank-import': part(
    'ledger',
    'claude',
    'Import bank statements as camt.053.',
    (task) =>
      scenes.writing(
        task,
        'The parser reads all twelve samples. Three of them book one payment in two entries.',
        'I join the two by their reference, and keep both in the journal, so that nothing of the statement is lost.',
      ),
    { diff: [428, 0, 8] },
  ),
  'fx-rates': part('ledger', 'claude', 'Take exchange rates from the central bank.', () => scenes.drafted, {
    diff: [58, 9, 2],
  }),
  'audit-log': part(
    'ledger',
    'codex',
    'Log who changed a booking.',
    (task) =>
      scenes.answered(task, 'Each change names its person, the time and the booking before it. The log can only grow.'),
    { diff: [201, 17, 7] },
  ),
  'month-end': part('ledger', 'claude', 'Close a month, so that nobody books into it.', (task) =>
    scenes.finished(task, 'A closed month refuses bookings. Reopening it asks for a reason.'),
  ),
};

const site: Readonly<Record<string, Part>> = {
  'docs-search': part('site', 'claude', 'Give the docs a search that works offline.', () => scenes.choosing),
  'dark-mode': part('site', 'claude', 'Add a dark mode to the site.', () => scenes.planned),
  'broken-links': part('site', 'codex', 'Mend the links that lead nowhere.', scenes.working, { diff: [38, 38, 12] }),
  'landing-copy': part(
    'site',
    'claude',
    'Shorten the words of the landing page.',
    (task) => scenes.finished(task, '412 words became 190. Each promise that is left has a page that keeps it.'),
    { diff: [54, 121, 2] },
  ),
  'image-sizes': part('site', 'codex', 'Serve each picture in the size that it is shown in.', (task) =>
    scenes.answered(task, 'Pages load 61 % fewer bytes of pictures on a phone.'),
  ),
};

/** The agents of the pictures by their names; a reviewer is below the agent whose work it reviews. */
export const cast: Readonly<Record<string, Part>> = { ...shop, ...ledger, ...site };
