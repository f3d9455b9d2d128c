import { box, pad, rule, type Variant, type Variants } from './variant.ts';

/** Screens of GitHub Copilot CLI, old and new. */
export const copilot: Variants = (width) => {
  const found: Variant[] = [];
  const add = (name: string, expected: string, screen: string, title = ''): void => {
    found.push({ name, expected, screen, title });
  };
  const tabs = ' [Current]  Sessions   Issues   Pull requests   Gists\n';
  const hist = ` ❯ fix the login                                   08:16\n\n ● I looked at the code.\n\n $ Shell Run the tests\n   npm test\n   └ 12 lines…\n\n ● Done. All tests pass.\n`;
  const dir = ' /src/app [⎇ main]';
  const foot = ' ← open sidebar · Interactive · Manual Approval · / commands · tab next tab';
  const comp = (inner = '', f = foot, d = dir) => `${d}\n${rule(width)}\n❯ ${inner}\n${rule(width)}\n${f}`;
  const oldFoot = ' Ctrl+c Exit · Ctrl+r Expand recent          Remaining requests: 99%';
  const old = (inner = 'Enter @ to mention files or / for commands', f = oldFoot) =>
    ` ~/src/app [⎇ main*]              claude-sonnet-4.5 (1x)\n${rule(width)}\n❯ ${inner}\n${rule(width)}\n${f}`;
  const older = (inner = 'Enter @ to mention files or / for commands', f = oldFoot) =>
    ` ~/src/app [⎇ main*]              claude-sonnet-4.5 (1x)\n${box(width, [pad(` > ${inner}`, width - 2)])}\n${f}`;
  for (const [i, [c, T]] of (
    [
      [comp(), tabs],
      [comp('', ' gpt-5.4'), tabs],
      [old(), ''],
      [old(''), ''],
      [older(), ''],
      [comp('', `${foot}       gpt-5.4`), ''],
    ] as const
  ).entries())
    add(`rest${i}`, 'IDLE', `${T}${hist}\n${c}`);
  for (const g of ['∙', '○', '◎', '◉', '●']) {
    for (const [i, s] of [
      'Working · 366 B esc esc interrupt',
      'Working esc esc edit prompt',
      'Thinking · 1.2 KiB esc interrupt',
      'Running tests · 12 s esc esc interrupt',
    ].entries()) {
      add(`foot ${g}${i}`, 'THINKING', `${tabs}${hist}\n${comp('', ` ${g} ${s}      gpt-5.4`)}`);
      add(`foot typed ${g}${i}`, 'THINKING', `${tabs}${hist}\n${comp('draft', ` ${g} ${s}      gpt-5.4`)}`);
    }
    for (const [i, s] of [
      'Thinking (Esc to cancel)',
      'Thinking (Esc to cancel · 1.2 KiB)',
      'Executing the test suite (Esc to cancel · 31 B)',
      'Planning next moves (Esc to cancel)',
    ].entries()) {
      add(`row ${g}${i}`, 'THINKING', `${hist}\n${g} ${s}\n\n${old()}`);
      add(`row2 ${g}${i}`, 'THINKING', `${hist}\n ${g} ${s}\n\n${older()}`);
    }
  }
  for (const [i, t] of [
    'hello there',
    'esc to cancel',
    '/model',
    '@src',
    'Bitte prüfe',
    '請檢查',
    '1. Yes',
    '[Pasted text #1 +40 lines]',
  ].entries()) {
    add(`typed${i}`, 'UNCERTAIN/draft', `${tabs}${hist}\n${comp(t)}`);
    add(`typed old${i}`, 'UNCERTAIN/draft', `${hist}\n${old(t)}`);
    add(`typed older${i}`, 'UNCERTAIN/draft', `${hist}\n${older(t)}`);
  }
  add(
    `typed multi`,
    'UNCERTAIN/draft',
    `${tabs}${hist}\n${dir}\n${rule(width)}\n❯ first\n  second\n\n  fourth\n${rule(width)}\n${foot}`,
  );
  const opts = (n: number, sel: number) =>
    Array.from(
      { length: n },
      (_, i) =>
        ` ${i === sel ? '❯' : ' '} ${i + 1}. ${['Yes', "Yes, and don't ask again for `touch` in this repo", 'No, and tell Copilot what to do differently (Esc to stop)', 'x'][i]}`,
    );
  for (const n of [2, 3, 4])
    for (const sel of [0, n - 1]) {
      add(
        `perm ${n}${sel}`,
        'WAITING/permission',
        `${tabs}${hist}\n${box(width, [' Run the tests', ` ${rule(width - 4)}`, ' npm test', '', ' Do you want to run this command?', '', ...opts(n, sel), '', ' ↑/↓ to navigate · enter to select · esc to cancel'])}`,
      );
      add(
        `perm old ${n}${sel}`,
        'WAITING/permission',
        `${hist}\n${box(width, [' Run the tests', '', ' npm test', '', ' Do you want to run this command?', '', ...opts(n, sel), '', ' Confirm with number keys or ↑↓ keys and Enter, Cancel with Esc'])}\n`,
      );
    }
  add(
    `trust`,
    'WAITING/trust',
    `${box(width, [' Confirm folder trust', '', ' /src/app', '', ' Do you trust the files in this folder?', '', ...['❯ 1. Yes, proceed', '  2. Yes, and remember this folder for future sessions', '  3. No, exit (Esc)'].map((r) => ` ${r}`), '', ' Confirm with number keys or ↑↓ keys and Enter, Cancel with Esc'])}`,
  );
  add(
    `freeform`,
    'WAITING',
    `${tabs}${hist}\n${box(width, [' Which storage?', '', ' ❯ Type your answer', '', ' enter to submit · esc to cancel'])}`,
  );
  add(
    `question`,
    'WAITING',
    `${tabs}${hist}\n${box(width, [' Which storage should the lab use?', '', ' ❯ 1. Postgres', '   2. SQLite', '   3. Other (type your answer)', '', ' ↑/↓ to navigate · enter to select · esc to cancel'])}`,
  );
  add(
    `quoted`,
    'IDLE',
    `${tabs} ❯ what?\n\n ● It shows:\n\n   Do you want to run this command?\n   ❯ 1. Yes\n     2. No\n\n   ∙ Thinking (Esc to cancel)\n\n   That is all.\n\n${comp()}`,
  );
  add(`cancelled`, 'IDLE', `${tabs} ❯ go\n\n ● Operation cancelled by user\n\n${comp()}`);
  add(
    `slash`,
    'UNCERTAIN',
    `${tabs}${hist}\n${dir}\n${rule(width)}\n❯ /\n${rule(width)}\n ❯ /add-dir    Add a directory\n   /agent      Browse agents\n   /clear      Clear`,
  );
  add(`ctrlc`, 'UNCERTAIN', `${tabs}${hist}\n${comp('', ' Press ctrl+c again to exit')}`);
  add(`exited`, 'UNCERTAIN', `${tabs}${hist}\n${comp()}\n\nada@box:~/app$ `);
  add(
    `quota`,
    'IDLE/usage-limit',
    `${tabs} ❯ go\n\n ✗ You've reached your monthly premium request limit. Your limit resets on Dec 1, 2026.\n\n${comp()}`,
  );
  add(`429`, 'IDLE/rate-limit', `${tabs} ❯ go\n\n ✗ Model call failed: 429 Too Many Requests\n\n${comp()}`);
  add(`err`, 'IDLE/error', `${tabs} ❯ go\n\n ✗ Model call failed: 500 internal server error\n\n${comp()}`);
  add(`login`, 'UNCERTAIN/sign-in', `${tabs}\n ● MCP\n\nPlease use /login to sign in to use Copilot\n${comp()}`);
  add(`401`, 'IDLE/auth', `${tabs} ❯ go\n\n ✗ Authentication failed: 401 Unauthorized\n\n${comp()}`);

  return found;
};
