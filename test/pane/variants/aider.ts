import { drafts, rule, type Variant, type Variants } from './variant.ts';

/** Screens of aider. */
export const aider: Variants = (width) => {
  const found: Variant[] = [];
  const add = (name: string, expected: string, screen: string, title = ''): void => {
    found.push({ name, expected, screen, title });
  };
  const head = `Aider v0.86.1\nMain model: claude-sonnet-4 with diff edit format, infinite output\nWeak model: claude-3-5-haiku\nGit repo: .git with 12 files\nRepo-map: using 1024 tokens, auto refresh\n`;
  const hist = `${head}${rule(width)}\n> fix the login\n\nI looked at the code.\n\nTokens: 2.1k sent, 310 received. Cost: $0.01 message, $0.01 session.\nApplied edit to app.py\nCommit 1234567 fix: login\n`;
  add(`rest`, 'IDLE', `${hist}${rule(width)}\n> `);
  add(`rest files`, 'IDLE', `${hist}${rule(width)}\napp.py tests/test_app.py\n> `);
  for (const m of ['ask', 'architect', 'diff', 'multi', 'ask multi', 'help', 'context', 'code'])
    add(`rest ${m}`, 'IDLE', `${hist}${rule(width)}\n${m}> `);
  add(`rest no rule`, 'IDLE', `${hist}> `);
  for (const [i, t] of drafts.entries()) add(`typed${i}`, 'UNCERTAIN/draft', `${hist}${rule(width)}\n> ${t}`);
  add(`yn`, 'WAITING', `${hist}\nAdd app.py to the chat? (Y)es/(N)o/(A)ll/(S)kip all/(D)on't ask again [Yes]: `);
  add(`yn2`, 'WAITING', `${hist}\nRun shell command? (Y)es/(N)o/(D)on't ask again [Yes]: `);
  add(
    `yn3`,
    'WAITING',
    `${head}No git repo found, create one to track aider's changes (recommended)? (Y)es/(N)o [Yes]: `,
  );
  add(`yn4`, 'WAITING', `${head}Add .aider* to .gitignore (recommended)? (Y)es/(N)o [Yes]: `);
  add(`yn typed`, 'UNCERTAIN', `${hist}\nCreate new file? (Y)es/(N)o [Yes]: y`);
  add(`wait`, 'THINKING', `${hist}\n> go\n\n░█        Waiting for claude-sonnet-4`);
  add(`wait2`, 'THINKING', `${hist}\n> go\n\n █░  Waiting for LLM`);
  add(`stream`, 'THINKING', `${hist}\n> go\n\nI will now change the file as\nfollows and then`);
  add(`exited`, 'UNCERTAIN', `${hist}${rule(width)}\n> /exit\nada@box:~/app$ `);
  add(`exited2`, 'UNCERTAIN', `${hist}${rule(width)}\n> \n\n^C again to exit\n\n^C KeyboardInterrupt\nada@box:~/app$ `);
  add(`ctrlc`, 'IDLE', `${hist}${rule(width)}\n> \n\n^C again to exit\n${rule(width)}\n> `);
  add(
    `answered`,
    'IDLE',
    `${hist}\nAdd app.py to the chat? (Y)es/(N)o/(D)on't ask again [Yes]: y\n\nok\n${rule(width)}\napp.py\n> `,
  );

  return found;
};
