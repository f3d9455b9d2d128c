import { drafts, rule, type Variant, type Variants } from './variant.ts';

/** Screens of Cline. */
export const cline: Variants = (width) => {
  const found: Variant[] = [];
  const add = (name: string, expected: string, screen: string, title = ''): void => {
    found.push({ name, expected, screen, title });
  };
  const foot = ` lab-model (0) $0.00            ○ Plan ● Act (Tab)\n work (main)\n Auto-approve all disabled (Shift+Tab)`;
  const hist = ` ❯ fix the login\n\n * I looked at the code.\n\n * run_commands(npm test)\n   ⎿ 12 passing\n\n * Done. All tests pass.\n`;
  const comp = (inner = 'Ask anything...', f = foot) => `${rule(width)}\n❯ ${inner}\n${rule(width)}\n${f}`;
  add(`rest`, 'IDLE', `${hist}\n${comp()}`);
  add(
    `rest fresh`,
    'IDLE',
    `\n          What can I do for you?\n\n     ${rule(width - 12)}\n     ❯ What can I do for you?\n     ${rule(width - 12)}\n\n      lab-model (0) $0.00    ○ Plan ● Act (Tab)`,
  );
  add(`rest plan`, 'IDLE', `${hist}\n${comp(undefined, ' m (0) $0.00    ● Plan ○ Act (Tab)\n work (main)')}`);
  for (const g of ['⠋', '⠙', '⠸', '⠏']) {
    add(`work ${g}`, 'THINKING', ` ❯ go\n\n ${g} Thinking...\n\n${comp()}`);
    add(`work2 ${g}`, 'THINKING', ` ❯ go\n\n ${g} run_commands(npm test)\n\n\n\n${comp('draft')}`);
    add(
      `work3 ${g}`,
      'THINKING',
      ` ❯ go\n\n ${g} Paragraph 1: the lab stub is streaming\n   ordinary words\n\n   Paragraph 2: more\n\n${comp()}`,
    );
  }
  for (const [i, t] of drafts.entries()) add(`typed${i}`, 'UNCERTAIN/draft', `${hist}\n${comp(t)}`);
  add(
    `perm`,
    'WAITING/permission',
    `${hist}\n\n Cline needs permission\n\n Approve tool call?\n run_commands\n\n   $ npm test\n  [y] Approve   [n] Deny\n\n\n${foot}`,
  );
  add(
    `ask`,
    'WAITING/question',
    `${hist}\n ⠦ ask_question(Which?)\n\n Cline is asking a question\n\n Which storage?\n\n  > Postgres\n    SQLite\n    Files\n    Type a response...\n\n\n${foot}`,
  );
  add(
    `ask last`,
    'WAITING/question',
    `${hist}\n Cline is asking a question\n\n Which storage?\n\n    Postgres\n    SQLite\n  > Type a response...\n\n\n${foot}`,
  );
  add(
    `quoted`,
    'UNCERTAIN/unknown-row',
    ` ❯ what?\n\n * It shows:\n\n   Approve tool call?\n    [y] Approve   [n] Deny\n\n    ⠋ Thinking...\n\n   done\n\n${comp()}`,
  );
  add(`exited`, 'UNCERTAIN', `${hist}\n${comp()}\n\nada@box:~/app$ `);
  add(`err`, 'IDLE', ` ❯ go\n\n x API request failed: 500\n\n${comp()}`);

  return found;
};
