import { drafts, rule, type Variant, type Variants } from './variant.ts';

/** Screens of pi. */
export const pi: Variants = (width) => {
  const found: Variant[] = [];
  const add = (name: string, expected: string, screen: string, title = ''): void => {
    found.push({ name, expected, screen, title });
  };
  const foot = `/src/app (main)\n0.0%/200k (auto)              lab-model • medium`;
  const hist = ` fix the login\n\n I looked at the code.\n\n $ npm test\n\n 12 passing\n\n Done. All tests pass.\n`;
  const comp = (inner = '', f = foot) => `${rule(width)}\n${inner}\n${rule(width)}\n${f}`;
  add(`rest`, 'IDLE', `${hist}\n${comp()}`);
  add(
    `rest foot`,
    'IDLE',
    `${hist}\n${comp('', '~/src/app (main)\n↑1.2k ↓40 $0.012 0.6%/200k (auto)   claude-sonnet • off')}`,
  );
  for (const [i, s] of [
    ' ⠧ Working...',
    ' ⠦ Working… (esc to interrupt)',
    ' Working... (esc to interrupt)',
    ' ⠼ Compacting context... (esc to cancel)',
    ' ⠴ Retrying (2/3) in 4s... (esc to cancel)',
    ' ⠼ Auto-compacting... (escape to cancel)',
  ].entries()) {
    add(`work${i}`, 'THINKING', `${hist}\n${s}\n\n${comp()}`);
    add(`work typed${i}`, 'THINKING', `${hist}\n${s}\n\n${comp('draft')}`);
  }
  add(
    `queued`,
    'THINKING',
    `${hist}\n Steering: reply second\n Follow-up: 然后\n ↳ Alt+Up to edit all queued messages\n\n ⠼ Working...\n\n${comp()}`,
  );
  for (const [i, t] of drafts.entries()) add(`typed${i}`, 'UNCERTAIN/draft', `${hist}\n${comp(t)}`);
  add(`typed multi`, 'UNCERTAIN/draft', `${hist}\n${comp('first\n\nthird')}`);
  add(
    `picker`,
    'WAITING',
    `${hist}\n${rule(width)}\n\nOnly showing models from configured providers.\n\n>\n\n→ lab-model [lab] ✓\n  other-model [lab]\n\n  Model Name: Lab Model\n\n${rule(width)}\n${foot}`,
  );
  add(
    `slash`,
    'UNCERTAIN/draft',
    `${hist}\n${rule(width)}\n/\n${rule(width)}\n→ settings       Open settings menu\n  model          Select model\n  (1/21)\n${foot}`,
  );
  add(`err`, 'IDLE/error', ` error 500\n\n Error: 500 Lab: internal server error\n\n${comp()}`);
  add(`429`, 'IDLE/rate-limit', ` go\n\n Error: 429 Too Many Requests\n\n${comp()}`);
  add(`aborted`, 'IDLE', ` go\n\n Some text\n\n Operation aborted\n\n${comp()}`);
  add(`exited`, 'UNCERTAIN', `${hist}\n${comp()}\nada@box:~/app$ `);
  add(
    `narr`,
    'IDLE',
    ` what?\n\n The row " ⠧ Working..." is shown, or\n\n   ⠧ Working...\n\n and it ends here.\n\n${comp()}`,
  );

  return found;
};
