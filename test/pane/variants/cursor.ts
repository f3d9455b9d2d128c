import { drafts, pad, rule, type Variant, type Variants } from './variant.ts';

/** Screens of Cursor’s agent CLI, old and new. */
export const cursor: Variants = (width) => {
  const found: Variant[] = [];
  const add = (name: string, expected: string, screen: string, title = ''): void => {
    found.push({ name, expected, screen, title });
  };
  const hist = `  Cursor Agent\n  v2025.11.06 · ~/src/app\n\n ┌${rule(width - 4)}┐\n │ fix the login${' '.repeat(Math.max(0, width - 18))}│\n └${rule(width - 4)}┘\n\n  I looked at the code.\n\n  $ npm test 1.2s\n    12 passing\n\n  Done. All tests pass.\n`;
  const comp = (inner = 'Add a follow-up', f = '  Claude 4.5 Sonnet · 12%\n  / commands · @ files · ! shell') =>
    `\n  → ${inner}\n\n${f}`;
  const old = (inner = 'Add a follow-up', f = '  Claude 4.5 Sonnet · 12%\n  / commands · @ files · ! shell') =>
    ` ┌${rule(width - 4)}┐\n │ → ${pad(inner, width - 8)} │\n └${rule(width - 4)}┘\n${f}`;
  add(`rest`, 'IDLE', `${hist}${comp()}`);
  add(`rest old`, 'IDLE', `${hist}${old()}`);
  add(`rest fresh`, 'IDLE', `  Cursor Agent\n  ~/src/app\n${old('Plan, search, build anything', '  Auto')}`);
  add(`rest fresh2`, 'IDLE', `  Cursor Agent\n  ~/src/app\n${comp('Plan, search, build anything', '  Auto')}`);
  for (const g of ['⬡', '⬢', '⠋⠋', '⠆⠰', '⠉⠉', '⠠⠜']) {
    add(
      `work ${g}`,
      'THINKING',
      `${hist}\n ${g} Generating.\n${old('Add a follow-up                     ctrl+c to stop')}`,
    );
    add(
      `work2 ${g}`,
      'THINKING',
      `${hist}\n  ${g} Reading src/app.ts and more  1.2k tokens\n${comp('Add a follow-up', '  Auto')}`,
    );
    add(`work3 ${g}`, 'THINKING', `${hist}\n ${g} Thinking...  12s\n${comp('Add a follow-up        ctrl+c to stop')}`);
  }
  for (const [i, t] of drafts.entries()) {
    add(`typed${i}`, 'UNCERTAIN/draft', `${hist}${comp(t)}`);
    add(`typed old${i}`, 'UNCERTAIN/draft', `${hist}${old(t)}`);
  }
  add(
    `perm`,
    'WAITING/permission',
    `${hist}\n  $ npm install\n\n  Run this command?\n  Not in allowlist: npm\n   → Run (once) (y)\n     Add Shell(npm) to allowlist? (tab)\n     Auto-run everything (shift+tab)\n     Skip (esc or n)\n`,
  );
  add(
    `perm2`,
    'WAITING/permission',
    `${hist}\n ┌${rule(width - 4)}┐\n │ $ npm install\n └${rule(width - 4)}┘\n Waiting for approval...\n\n  Run this command?\n  Not in allowlist: npm\n     Run (once) (y) (enter)\n   → Reject & propose changes (esc or n or p)\n     Run Everything (shift+tab)\n`,
  );
  add(
    `edit`,
    'WAITING/permission',
    `${hist}\n  Write to this file?\n  in src/app.ts\n   → Proceed (y)\n     Reject & propose changes (esc or p)\n     Add Write(src/app.ts) to allowlist? (tab)\n     Run Everything (shift+tab)\n`,
  );
  add(
    `trust`,
    'WAITING/trust',
    `  ╭${rule(width - 6)}╮\n  │ ⚠ Workspace Trust Required\n  │\n  │ Cursor Agent can execute code and access files in this directory.\n  │\n  │ Do you want to trust the contents of this directory?\n  │\n  │ /src/app\n  │\n  │ ▶ [a] Trust this workspace\n  │   [q] Quit\n  │\n  │ Use arrow keys to navigate, Enter to select\n  ╰${rule(width - 6)}╯`,
  );
  add(`login`, 'WAITING/sign-in', `   +i":;;\n\n  Welcome to Cursor Agent\n\n  Press any key to log in...`);
  add(
    `quoted`,
    'IDLE',
    `  what?\n\n  It shows:\n\n     Run this command?\n      → Run (once) (y)\n        Skip (esc or n)\n\n  That is all that it shows and there are many\n  more rows below it, so that it is far from\n  the composer and stands in the transcript.\n  One.\n  Two.\n  Three.\n  Four.\n${comp()}`,
  );
  add(`ctrlc`, 'UNCERTAIN', `${hist}${comp('Add a follow-up', '  Press Ctrl+C again to exit')}`);
  add(`exited`, 'UNCERTAIN', `${hist}${comp()}\n\nada@box:~/app$ `);

  return found;
};
