import { pad, rule, type Variant, type Variants } from './variant.ts';

/** Screens of OpenCode. */
export const opencode: Variants = (width) => {
  const found: Variant[] = [];
  const add = (name: string, expected: string, screen: string, title = ''): void => {
    found.push({ name, expected, screen, title });
  };
  for (const ind of ['  ', '   ']) {
    const user = (s: string) => `${ind}┃\n${ind}┃  ${s}\n${ind}┃`;
    const done = `${ind}   ▣  Build · Claude Sonnet 4.5 · 11.4s`;
    const hist = `${user('fix the login')}\n\n${ind}   I looked at the code.\n\n${ind}   $ npm test\n\n${ind}   12 passing\n\n${done}\n`;
    const comp = (inner = '', foot = `${pad(`${ind} ~/src/app:main`, width - 24)}1.2K (1%)  ctrl+p commands`) =>
      `${ind}┃\n${ind}┃  ${inner}\n${ind}┃\n${ind}┃  Build · Claude Sonnet 4.5 Anthropic\n${ind}╹${rule(width - ind.length - 1, '▀')}\n${foot}`;
    const t = `indented by ${ind.length}`;
    add(`rest ${t}`, 'IDLE', `${hist}\n${comp()}`);
    add(
      `rest ask ${t}`,
      'IDLE',
      `\n\n${comp('Ask anything... "Fix a TODO in the codebase"', `${ind}tab switch agent  ctrl+p commands`)}`,
    );
    add(
      `rest ask2 ${t}`,
      'IDLE',
      `\n\n${comp('Ask anything… "What is the tech stack of this project?"', `${ind}   tab agents  ctrl+p commands`)}\n\n\n  ~/src/app:main     1.18.33`,
    );
    add(`rest nofoot ${t}`, 'UNCERTAIN/unfinished', `${hist}\n${comp('', '')}`);
    add(`rest mcp ${t}`, 'IDLE', `${hist}\n${comp('', `${ind} ~/src/app:main   ⊙ 2 MCP  /status   1.0.137`)}`);
    for (const bar of ['■■■■⬝⬝⬝⬝', '⬝⬝⬝⬝⬝⬝⬝⬝', '⬝⬝■■■■■■', '■⬝⬝⬝⬝⬝⬝⬝']) {
      add(
        `work ${bar} ${t}`,
        'THINKING',
        `${user('go')}\n\n${ind}   ▣  Build · X\n\n${comp('', `${ind} ${bar}  esc interrupt      tab agents  ctrl+p commands`)}`,
      );
      add(
        `work typed ${bar} ${t}`,
        'THINKING',
        `${user('go')}\n\n${comp('more text', `${ind} ${bar}  esc interrupt`)}`,
      );
    }
    add(`work armed ${t}`, 'THINKING', `${user('go')}\n\n${comp('', `${ind} ■■■■⬝⬝⬝⬝  esc again to interrupt`)}`);
    add(
      `work noanim ${t}`,
      'THINKING',
      `${user('go')}\n\n${comp('', `${ind} [⋯]  esc interrupt      ctrl+p commands`)}`,
    );
    add(
      `work retry ${t}`,
      'THINKING/retrying',
      `${user('go')}\n\n${comp('', `${ind} ⬝⬝⬝⬝⬝⬝⬝⬝ Overloaded [retrying in 12s attempt #5]  esc interrupt`)}`,
    );
    add(
      `queued ${t}`,
      'THINKING',
      `${user('go')}\n\n${ind}   text text\n\n${ind}┃\n${ind}┃  然后 测试\n${ind}┃   QUEUED\n${ind}┃\n\n${comp('', `${ind} ■■■■⬝⬝⬝⬝  esc interrupt`)}`,
    );
    for (const [i, s] of [
      'hello there',
      'esc interrupt',
      '/models',
      '@src',
      'Bitte prüfe',
      '請檢查',
      '△ Permission required',
      '1. Yes',
    ].entries())
      add(`typed${i} ${t}`, 'UNCERTAIN/draft', `${hist}\n${comp(s)}`);
    add(
      `perm ${t}`,
      'WAITING/permission',
      `${hist}\n${ind}┃\n${ind}┃  △ Permission required\n${ind}┃    # Shell command\n${ind}┃\n${ind}┃  $ npm test\n${ind}┃\n${ind}┃   Allow once   Allow always   Reject          ⇆ select  enter confirm\n${ind}┃`,
    );
    add(
      `perm edit ${t}`,
      'WAITING/permission',
      `${hist}\n${ind}┃\n${ind}┃  △ Permission required\n${ind}┃    ← Edit src/app.ts\n${ind}┃\n${ind}┃  1 - old\n${ind}┃  1 + new\n${ind}┃\n${ind}┃   Allow once   Allow always   Reject   ctrl+f fullscreen\n${ind}┃`,
    );
    add(
      `perm always ${t}`,
      'WAITING',
      `${hist}\n${ind}┃\n${ind}┃  △ Always allow\n${ind}┃\n${ind}┃  This will allow the following patterns until OpenCode is restarted\n${ind}┃  - npm *\n${ind}┃\n${ind}┃   Confirm   Cancel          ⇆ select  enter confirm  esc cancel\n${ind}┃`,
    );
    add(
      `reject reason ${t}`,
      'WAITING',
      `${hist}\n${ind}┃\n${ind}┃  △ Reject permission\n${ind}┃  Tell OpenCode what to do differently\n${ind}┃\n${ind}┃  enter confirm  esc cancel\n${ind}┃`,
    );
    add(
      `question ${t}`,
      'WAITING/question',
      `${hist}\n${ind}┃\n${ind}┃  Which storage?\n${ind}┃\n${ind}┃  1. Postgres\n${ind}┃     A server\n${ind}┃  2. SQLite\n${ind}┃  3. Type your own answer\n${ind}┃\n${ind}┃  ↑↓ select  enter submit  esc dismiss\n${ind}┃`,
    );
    add(
      `question multi ${t}`,
      'WAITING/question',
      `${hist}\n${ind}┃\n${ind}┃  Which? (select all that apply)\n${ind}┃\n${ind}┃  1. [✓] Postgres\n${ind}┃  2. [ ] SQLite\n${ind}┃\n${ind}┃  ↑↓ select  enter toggle  esc dismiss\n${ind}┃`,
    );
    add(`err ${t}`, 'IDLE', `${user('go')}\n\n${ind}┃\n${ind}┃  AI_APICallError: bad request\n${ind}┃\n\n${comp()}`);
    add(
      `interrupted ${t}`,
      'IDLE',
      `${user('go')}\n\n${ind}   text\n\n${ind}   ▣  Build · Sonnet · interrupted\n\n${comp()}`,
    );
    add(
      `quoted ${t}`,
      'IDLE',
      `${user('what?')}\n\n${ind}   It shows:\n\n${ind}   △ Permission required\n${ind}   Allow once   Allow always   Reject  enter confirm\n\n${ind}   ■■■■⬝⬝⬝⬝  esc interrupt\n\n${done}\n\n${comp()}`,
    );
    add(`exited ${t}`, 'UNCERTAIN', `\n  Session   Lab reply run\n  Continue  opencode -s ses_123\n\nada@box:~/app$ `);
  }

  return found;
};
