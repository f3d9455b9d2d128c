import { box, pad, rule, type Variant, type Variants } from './variant.ts';

/** Screens of Gemini CLI, old and new. */
export const gemini: Variants = (width) => {
  const found: Variant[] = [];
  const add = (name: string, expected: string, screen: string, title = ''): void => {
    found.push({ name, expected, screen, title });
  };
  const top = rule(width, '▄'),
    bot = rule(width, '▀');
  const foot =
    width < 60
      ? ' /src/app\n gemini-3-pro'
      : `${pad(' workspace (/directory)', width - 20)}/model\n${pad(' ~/src/app', width - 20)}gemini-3-pro`;
  const user = (s: string) => `${top}\n > ${s}\n${bot}`;
  const hist = `${user('fix the login')}\n✦ I looked at the code.\n\n${box(width, [' ✓  Shell npm test', '', ' 12 passing'])}\n✦ Done. All tests pass.\n`;
  const comp = (inner = '  Type your message or @path/to/file', g = '>', hint = '? for shortcuts') =>
    `${hint.padStart(width)}\n${rule(width)}\n Shift+Tab to accept edits\n${top}\n ${g} ${inner}\n${bot}\n${foot}`;
  const old = (
    inner = '  Type your message or @path/to/file',
    f = ' ~/src/app (main*)   no sandbox   gemini-2.5-pro (98% context left)',
  ) => `\n Using: 1 GEMINI.md file\n${box(width, [pad(` > ${inner}`, width - 2)])}\n${f}`;
  for (const [i, [c, o]] of (
    [
      [comp(), old()],
      [comp(undefined, '*'), old()],
      [comp(undefined, '>', ''), old(undefined, '')],
    ] as const
  ).entries()) {
    add(`rest${i}`, 'IDLE', `${hist}\n${c}`);
    add(`rest old${i}`, 'IDLE', `${hist}\n${o}`);
    add(`rest title${i}`, 'IDLE', `${hist}\n${c}`, '◇  Ready (app)');
    add(`title work${i}`, 'THINKING', `${hist}\n${c}`, '✦  Working… (app)');
    add(`title slow${i}`, 'THINKING', `${hist}\n${c}`, '⏲  Working… (app)');
  }
  for (const g of ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'])
    for (const [i, s] of [
      'Thinking... (esc to cancel, 12s)',
      'Thinking… (esc to cancel, 1m 12s)',
      "I'm Feeling Lucky (esc to cancel, 5s)",
      'Reading the tests und so weiter (esc to cancel, 3s)',
      'Refactoring auth module (esc to cancel, 0s)',
      '分析代码 (esc to cancel, 2s)',
    ].entries()) {
      add(`spin ${g}${i}`, 'THINKING', `${user('go')}\n\n ${g} ${s}\n${comp(undefined, '>', '')}`);
      if (i === 0) {
        add(`spin old ${g}${i}`, 'THINKING', `${user('go')}\n\n${g} ${s}\n${old()}`);
        add(`spin typed ${g}`, 'THINKING', `${user('go')}\n\n ${g} ${s}\n${comp('draft meanwhile', '>', '')}`);
      }
    }
  add(
    `spin hint apart`,
    'THINKING',
    `${user('go')}\n\n ⠏ Thinking about the whole thing\n (esc to cancel, 12s)\n${comp(undefined, '>', '')}`,
  );
  add(
    `queued`,
    'THINKING',
    `${user('go')}\n\n ⠏ Thinking... (esc to cancel, 12s)\n\n Queued (press ↑ to edit):\n   and then the docs\n   然后 测试\n${comp(undefined, '>', '')}`,
  );
  add(
    `todo`,
    'THINKING',
    `${user('go')}\n\n ⠏ Thinking... (esc to cancel, 12s)\n${rule(width)}\n Todo 1/3 completed (ctrl+t to toggle) » Write the tests\n${comp(undefined, '>', '')}`,
  );
  for (const [i, t] of [
    'hello there',
    'esc to cancel',
    'Bitte prüfe',
    '請檢查',
    '/help',
    '@src',
    '1. yes',
    '● 1. Yes',
    '[Pasted Text: 40 lines]',
  ].entries()) {
    add(`typed${i}`, 'UNCERTAIN/draft', `${hist}\n${comp(t)}`);
    add(`typed old${i}`, 'UNCERTAIN/draft', `${hist}\n${old(t)}`);
  }
  add(`typed multi`, 'UNCERTAIN/draft', `${hist}\n${comp('first line\n   second line\n\n   fourth')}`);
  add(`shell mode`, 'UNCERTAIN/draft', `${hist}\n${comp('  Type your shell command', '!')}`);
  const opts = (n: number, sel: number) =>
    Array.from(
      { length: n },
      (_, i) =>
        `${i === sel ? '●' : ' '} ${i + 1}. ${['Allow once', 'Allow for this session', 'Modify with external editor', 'No, suggest changes (esc)', 'x', 'y'][n === 3 && i === 2 ? 3 : i]}`,
    );
  for (const n of [2, 3, 4])
    for (const sel of [0, n - 1]) {
      add(
        `perm ${n}${sel}`,
        'WAITING',
        `${hist}\n${box(width, [' ? Shell  npm test', ' Allow execution of [npm]?', '', ...opts(n, sel).map((o) => ` ${o}`)])}\n`,
      );
      add(
        `perm2 ${n}${sel}`,
        'WAITING',
        `${hist}\n${box(width, [' ?  Shell npm test (Run) ←', '', ' npm test', '', " Allow execution of: 'npm'?", '', ...opts(n, sel).map((o) => ` ${o}`), ''])}\n ⠏ Waiting for user confirmation...\n`,
      );
      add(
        `perm title ${n}${sel}`,
        'WAITING',
        `${hist}\n${box(width, [' ? Edit  src/a.ts', ' Apply this change?', '', ...opts(n, sel).map((o) => ` ${o}`)])}\n`,
        '✋  Action Required (app)',
      );
    }
  add(
    `trust`,
    'WAITING/trust',
    `\n${box(width, ['', ' Do you trust the files in this folder?', '', ' Trusting a folder allows Gemini CLI to load its local configurations.', '', ' ● 1. Trust folder (app)', '   2. Trust parent folder (src)', "   3. Don't trust", ''])}`,
  );
  add(
    `auth`,
    'WAITING/sign-in',
    `\n${box(width, ['', ' ? Get started', '', '   How would you like to authenticate for this project?', '', '   ● 1. Login with Google', '     2. Use Gemini API Key', '     3. Vertex AI', '', '   (Use Enter to select)', ''])}`,
  );
  add(
    `key`,
    'WAITING',
    `\n${box(width, ['', ' Enter Gemini API Key', '', ' Please enter your Gemini API key.', '', box(width - 6, [' Paste your API key here']).split('\n')[1] ?? '', '', ' (Press Enter to submit, Esc to cancel, Ctrl+C to clear stored key)', ''])}`,
  );
  add(
    `theme`,
    'WAITING',
    `\n${box(width, ['', ' > Select Theme                Preview', ' ▲', '   1. ANSI Dark               # function', ' ● 2. Default Dark            def fib(n):', '   3. Dracula Dark', ' ▼', '', ' (Use Enter to select, Tab to configure scope, Esc to close)', ''])}`,
  );
  add(
    `quota`,
    'WAITING/usage-limit',
    `${hist}\n${box(width, ['', ' Usage limit reached for gemini-2.5-pro.', ' Access resets at 3:45 PM PDT.', ' /stats model for usage details', '', ' ● 1. Keep trying', '   2. Switch to gemini-2.5-flash', '   3. Stop', ''])}`,
  );
  add(
    `loop`,
    'WAITING',
    `${hist}\n${box(width, [' ? A potential loop was detected', '', ' This can happen due to repetitive tool calls.', '', ' ● 1. Keep loop detection enabled (esc)', '   2. Disable loop detection for this session'])}\n`,
  );
  add(
    `question`,
    'WAITING/question',
    `${hist}\n${box(width, [' Answer Questions', '', ' Which storage?', '', ' ● 1.  Postgres', '       A server database', '   2.  SQLite', '   3.  Enter a custom value', '', ' Enter to select · ↑/↓ to navigate · Esc to cancel'])}\n`,
  );
  add(
    `plan`,
    'WAITING/plan',
    `${hist}\n${box(width, [' Ready to start implementation?', '', ' 1. Do this', ' 2. Do that', '', ' ● 1.  Yes, automatically accept edits', '       Approves plan and allows tools to run automatically', '   2.  Yes, manually accept edits', '       Approves plan but requires confirmation for each tool', '   3.  Type your feedback...', '', ' Enter to select · ↑/↓ to navigate · Ctrl+X to edit plan · Esc to cancel'])}\n`,
  );
  add(
    `shell input`,
    'WAITING/input',
    `${user('go')}\n${box(width, [' ⊷  Shell npm init', '', ' package name: (app)', ''])}\n\n ! Shell awaiting input (Tab to focus)\n${comp(undefined, '>', '')}`,
  );
  add(`err`, 'IDLE/error', `${user('go')}\n✕ [API Error: {"error":{"code":400,"message":"bad request"}}]\n\n${comp()}`);
  add(
    `429`,
    'IDLE/rate-limit',
    `${user('go')}\n✕ [API Error: got status: 429 Too Many Requests. {"error":{"code":429,"message":"Resource has been exhausted","status":"RESOURCE_EXHAUSTED"}}]\n\n${comp()}`,
  );
  add(
    `limit`,
    'IDLE/usage-limit',
    `${user('go')}\n✕ [API Error: You have exhausted your daily quota on this model.]\n  Please wait and try again later.\n\n${comp()}`,
  );
  add(
    `401`,
    'IDLE/auth',
    `${user('go')}\n✕ [API Error: {"error":{"code":401,"message":"Request had invalid authentication credentials","status":"UNAUTHENTICATED"}}]\n\n${comp()}`,
  );
  add(`cancelled`, 'IDLE', `${user('go')}\n✦ Paragraph one\n\nℹ Request cancelled.\n\n${comp()}`);
  add(
    `quoted`,
    'IDLE',
    `${user('what?')}\n✦ The dialog is:\n\n  ╭────────────╮\n  │ ● 1. Allow once\n  │   2. No\n  ╰────────────╯\n   ⠏ Thinking... (esc to cancel, 12s)\n\n  and that is it.\n\n${comp()}`,
  );
  add(
    `answered`,
    'IDLE',
    `${box(width, [' ✓  Shell npm test', '', ' ● 1. Allow once', '   2. No'])}\n✦ Done.\n\n${comp()}`,
  );
  add(`ctrlc`, 'UNCERTAIN', `${hist}\n${comp(undefined, '>', 'Press Ctrl+C again to exit.')}`);
  add(`exited`, 'UNCERTAIN', `${hist}\n${comp()}\n\nAgent powering down. Goodbye!\nada@box:~/app$ `);
  add(`esc again`, 'IDLE', `${hist}\n${comp(undefined, '>', 'Press Esc again to rewind.')}`);

  return found;
};
