import { box, drafts, pad, rule, type Variant, type Variants } from './variant.ts';

/** Screens of Qwen Code, old and new. */
export const qwen: Variants = (width) => {
  const found: Variant[] = [];
  const add = (name: string, expected: string, screen: string, title = ''): void => {
    found.push({ name, expected, screen, title });
  };
  const hist = `  > fix the login\n\n  ◆︎ I looked at the code.\n\n  ✔︎ Shell npm test\n\n     12 passing\n\n  ◆︎ Done. All tests pass.\n`;
  const comp = (
    inner = '  Type your message or @path/to/file',
    f = '  ➜ work · git:(main) · qwen3-coder\n  ⏸ Ask permissions (shift + tab to cycle)',
  ) => `${rule(width)}\n> ${inner}\n${rule(width)}\n${f}`;
  const old = (inner = '  Type your message or @path/to/file') =>
    `${box(width, [pad(` > ${inner}`, width - 2)])}\n ~/src/app (main*)   no sandbox   qwen3-coder-plus (98% context left)`;
  add(`rest`, 'IDLE', `${hist}\n${comp()}`);
  add(`rest old`, 'IDLE', `✦ Done.\n\n${old()}`);
  add(`rest yolo`, 'IDLE', `${hist}\n${comp(undefined, '  YOLO mode (shift + tab to cycle)')}`);
  for (const [i, s] of [
    '  .  Hmmm... let me think... (5s · ↓ 91 tokens · esc to cancel)',
    '  .. Looking for an adult superviso... (9s · esc to cancel)',
    '  ⠏ Thinking... (esc to cancel, 12s)',
    ' ⠋ Reticulating splines (esc to cancel, 1m 2s)',
    '  ∴ 分析中… (1m 3s · esc to cancel)',
    '  ... Compressing chat (3s · esc to cancel)',
  ].entries()) {
    add(`spin${i}`, 'THINKING', `${hist}\n  > go\n\n${s}\n${comp()}`);
    add(`spin typed${i}`, 'THINKING', `${hist}\n  > go\n\n${s}\n${comp('draft meanwhile')}`);
    add(`spin old${i}`, 'THINKING', `✦ ok\n\n${s}\n\n${old()}`);
  }
  add(
    `queued`,
    'THINKING',
    `${hist}\n  .  Blowing on the cartridge... (4s · ↓ 87 tokens · esc to cancel)\n\n  reply second\n  然后 测试\n  Ctrl+Q to queue · ↑ to edit queued messages\n${comp()}`,
  );
  add(
    `steer foot`,
    'THINKING',
    `${hist}\n${comp(undefined, '  ➜ work\n  Enter to steer · Ctrl+Q to queue · ⏸ Ask permissions')}`,
  );
  for (const [i, t] of drafts.entries()) {
    add(`typed${i}`, 'UNCERTAIN/draft', `${hist}\n${comp(t)}`);
    add(`typed old${i}`, 'UNCERTAIN/draft', `✦ Done.\n\n${old(t)}`);
  }
  const opts = (n: number, sel: number, m = '›') =>
    Array.from(
      { length: n },
      (_, i) =>
        `   ${i === sel ? m : ' '} ${i + 1}. ${['Yes, allow once', "Always allow run 'npm *' commands in this project", 'No, suggest changes (esc)', 'x', 'y'][i]}`,
    ).join('\n');
  for (const n of [2, 3, 5])
    for (const sel of [0, n - 1]) {
      add(
        `perm ${n}${sel}`,
        'WAITING',
        `${hist}\n  ? Shell npm test (Run) ←\n\n     npm test\n\n   Allow execution of: 'npm'?\n\n${opts(n, sel)}\n\n\n  ⠏ Waiting for user confirmation...`,
      );
      add(
        `perm old ${n}${sel}`,
        'WAITING',
        `✦ ok\n${box(width, [
          ' ?  Shell npm test ←',
          '',
          " Allow execution of: 'npm'?",
          '',
          ...opts(n, sel, '●')
            .split('\n')
            .map((r) => r.slice(2)),
          '',
        ])}\n ⠏ Waiting for user confirmation...`,
      );
    }
  add(
    `question`,
    'WAITING',
    `${hist}\n  ? Ask user ←\n\n   Storage\n\n   Which storage should the lab use?\n\n   ❯ 1. Postgres\n        A server database\n     2. SQLite\n     3. Type something...\n\n   ↑/↓: Navigate | Enter: Select | Esc: Cancel\n\n  ⠏ Waiting for user confirmation...`,
  );
  add(
    `plan`,
    'WAITING/plan',
    `${hist}\n  ? Plan\n\n   1. Do this\n   2. Do that\n\n   Would you like to proceed?\n\n   › 1. Yes, restore previous mode\n     2. Yes, and auto-accept edits\n     3. No, keep planning (esc)\n\n  ⠏ Waiting for user confirmation...`,
  );
  add(
    `trust`,
    'WAITING/trust',
    `\n  ╭${rule(width - 4)}\n   │ Do you trust this folder?\n   │ Trusting a folder allows Qwen Code to execute commands.\n   │\n   │ › 1. Trust folder (work)\n   │   2. Trust parent folder (qwen)\n   │   3. Don't trust (esc)\n   │\n   ╰${rule(width - 4)}`,
  );
  add(
    `err`,
    'IDLE/error',
    `  > error 400\n  ✕ [API Error: 400 Lab: internal server error] (Press Ctrl+Y to retry)\n\n${comp()}`,
  );
  add(`429`, 'IDLE/rate-limit', `  > go\n  ✕ [API Error: 429 rate limit exceeded]\n\n${comp()}`);
  add(
    `quota`,
    'IDLE/usage-limit',
    `  > go\n  ✕ [API Error: Qwen OAuth quota exceeded: Your free daily quota has been reached.]\n\n${comp()}`,
  );
  add(
    `quoted`,
    'IDLE',
    `  > what?\n\n  ◆︎ It asks:\n\n    Allow execution of: 'npm'?\n\n    › 1. Yes, allow once\n      2. No (esc)\n\n    .  Hmmm... (5s · esc to cancel)\n\n    That is all.\n\n${comp()}`,
  );
  add(`exited`, 'UNCERTAIN', `${hist}\n${comp()}\n\nada@box:~/app$ `);

  return found;
};
