import { box, rule, type Variant, type Variants } from './variant.ts';

/** Screens of Codex, old and new. */
export const codex: Variants = (width) => {
  const found: Variant[] = [];
  const add = (name: string, expected: string, screen: string, title = ''): void => {
    found.push({ name, expected, screen, title });
  };
  const head = box(Math.min(width, 60), [
    ' >_ OpenAI Codex (v0.98.0)',
    '',
    ' model:     gpt-5.2 high   /model to change',
    ' directory: ~/src/app',
  ]);
  const hist = `› fix the login\n\n• I looked at the code.\n\n• Ran npm test\n  └ 12 passing\n\n${'─ Worked for 1m 02s '.padEnd(width, '─')}\n\n• Done. All tests pass.\n`;
  const foots = [
    '  ? for shortcuts                     98% context left',
    '  98% context left',
    '  98% context left · ? for shortcuts',
    '  gpt-5.4 high · ~/src/app · main',
    '  gpt-5.2-codex medium · 87% left · ~/app',
    '  Plan mode (shift+tab to cycle)     100% context left',
  ];
  const comp = (inner = 'Ask Codex to do anything', foot = foots[0]) => `› ${inner}\n\n${foot}`;
  for (const [i, f] of foots.entries()) {
    add(`rest f${i}`, 'IDLE', `${hist}\n\n${comp(undefined, f)}`);
    add(`rest head f${i}`, 'IDLE', `${head}\n\n  Tip: use /model\n\n${comp('Explain this codebase', f)}`);
    add(`rest bare f${i}`, 'IDLE', `${hist}\n\n${comp('', f)}`);
    add(`work f${i}`, 'THINKING', `› do\n\n• Working (12s • esc to interrupt)\n\n\n${comp(undefined, f)}`);
    add(`typed f${i}`, 'UNCERTAIN/draft', `${hist}\n\n${comp('please fix the tests', f)}`);
    add(`work typed f${i}`, 'THINKING', `› do\n\n• Working (12s • esc to interrupt)\n\n\n${comp('more text', f)}`);
  }
  add(
    `rest old`,
    'IDLE',
    `${hist}\n▌ Ask Codex to do anything\n\n ⏎ send   Ctrl+J newline   Ctrl+T transcript   Ctrl+C quit`,
  );
  add(
    `rest old2`,
    'IDLE',
    `${hist}\n▌ Ask Codex to do anything\n\n ⏎ send   ⌃J newline   ⌃T transcript   ⌃C quit   1234 tokens used   98% context left`,
  );
  add(
    `work old`,
    'THINKING',
    `${hist}\n▌ • Working (3s • Esc to interrupt)\n▌ \n▌ Ask Codex to do anything\n\n ⏎ send   Ctrl+J newline   Ctrl+C quit`,
  );
  for (const b of ['•', '◦', ' '])
    for (const [i, s] of [
      'Working (0s • esc to interrupt)',
      'Working (1m 38s • esc to interrupt)',
      'Investigating rendering code (1h 0m 2s • Esc to interrupt)',
      'Working (12s • esc to interrupt) · 1 background terminal running · /ps to view',
      'Reading src/app.ts and thinking about it (3s • esc to interrupt)',
      'Compacting context (4s • esc to interrupt)',
      'Reconnecting... 2/5 (12s • esc to interrupt)',
      'Planlama yapılıyor (2s • esc to interrupt)',
      '分析中 (2s • esc to interrupt)',
    ].entries()) {
      const gl = b === ' ' ? '  ' : `${b} `;
      add(`status ${b}${i}`, 'THINKING', `${hist}\n› next\n\n${gl}${s}\n\n\n${comp()}`);
      add(`status detail ${b}${i}`, 'THINKING', `${hist}\n› next\n\n${gl}${s}\n  └ Reading files\n\n\n${comp()}`);
    }
  add(`status cut`, 'THINKING', `${hist}\n› next\n\n• Working (0s • esc…\n\n\n${comp()}`);
  add(
    `queued`,
    'THINKING',
    `${hist}\n• Working (3s • esc to interrupt)\n\n• Queued follow-up inputs\n  ↳ do this next\n  ↳ 然后 运行 测试\n    ⌥ + ↑ edit last queued message\n\n${comp()}`,
  );
  add(
    `queued2`,
    'THINKING',
    `${hist}\n• Working (3s • esc to interrupt)\n\n  ↳ Hello, this is a queued message\n    alt + ↑ edit\n\n\n${comp()}`,
  );
  add(
    `pending steer`,
    'THINKING',
    `${hist}\n• Working (3s • esc to interrupt)\n\n• Messages to be submitted at end of turn\n  ↳ also the docs\n\n${comp()}`,
  );
  add(
    `limit`,
    'IDLE/usage-limit',
    `› go\n\n■ You've hit your usage limit. Upgrade to Pro (https://chatgpt.com/explore/pro) or try again in 3 days 1 hour 5 minutes.\n\n\n${comp()}`,
  );
  add(
    `limit2`,
    'IDLE/usage-limit',
    `› go\n\n■ You've hit your usage limit. Visit https://chatgpt.com/codex/settings/usage to purchase more credits or try again at 5:46 PM.\n\n\n${comp()}`,
  );
  add(
    `429`,
    'IDLE/rate-limit',
    `› go\n\n■ exceeded retry limit, last status: 429 Too Many Requests, request id: abc\n\n\n${comp()}`,
  );
  add(
    `401`,
    'IDLE/auth',
    `› go\n\n■ unexpected status 401 Unauthorized: Missing bearer or basic authentication in header\n\n\n${comp()}`,
  );
  add(`err`, 'IDLE/error', `› go\n\n■ stream disconnected before completion: error sending request\n\n\n${comp()}`);
  add(
    `interrupted`,
    'IDLE',
    `› go\n\n■ Conversation interrupted - tell the model what to do differently. Something went wrong? Hit \`/feedback\` to report the issue.\n\n\n${comp()}`,
  );
  add(
    `warn retry`,
    'THINKING',
    `› go\n\n⚠ stream error: unexpected status 503; retrying 2/5 in 412ms…\n\n• Working (12s • esc to interrupt)\n\n\n${comp()}`,
  );
  const opts = (n: number, sel: number) =>
    Array.from(
      { length: n },
      (_, i) =>
        `${i === sel ? '›' : ' '} ${i + 1}. ${['Yes, proceed (y)', "Yes, and don't ask again for commands that start with `npm install` (p)", 'No, and tell Codex what to do differently (esc)', 'Other'][i] ?? 'Option'}`,
    ).join('\n');
  for (const n of [2, 3, 4, 7])
    for (const sel of [0, 1, n - 1]) {
      add(
        `perm ${n}${sel}`,
        'WAITING/permission',
        `${hist}\n\n  Would you like to run the following command?\n\n  Reason: needs the network\n\n  $ npm install\n\n${opts(n, sel)}\n\n  Press enter to confirm or esc to cancel`,
      );
      add(
        `perm nohint ${n}${sel}`,
        'WAITING/permission',
        `${hist}\n\n  Would you like to run the following command?\n\n  $ npm install\n\n${opts(n, sel)}`,
      );
      add(
        `edit ${n}${sel}`,
        'WAITING/permission',
        `${hist}\n• Added a.txt (+1 -0)\n    1 +hello\n\n\n  Would you like to make the following edits?\n\n  Reason: The model wants to apply changes\n\n${opts(n, sel)}\n\n  Press enter to confirm or esc to cancel`,
      );
    }
  add(
    `trust`,
    'WAITING/trust',
    `> You are in /src/app\n\n  Do you trust the contents of this directory? Working with untrusted contents comes with higher risk of prompt injection.\n\n› 1. Yes, continue\n  2. No, quit\n\n  Press enter to continue`,
  );
  add(
    `trust old`,
    'WAITING',
    `> You are running Codex in /src/app\n\n  Since this folder is version controlled, you may wish to allow Codex to work in this folder without asking for approval.\n\n› 1. Yes, allow Codex to work in this folder without asking for approval\n  2. No, ask me to approve edits and commands\n\n  Press enter to continue`,
  );
  add(
    `update`,
    'WAITING',
    `  ✨ Update available! 0.40.0 -> 0.41.0\n\n  Release notes: https://github.com/openai/codex/releases/latest\n\n› 1. Update now (runs \`npm install -g @openai/codex\`)\n  2. Skip\n  3. Skip until next version\n\n  Press enter to continue`,
  );
  add(
    `update unmarked`,
    'WAITING',
    `  ✨ Update available! 0.40.0 -> 0.41.0\n\n  1. Update now (runs \`npm install -g @openai/codex\`)\n  2. Skip\n  3. Skip until next version\n\n  Press enter to continue`,
  );
  add(
    `signin`,
    'WAITING/sign-in',
    `  Welcome to Codex, OpenAI's command-line coding agent\n\n  Sign in with ChatGPT to use Codex as part of your paid plan\n  or connect an API key for usage-based billing\n\n> 1. Sign in with ChatGPT\n     Usage included with Plus, Pro, Team, and Enterprise plans\n\n  2. Provide your own API key\n     Pay for what you use\n\n  Press Enter to continue`,
  );
  add(
    `device`,
    'WAITING/sign-in',
    `  Welcome to Codex, OpenAI's command-line coding agent\n\n  Finish signing in via your browser\n\n  If the link doesn't open automatically, open the following link to authenticate:\n\n  https://auth.openai.com/oauth/authorize?response_type=code\n\n  Press Esc to cancel`,
  );
  add(
    `plan`,
    'WAITING',
    `${hist}\n  Implement this plan?\n\n› 1. Yes, implement this plan   Switch to Default and start coding.\n  2. No, stay in Plan mode      Continue planning with the model.\n\n  Press enter to confirm or esc to go back`,
  );
  add(
    `question`,
    'WAITING/question',
    `${hist}\n  Question 1/2 (2 unanswered)\n  Which storage should we use?\n\n  › 1. Postgres            A server database\n    2. SQLite              One file\n    3. None of the above   Optionally, add details in notes (tab).\n\n  tab to add notes | enter to submit answer | esc to interrupt`,
  );
  add(
    `model`,
    'WAITING',
    `${hist}\n  Select Model and Effort\n  Access legacy models by running codex -m <model_name>\n\n› 1. gpt-5.2-codex (default)  Latest frontier agentic coding model.\n  2. gpt-5.2                  Frontier model\n\n  Press enter to select reasoning effort, or esc to dismiss.`,
  );
  add(
    `approvals`,
    'WAITING',
    `${hist}\n  Update Model Permissions\n\n› 1. Default (current)  Codex can read and edit files\n  2. Full Access        Codex can edit files outside this workspace\n\n  Press enter to confirm or esc to go back`,
  );
  add(
    `old modal`,
    'WAITING',
    `${hist}\n▌ Allow command?\n▌ \n▌ $ npm install\n▌ \n▌ > 1. Approve  (Y)\n▌   2. Always Approve this session (A)\n▌   3. Deny (N)\n▌ \n▌ Press Enter to confirm or Esc to cancel`,
  );
  add(
    `slash`,
    'UNCERTAIN/draft',
    `${hist}\n› /\n\n  /model        choose what model and reasoning effort to use\n  /approvals    choose what Codex can do without approval\n  /review       review my current changes and find issues`,
  );
  add(`slash mo`, 'UNCERTAIN/draft', `${hist}\n› /mo\n\n  /model  choose what model and reasoning effort to use`);
  add(`mention`, 'UNCERTAIN/draft', `${hist}\n› look at @src\n\n  src/app.ts\n  src/main.ts`);
  add(`multi typed`, 'UNCERTAIN/draft', `${hist}\n› first line\n  second line\n\n  fourth\n\n  98% context left`);
  add(`paste chip`, 'UNCERTAIN/draft', `${hist}\n› [Pasted Content 1024 chars]\n\n  98% context left`);
  add(
    `quoted dialog`,
    'UNCERTAIN/unknown-row',
    `› what?\n\n• Codex asks:\n\n    Would you like to run the following command?\n\n    › 1. Yes, proceed (y)\n      2. No\n\n    Press enter to confirm or esc to cancel\n\n\n${comp()}`,
  );
  add(
    `quoted status`,
    'IDLE',
    `› what?\n\n• The row says:\n\n  • Working (12s • esc to interrupt)\n\n  and then goes.\n\n\n${comp()}`,
  );
  add(
    `old approved`,
    'IDLE',
    `✔ You approved codex to run npm install this time\n\n• Ran npm install\n  └ ok\n\n• Done.\n\n\n${comp()}`,
  );
  add(
    `transcript`,
    'UNCERTAIN',
    `/ T R A N S C R I P T / / / / / / / / / / / / / / /\n› fix\n\n• Done\n${rule(width - 5)} 100% ─\n ↑/↓ to scroll   pgup/pgdn to page   home/end to jump\n q to quit   esc to edit prev`,
  );
  add(
    `exited`,
    'UNCERTAIN',
    `${hist}\nToken usage: total=1234 input=1000 output=234\nTo continue this session, run codex resume 0199\nada@box:~/app$ `,
  );
  add(`exited stale`, 'UNCERTAIN', `${hist}\n\n${comp()}\n\nada@box:~/app$ `);
  add(
    `bg term rest`,
    'THINKING/background',
    `${hist}\n\n  1 background terminal running · /ps to view · /stop to close\n\n${comp()}`,
  );
  add(`rest paused`, 'IDLE', `${hist}\n\n• Goal paused. Use /goal resume to continue.\n\n${comp()}`);

  return found;
};
