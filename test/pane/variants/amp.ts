import { drafts, pad, type Variant, type Variants } from './variant.ts';

/** Screens of Amp. */
export const amp: Variants = (width) => {
  const found: Variant[] = [];
  const add = (name: string, expected: string, screen: string, title = ''): void => {
    found.push({ name, expected, screen, title });
  };
  const hist = `  ┃ fix the login\n\n  I looked at the code.\n\n  ✓ Bash npm test\n\n  Done. All tests pass.\n`;
  const comp = (
    inner: string[] = ['', '', ''],
    edge = `╰${'─'.repeat(Math.max(2, width - 22))}~/src/app (main)──╯`,
    top = `╭─12% of 168k · $0.20${'─'.repeat(Math.max(2, width - 30))}smart─╮`,
  ) => `${top}\n${inner.map((r) => `│ ${pad(r, width - 4)} │`).join('\n')}\n${edge}`;
  add(`rest`, 'IDLE', `${hist}\n${comp()}`);
  add(`rest plain`, 'IDLE', `${hist}\n${comp(['', ''], `╰${'─'.repeat(width - 2)}╯`, `╭${'─'.repeat(width - 2)}╮`)}`);
  for (const g of ['≈', '∿', '≋', '∼', '⠋']) {
    add(
      `edge ${g}`,
      'THINKING',
      `${hist}\n${comp(['', '', ''], `╰ ${g} Streaming response…${'─'.repeat(Math.max(2, width - 44))} ~/src/app ╯`)}`,
    );
    add(`foot ${g}`, 'THINKING', `${hist}\n${comp()}\n  ${g} Running tools…       Esc to cancel`);
    add(`edge typed ${g}`, 'THINKING', `${hist}\n${comp(['draft', ''], `╰ ${g} Thinking…──────╯`)}`);
  }
  for (const [i, t] of drafts.entries()) add(`typed${i}`, 'UNCERTAIN/draft', `${hist}\n${comp([t, '', ''])}`);
  add(
    `approve`,
    'WAITING/permission',
    `${hist}\n  Run this command?\n\n  npm install\n\n  ▸● Approve [Alt+1]\n   ○ Allow All for This Session [Alt+2]\n   ○ Deny with feedback [Alt+4]\n`,
  );
  add(
    `approve box`,
    'WAITING/permission',
    `${hist}\n${comp(['Run this command?', 'npm install', '', '▸● Approve [Alt+1]', ' ○ Allow All [Alt+2]', ' ○ Deny with feedback [Alt+4]'], `╰ Waiting for approval…──────╯`)}`,
  );
  add(
    `login`,
    'WAITING/sign-in',
    `No API key found. Starting login flow...\n\nWould you like to log in to Amp? [(y)es, (n)o]: `,
  );
  add(`exited`, 'UNCERTAIN', `${hist}\n${comp()}\n\nada@box:~/app$ `);
  add(
    `quoted`,
    'IDLE',
    `  ┃ what?\n\n  It shows:\n\n    ▸● Approve [Alt+1]\n     ○ Deny\n\n    ≈ Streaming…\n\n  That is all.\n\n${comp()}`,
  );

  return found;
};
