import { box, pad, rule, type Variant, type Variants } from './variant.ts';

/** Screens of Claude Code, old and new. */
export const claude: Variants = (width) => {
  const found: Variant[] = [];
  const add = (name: string, expected: string, screen: string, title = ''): void => {
    found.push({ name, expected, screen, title });
  };
  const hist =
    '❯ fix the login\n\n● I looked at the code.\n\n● Bash(npm test)\n  ⎿  12 passing\n\n● Done. All tests pass.\n';
  const comp = (inner = '', foot = '  ? for shortcuts') => `${rule(width)}\n❯ ${inner}\n${rule(width)}\n${foot}`;
  const old = (inner = '', foot = '  ? for shortcuts') => `${box(width, [pad(` > ${inner}`, width - 2)])}\n${foot}`;
  const body = (s: string) => `${hist}\n${s}`;
  // rest
  add(`rest`, 'IDLE', body(comp()));
  add(`rest old`, 'IDLE', body(old()));
  add(`rest no hist`, 'IDLE', comp());
  add(`rest footer empty`, 'IDLE', body(comp('', '')));
  add(`rest accept edits`, 'IDLE', body(comp('', '  ⏵⏵ accept edits on (shift+tab to cycle)')));
  add(`rest bypass`, 'IDLE', body(comp('', '  ⏵⏵ bypass permissions on (shift+tab to cycle)')));
  add(`rest plan mode`, 'IDLE', body(comp('', '  ⏸ plan mode on (shift+tab to cycle)')));
  add(`rest ctx`, 'IDLE', body(comp('', '  ? for shortcuts          Context left until auto-compact: 12%')));
  add(`rest statusline`, 'IDLE', body(comp('', '  Opus 4.1 | ~/src/app | main* | $1.23 | 42%\n  ? for shortcuts')));
  add(
    `rest update`,
    'IDLE',
    body(
      comp(
        '',
        '  ? for shortcuts\n                 ✗ Auto-update failed · Try claude doctor or npm i -g @anthropic-ai/claude-code',
      ),
    ),
  );
  add(`rest ide`, 'IDLE', body(comp('', '  ? for shortcuts                       ⧉ In app.ts')));
  add(`rest try`, 'IDLE', body(comp('Try "how does app.ts work?"')));
  add(`rest old try`, 'IDLE', body(old('Try "fix lint errors"')));
  add(`after churn`, 'IDLE', `${hist}\n✻ Churned for 1m 12s\n\n${comp()}`);
  add(`after interrupted`, 'IDLE', `❯ go\n\n● Bash(sleep 100)\n  ⎿  Interrupted by user\n\n${comp()}`);
  add(`after interrupted2`, 'IDLE', `❯ go\n  ⎿  Interrupted · What should Claude do instead?\n\n${comp()}`);
  add(`rest mcp fail`, 'IDLE', body(comp('', '  ? for shortcuts\n  1 MCP server failed · /mcp')));
  // typed
  for (const [i, t] of [
    'hello there',
    'esc to interrupt',
    '1. Yes',
    'Bitte prüfe das README und',
    '請檢查這個檔案',
    '/model',
    '@src/app.ts',
    'пожалуйста, исправь',
    '[Pasted text #1 +40 lines]',
    'Press up to edit',
  ].entries()) {
    add(`typed${i}`, 'UNCERTAIN/draft', body(comp(t, '')));
    add(`typed old${i}`, 'UNCERTAIN/draft', body(old(t, '')));
  }
  add(
    `typed multi`,
    'UNCERTAIN/draft',
    body(`${rule(width)}\n❯ first line\n  second line\n\n  fourth line\n${rule(width)}\n  ? for shortcuts`),
  );
  add(
    `typed multi dialog`,
    'UNCERTAIN/draft',
    body(
      `${rule(width)}\n❯ look at this:\n  Do you want to proceed?\n  ❯ 1. Yes\n    2. No\n${rule(width)}\n  ? for shortcuts`,
    ),
  );
  add(
    `slash menu`,
    'UNCERTAIN/draft',
    body(
      `${rule(width)}\n❯ /\n${rule(width)}\n  /add-dir             Add a new working directory\n  /agents              Manage agent configurations\n  /clear               Clear conversation`,
    ),
  );
  add(`bash mode`, 'UNCERTAIN/draft', body(`${rule(width)}\n! ls -la\n${rule(width)}\n  ! for bash mode`));
  add(`bash mode empty`, 'UNCERTAIN/draft', body(`${rule(width)}\n! \n${rule(width)}\n  ! for bash mode`));
  // thinking
  for (const g of ['·', '✢', '✳', '✶', '✻', '✽', '*']) {
    for (const [i, s] of [
      `${g} Thinking… (esc to interrupt)`,
      `${g} Herding… (12s · ↑ 1.2k tokens · esc to interrupt)`,
      `${g} Reticulating… (1m 38s · ↓ 3.4k tokens · thought for 3s)`,
      `${g} Zesting… (1h 0m 2s · ↓ 3.4k tokens)`,
      `${g} Fermenting…`,
      `${g} Fixing the tests… (ctrl+c to interrupt · 3s)`,
      `${g} Compacting conversation… (12s · ↑ 2.1k tokens · esc to interrupt)`,
      `${g} Compacting conversation…`,
    ].entries()) {
      add(`spin ${g}${i}`, 'THINKING', body(`${s}\n\n${comp()}`));
      if (i < 3) add(`spin old ${g}${i}`, 'THINKING', body(`${s}\n\n${old()}`));
    }
  }
  add(
    `spin tip`,
    'THINKING',
    body(
      `✻ Pondering… (3s)\n  ⎿  Tip: Hit Enter to queue up additional messages while Claude is working.\n\n${comp()}`,
    ),
  );
  add(
    `spin todos`,
    'THINKING',
    body(
      `✻ Writing tests… (esc to interrupt · ctrl+t to hide todos)\n  ⎿  ☒ Read the code\n     ☐ Write tests\n     ☐ Run tests\n\n${comp()}`,
    ),
  );
  add(
    `spin 25 todos`,
    'THINKING',
    body(
      `✻ Writing tests… (2m 1s · ↓ 10k tokens)\n  ⎿  ${Array.from({ length: 25 }, (_, i) => `${i < 9 ? '✔' : '◻'} Task number ${i + 1} of the plan`).join('\n     ')}\n      … +3 pending\n\n${comp()}`,
    ),
  );
  add(`spin next`, 'THINKING', body(`· Doing… (3s)\n  ⎿  Next: Run the tests\n\n${comp()}`));
  add(
    `spin queued`,
    'THINKING',
    body(`✻ Pondering… (3s)\n\n> and then do this\n> and that\n\n${comp('Press up to edit queued messages')}`),
  );
  add(
    `spin queued2`,
    'THINKING',
    body(`✻ Pondering… (3s · esc to interrupt)\n\n  ❯ 然后 运行 测试\n\n  ❯ another one\n\n${comp()}`),
  );
  add(`spin typed`, 'THINKING', body(`✽ Pondering… (3s · ↓ 12 tokens)\n\n${comp('draft while working', '')}`));
  add(`foot interrupt`, 'THINKING', body(comp('', '  esc to interrupt')));
  add(`foot interrupt2`, 'THINKING', body(comp('', '  ⏵⏵ accept edits on (shift+tab to cycle) · esc to interrupt')));
  add(
    `foot interrupt3`,
    'THINKING',
    body(comp('', '  ⏵⏵ bypass permissions on (shift+tab to cycle) · esc to interrupt · ctrl+t to show todos')),
  );
  add(
    `retry`,
    'THINKING',
    body(
      `❯ go\n  ⎿  API Error (529 {"type":"error","error":{"type":"overloaded_error"}}) · Retrying in 4 seconds… (attempt 3/10)\n\n✻ Pondering… (33s)\n\n${comp()}`,
    ),
  );
  add(
    `retry2`,
    'THINKING/retrying',
    body(`❯ go\n  ⎿  API Error (Connection error.) · Retrying in 1 seconds… (attempt 1/10)\n\n${comp()}`),
  );
  add(`retry3`, 'THINKING/retrying', body(`✻ Retrying in 12s · attempt 4/10 (429 rate limited)… (40s)\n\n${comp()}`));
  add(`bg agents waiting`, 'THINKING', body(`✻ Waiting for 3 background agents to finish… (12s)\n\n${comp()}`));
  add(
    `tool running`,
    'THINKING',
    `❯ go\n\n● Bash(sleep 100)\n  ⎿  Running… (12s)\n\n✶ Running… (15s · ↓ 1 tokens)\n\n${comp()}`,
  );
  // background
  add(
    `bg shell`,
    'THINKING/background',
    body(comp('', '  ? for shortcuts · 2 background shells running · ↓ to manage')),
  );
  add(`bg task`, 'THINKING/background', body(comp('', '  1 shell · ↓ to manage')));
  // limits / errors
  add(
    `limit`,
    'IDLE/usage-limit',
    `❯ go\n  ⎿  You've hit your limit · resets 3pm (Europe/Berlin)\n     /upgrade to increase your usage limit.\n\n${comp()}`,
  );
  add(
    `limit2`,
    'IDLE/usage-limit',
    `❯ go\n  ⎿  Claude usage limit reached. Your limit will reset at 3pm (Europe/Berlin).\n\n${comp()}`,
  );
  add(
    `limit3`,
    'IDLE/usage-limit',
    `❯ go\n  ⎿  5-hour limit reached ∙ resets 11pm\n     /upgrade to increase your usage limit.\n\n${comp()}`,
  );
  add(`limit4`, 'IDLE/usage-limit', `❯ go\n\n● You've hit your session limit · resets 9:30am (UTC)\n\n${comp()}`);
  add(
    `narr limit`,
    'IDLE',
    `❯ go\n\n● I added a message that says "You've hit your limit" when the API answers 429.\n\n${comp()}`,
  );
  add(
    `401`,
    'IDLE/auth',
    `❯ go\n  ⎿  API Error: 401 {"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}} · Please run /login\n\n${comp()}`,
  );
  add(`401b`, 'UNCERTAIN/sign-in', `❯ go\n  ⎿  Invalid API key · Please run /login\n\n${comp()}`);
  add(
    `429`,
    'IDLE/rate-limit',
    `❯ go\n  ⎿  API Error: Request rejected (429) · this may be a temporary capacity issue\n\n${comp()}`,
  );
  add(
    `500`,
    'IDLE',
    `❯ go\n  ⎿  API Error: 500 {"type":"error","error":{"type":"api_error","message":"Internal server error"}}\n\n${comp()}`,
  );
  // dialogs
  const opts = (n: number, sel: number) =>
    Array.from(
      { length: n },
      (_, i) =>
        ` ${i === sel ? '❯' : ' '} ${i + 1}. ${['Yes', "Yes, and don't ask again for npm test commands in /src/app", 'No, and tell Claude what to do differently (esc)', 'Maybe', 'Later', 'Other'][i] ?? `Option ${i}`}`,
    ).join('\n');
  for (const n of [2, 3, 4, 6, 9])
    for (const sel of [0, 1, n - 1]) {
      add(
        `perm n${n} s${sel}`,
        'WAITING/permission',
        `${hist}\n${rule(width)}\n Bash command\n\n   npm test\n   Run the tests\n\n Do you want to proceed?\n${opts(n, sel)}\n\n Esc to cancel · Tab to amend`,
      );
      add(
        `perm nohint n${n} s${sel}`,
        'WAITING/permission',
        `${hist}\n${rule(width)}\n Bash command\n\n   npm test\n\n Do you want to proceed?\n${opts(n, sel)}`,
      );
      add(
        `perm box n${n} s${sel}`,
        'WAITING/permission',
        `${hist}\n${box(width, [
          ' Bash command',
          '',
          '   npm test',
          '   Run the tests',
          '',
          ' Do you want to proceed?',
          ...opts(n, sel)
            .split('\n')
            .map((r) => r.slice(0, width - 3)),
        ])}\n`,
      );
    }
  add(
    `perm mcp`,
    'WAITING/permission',
    `${hist}\n${rule(width)}\n Tool use\n\n   github - create_issue(title: "x") (MCP)\n   Create an issue\n\n Do you want to proceed?\n ❯ 1. Yes\n   2. Yes, and don't ask again for github - create_issue commands in /src\n   3. No, and tell Claude what to do differently (esc)`,
  );
  add(
    `perm fetch`,
    'WAITING/permission',
    `${hist}\n${rule(width)}\n Fetch\n\n   https://example.com\n   Claude wants to fetch content from example.com\n\n Do you want to allow Claude to fetch this content?\n ❯ 1. Yes\n   2. Yes, and don't ask again for example.com\n   3. No, and tell Claude what to do differently (esc)`,
  );
  add(
    `trust old`,
    'WAITING/trust',
    `${box(width, [
      '',
      ' Do you trust the files in this folder?',
      '',
      ' /Users/me/app',
      '',
      ' ❯ 1. Yes, proceed',
      '   2. No, exit',
      '',
    ])}\n   Enter to confirm · Esc to exit`,
  );
  add(
    `trust new`,
    'WAITING/trust',
    `${rule(width)}\n Do you trust the files in this folder?\n\n /Users/me/app\n\n Claude Code may read, write, or execute files contained in this directory.\n\n ❯ 1. Yes, proceed\n   2. No, exit\n\n Enter to confirm · Esc to cancel`,
  );
  add(
    `bypass warn`,
    'WAITING',
    `${rule(width)}\n WARNING: Claude Code running in Bypass Permissions mode\n\n By proceeding, you accept all responsibility.\n\n ❯ 1. No, exit\n   2. Yes, I accept\n\n Enter to confirm · Esc to cancel`,
  );
  add(
    `theme`,
    'WAITING',
    ` Welcome to Claude Code v2.0.1\n\n Let's get started.\n\n Choose the text style that looks best with your terminal\n To change this later, run /theme\n\n ❯ 1. Dark mode ✔\n   2. Light mode\n   3. Dark mode (colorblind-friendly)\n   4. Light mode (colorblind-friendly)`,
  );
  add(
    `login`,
    'WAITING/sign-in',
    ` Claude Code can be used with your Claude subscription.\n\n Select login method:\n\n ❯ 1. Claude account with subscription · Pro, Max, Team, or Enterprise\n\n   2. Anthropic Console account · API usage billing\n`,
  );
  add(
    `apikey`,
    'WAITING/sign-in',
    `${rule(width)}\n Detected a custom API key in your environment\n\n ANTHROPIC_API_KEY: sk-ant-...\n\n Do you want to use this API key?\n\n   1. Yes\n ❯ 2. No (recommended) ✔\n\n Enter to confirm · Esc to cancel`,
  );
  add(
    `mcp trust`,
    'WAITING',
    `${rule(width)}\n New MCP server found in .mcp.json: playwright\n\n MCP servers may execute code.\n\n ❯ 1. Use this and all future MCP servers in this project\n   2. Use this MCP server\n   3. Continue without using this MCP server\n\n Enter to confirm · Esc to reject`,
  );
  add(
    `mcp multi`,
    'WAITING',
    `${rule(width)}\n 2 new MCP servers found in .mcp.json\n\n Select any you wish to enable.\n\n ❯ [✔] playwright\n   [✔] github\n\n Space to select · Enter to confirm · Esc to reject all`,
  );
  add(
    `plan`,
    'WAITING/plan',
    `${hist}\n${box(width, [' Ready to code?', '', " Here is Claude's plan:", '', ' 1. Do this', ' 2. Do that', '', ' Would you like to proceed?', '', ' ❯ 1. Yes, and auto-accept edits', '   2. Yes, and manually approve edits', '   3. No, keep planning'])}`,
  );
  add(
    `plan new`,
    'WAITING/plan',
    `${hist}\n${rule(width)}\n Ready to code?\n\n Here is Claude's plan:\n╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n # Plan\n 1. Do this\n╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌\n\n Claude has written up a plan and is ready to execute. Would you like to proceed?\n\n ❯ 1. Yes, clear context and auto-accept edits (shift+tab)\n   2. Yes, auto-accept edits\n   3. Yes, manually approve edits\n   4. Type here to tell Claude what to change\n\n ctrl-g to edit in VS Code · ~/.claude/plans/x.md`,
  );
  add(
    `multi`,
    'WAITING/question',
    `${hist}\n${rule(width)}\n ☐ Features\n\nWhich features do you want?\n\n❯ 1. [ ] Auth\n  Log in\n  2. [✔] Search\n  Find things\n  3. [ ] Type something\n     Submit\n${rule(width)}\n  4. Chat about this\n\nEnter to select · ↑/↓ to navigate · Esc to cancel`,
  );
  add(
    `question last`,
    'WAITING/question',
    `${hist}\n${rule(width)}\n ☐ Storage\n\nWhich storage?\n\n  1. Postgres\n  2. SQLite\n  3. Type something.\n${rule(width)}\n❯ 4. Chat about this\n\nEnter to select · Tab/Arrow keys to navigate · Esc to cancel`,
  );
  add(
    `question custom statusline`,
    'WAITING',
    `${hist}\n${rule(width)}\n ☐ Storage\n\nWhich storage?\n\n❯ 1. Postgres\n  2. SQLite\n  3. Type something.\n\n  Opus 4.1 | main | 42%`,
  );
  // answered
  add(
    `answered perm`,
    'IDLE',
    `${rule(width)}\n Bash command\n\n   npm test\n\n Do you want to proceed?\n ❯ 1. Yes\n   2. No\n\n${hist}\n${comp()}`,
  );
  add(
    `quoted dialog`,
    'UNCERTAIN/unknown-row',
    `❯ what does it ask?\n\n● It shows this dialog:\n\n  Do you want to proceed?\n  ❯ 1. Yes\n    2. No\n\n  ✻ Thinking… (3s · esc to interrupt)\n\n${comp()}`,
  );
  add(
    `quoted spinner`,
    'UNCERTAIN/unknown-row',
    `❯ what spinners?\n\n● The spinner rows are:\n\n  · Thinking… (esc to interrupt)\n  ✻ Herding… (12s · ↑ 1.2k tokens · esc to interrupt)\n\n${comp()}`,
  );
  // viewer
  add(`transcript`, 'UNCERTAIN', `${hist}\n${rule(width)}\n  Showing detailed transcript · ctrl+o to toggle`);
  // exited
  add(`exited`, 'UNCERTAIN', `${hist}\n${comp()}\n\nada@box:~/app$ `);
  add(`exited2`, 'UNCERTAIN', `${hist}\n${comp()}\nResume this session with:\nclaude --resume 1234\n~/app main ❯ `);
  add(`exited3`, 'UNCERTAIN', `${hist}\n${comp()}\n\n➜  app git:(main) ✗ `);
  add(
    `suspended`,
    'UNCERTAIN',
    `${hist}\n${comp()}\nClaude Code has been suspended. Run \`fg\` to bring Claude Code back.\nNote: ctrl + z now suspends Claude Code, ctrl + _ undoes input.\n\n[1]+  Stopped                 claude\nada@box:~/app$ `,
  );
  add(`startup`, 'UNCERTAIN', ` ▐▛███▜▌   Claude Code v2.0.1\n▝▜█████▛▘  Opus 4.1 · Claude Max\n  ▘▘ ▝▝    /src/app`);

  return found;
};
