import { expect } from 'chai';
import { decide } from '#actors/registry/approval/decide.ts';
import type { ApprovalRule } from '#contract/approval/approval-rule.ts';
import type { ReadQuestion } from '#contract/approval/asked-question.ts';

const choices = [
  { label: 'Yes', keys: ['1'] },
  { label: 'Yes, and do not ask again', keys: ['2'] },
  { label: 'No', keys: ['3'] },
] satisfies ReadQuestion['choices'];
const asks = (part: Partial<ReadQuestion>): ReadQuestion => ({
  form: 'permission',
  tool: 'shell',
  text: part.command ?? '',
  whole: true,
  choices,
  yes: 0,
  no: 2,
  ...part,
});
const action = 'APPROVAL_ACTION_ANSWER';
const verdict = (rules: readonly ApprovalRule[], part: Partial<ReadQuestion>): string =>
  decide(rules, { question: asks(part) }).action.replace('APPROVAL_ACTION_', '');
const git: ApprovalRule = { action, command: { glob: 'git status *' } };
const any: ApprovalRule = { action, command: { glob: '* *' } };
const expression: ApprovalRule = { action, command: { expression: 'git .*' } };

/** Commands that only look like `git status`. */
const tricks: Readonly<Record<string, string>> = {
  'a second command': 'git status && rm -rf /',
  'an alternative': 'git status || rm -rf /',
  'a list': 'git status; rm -rf /',
  'a last separator': 'git status;',
  'a job in the background': 'git status & rm -rf /',
  'a pipe': 'git status | sh',
  'a substitution': 'git status $(rm -rf /)',
  'a quoted substitution': 'git status "$(rm -rf /)"',
  backticks: 'git status `rm -rf /`',
  'a second line': 'git status\nrm -rf /',
  'a carriage return': 'git status\rrm -rf /',
  'a redirection': 'git status > ~/.bashrc',
  'a redirection before it': '>x git status',
  'a here string': 'git status <<< x',
  'a process substitution': 'git status <(rm -rf /)',
  'a variable before it': 'GIT_PAGER=evil git status',
  'a variable': 'git status $IFS',
  'an unfinished quote': "git status 'rm",
  'a comment': 'git status # harmless',
  'a group': '{ git status; }',
  'a subshell': '(git status)',
  'a negation': '! git status',
  'a brace expansion': 'git status {a,b}',
  'a glob': 'git status *',
  'the home folder': 'git status ~/x',
  'a history expansion': 'git status "!!"',
  'an escaped quote': "git status $'a'",
  'a cyrillic letter': 'g\u0456t status',
  'a full-width letter': 'git st\uff41tus',
  'a letter that is not seen': 'git stat\u200bus',
  'text that runs the other way': 'git status \u202e/ fr- mr',
  'a tab': 'git\tstatus',
  'an expansion of zsh': 'git status =rm',
  'a here document': 'git status <<E\nrm -rf /\nE',
  'a quote that ends elsewhere in fish': "git status 'x\\' ' ;rm -rf / #'",
  'a continued line': 'git status \\\nrm',
  'an alias that is set first': "alias git='rm -rf /'; git status",
  'a function of the same name': 'git() { rm -rf /; }; git status',
  arithmetic: 'git status $((a[$(rm -rf /)]))',
  'a space that is none': 'git\u00a0status',
  'a letter with a mark': 'git stat\u0301us',
};

describe('approval rules about commands', () => {
  it('agree to one simple command', () => {
    for (const command of ['git status', 'git status -s', "git status 'a b'", 'git  status src/a.ts'])
      expect(verdict([git], { command }), command).to.equal('ANSWER');
    expect(verdict([expression], { command: 'git log -3' })).to.equal('ANSWER');
    expect(verdict([git], { command: 'git stash' })).to.equal('ASK');
    expect(verdict([git], { command: './git status' })).to.equal('ASK');
  });

  for (const [what, command] of Object.entries(tricks)) {
    it(`are not fooled by ${what}`, () => {
      for (const rule of [git, any, expression, { action, command: { expression: '[^]*' } } as const])
        expect(verdict([rule], { command })).to.equal('ASK');
      expect(verdict([{ action, command: { exact: 'git status' } }], { command })).to.equal('ASK');
      expect(verdict([{ action, command: { exact: command } }], { command }), 'named exactly').to.equal('ANSWER');
    });
  }

  it('agree to what starts another command only if it is named exactly', () => {
    const started = [
      "sh -c 'rm -rf /'",
      'env git status',
      '/usr/bin/env git status',
      'sudo git status',
      'xargs rm',
      'eval rm',
      'find . -exec rm x',
      'find . -delete',
      "python3 -c 'x'",
      'node -e x',
      'git -c core.pager=evil status',
      'awk BEGIN',
      'timeout 5 rm -rf /',
      "perl '-esystem(1)'",
      "python3.12 '-cimport os'",
      'BASH x',
      'git x',
      'git config alias.x y',
      'git rebase -x evil',
      'git rebase --exe=evil',
      'git grep -Oevil x',
      'git diff --outp=/etc/x',
      'git clone -cx=y z',
      'git bisect run evil',
      'make SHELL=evil test',
      'npm exec evil',
      'npm test --script-shell=evil',
      'tar -Ievil -xf a',
      'sort -o/etc/x a',
      'rg --pre=evil x',
      'go test -exec evil',
      'go vet -vettool=evil',
      'tar --us=evil -xf a',
      'tar --inf evil -xf a',
      "make --ev '$(shell evil)'",
      'make --makef evil',
      'sort --comp=evil a',
      'sort --outp /etc/x',
      'split --fil=evil a',
      'wget --ex=x y',
      'wget -a x y',
      'curl -D x y',
      'curl --cookie-jar x y',
      'npm test --script-s=evil',
      'npm test --scr evil',
      'node --experimental-loader=evil x',
      'php -d auto_prepend_file=evil x',
      "git fetch 'ext::sh -c evil'",
      'uv run evil',
      'prlimit rm x',
    ];
    for (const command of started) {
      const program = command.split(' ')[0] ?? '';
      for (const rule of [
        any,
        { action, command: { glob: `${program} *` } } as const,
        { action, command: { expression: '.*' } } as const,
      ])
        expect(verdict([rule], { command }), command).to.equal('ASK');
      expect(verdict([{ action, command: { exact: command } }], { command })).to.equal('ANSWER');
    }
  });

  it('agree to words of a path only within the folder that they name, and to options that they spell out', () => {
    const cat: ApprovalRule = { action, command: { glob: 'cat src/*' } };
    expect(verdict([cat], { command: 'cat src/a.ts' })).to.equal('ANSWER');
    for (const command of ['cat src/../../x', 'cat src/..', 'cat src/a/b', 'cat src/a /etc/x', 'cat /src/a'])
      expect(verdict([cat], { command }), command).to.equal('ASK');
    const notes: ApprovalRule = { action, command: { glob: 'cat *.md' } };
    expect(verdict([notes], { command: 'cat a.md' })).to.equal('ANSWER');
    for (const command of ['cat ../x.md', 'cat a/../../x.md'])
      expect(verdict([notes], { command }), command).to.equal('ASK');
    const runs: ApprovalRule = { action, command: { glob: 'uv run pytest *' } };
    expect(verdict([runs], { command: 'uv run pytest -x test' })).to.equal('ANSWER');
    const pager: ApprovalRule = { action, command: { glob: 'git -c core.pager=cat log *' } };
    expect(verdict([pager], { command: 'git -c core.pager=cat log -3' })).to.equal('ANSWER');
    expect(verdict([pager], { command: 'git -c core.pager=evil log -3' })).to.equal('ASK');
    const tests: ApprovalRule = { action, command: { glob: 'python3 -m pytest *' } };
    expect(verdict([tests], { command: 'python3 -m pytest test/a.py' })).to.equal('ANSWER');
    expect(verdict([tests], { command: 'python3 -m evil' })).to.equal('ASK');
  });

  it('agree by an expression to no word that leads out of the folder that it names', () => {
    const by = (expression: string, command: string): string =>
      verdict([{ action, command: { expression } }], { command });
    expect(by('cat src\\/.*', 'cat src/a..b')).to.equal('ANSWER');
    for (const command of ['cat src/../../x', 'cat src/..']) expect(by('cat src\\/.*', command)).to.equal('ASK');
    expect(by('cat \\.\\.\\/.*', 'cat ../x')).to.equal('ANSWER');
    expect(by('rm -r build.*', 'rm -r build-1')).to.equal('ANSWER');
    expect(by('rm -r build.*', 'rm -r build-1/../src')).to.equal('ASK');
  });

  it('agree to nothing that was not read as a whole', () => {
    for (const rule of [git, { action, command: { exact: 'git status' } } as const])
      expect(verdict([rule], { command: 'git status', whole: false })).to.equal('ASK');
  });

  it('refuse first, wherever the rule is and whatever the command is wrapped in', () => {
    const refuse: ApprovalRule = { action: 'APPROVAL_ACTION_REFUSE', command: { glob: 'rm *' } };
    const hidden = [
      'rm -rf /',
      'find . -exec rm x ;',
      'ls | xargs rm x',
      'cat <<E\n$(rm x)\nE',
      'sh <<E\nrm x\nE',
      '/bin/rm -rf /',
      'git status && rm -rf /',
      'git status; (sudo rm -rf /)',
      'echo $(rm x)',
      'echo "`rm x`"',
      'sh -c "git status; rm -rf /"',
      "bash -lc 'eval rm x'",
      'A=1 rm x',
      'git status\nrm x',
      'if true; then rm x; fi',
      '\uff52m x',
      'RM x',
      'ls; /bin/Rm x',
      'r\u200bm x',
    ];
    for (const command of hidden) {
      const rules: ApprovalRule[] = [{ action, command: { exact: command } }, refuse];
      expect(verdict(rules, { command }), command).to.equal('REFUSE');
    }
    expect(verdict([refuse], { text: 'Bash command\ngit status\nrm x', whole: false })).to.equal('REFUSE');
    expect(verdict([refuse, git], { command: 'git status rm' })).to.equal('ANSWER');
  });

  it('leave a command to a person that is nested too deeply to be read', () => {
    const refuse: ApprovalRule = { action: 'APPROVAL_ACTION_REFUSE', command: { glob: 'rm *' } };
    for (const command of [`${'"$('.repeat(2_500)}rm x${')"'.repeat(300)}`, 'f() '.repeat(2_000)]) {
      const rules: ApprovalRule[] = [refuse, { action, command: { exact: command } }];
      expect(verdict(rules, { command }), command.slice(0, 9)).to.equal('ASK');
    }
  });

  it('leave a question to a person if an expression or a glob takes too long, unless a rule refuses it', () => {
    const command = 'a'.repeat(60);
    const slow = { expression: '(?:a|aa)+b' };
    const glob = { glob: `${'*a'.repeat(12)}b` };
    const exact = { command: { exact: command } };
    const began = process.threadCpuUsage();
    for (const one of [slow, glob]) {
      for (const which of [action, 'APPROVAL_ACTION_ASK', 'APPROVAL_ACTION_REFUSE'] as const) {
        const decision = decide(
          [
            { action: which, command: one },
            { action, ...exact },
          ],
          { question: asks({ command }) },
        );
        expect(decision).to.include({ action: 'APPROVAL_ACTION_ASK', rule: 1 });
        expect(decision.reason).to.contain('too long');
      }
    }
    const refuse: ApprovalRule = { action: 'APPROVAL_ACTION_REFUSE', ...exact };
    expect(verdict([{ action, command: slow }, refuse], { command })).to.equal('REFUSE');
    expect(process.threadCpuUsage(began).user).to.be.below(3_000_000);
  });
});

const folder = '/w/tree';
const placed = (path: string, resolved = path): string =>
  decide([{ action, path: { glob: 'src/**' } }], {
    question: asks({ tool: 'write', path }),
    place: { absolute: path, resolved, folder, resolvedFolder: folder },
  }).action;

describe('approval rules about files', () => {
  it('agree to files within the worktree', () => {
    expect(placed('/w/tree/src/a/b.ts')).to.equal(action);
    expect(placed('/w/tree/other/b.ts')).to.not.equal(action);
    expect(placed('/w/src/b.ts')).to.not.equal(action);
  });

  it('are not fooled by links out of it, nor by files that decide what is run', () => {
    expect(placed('/w/tree/src/link/x', '/etc/x')).to.not.equal(action);
    expect(placed('/w/tree/src/link/x', '/w/tree/other/x')).to.not.equal(action);
    const all = (glob: string, path: string): string =>
      decide([{ action, path: { glob } }], {
        question: asks({ tool: 'write', path }),
        place: { absolute: path, resolved: path, folder, resolvedFolder: folder },
      }).action;
    expect(all('**', '/w/tree/a')).to.equal(action);
    for (const file of ['.git/hooks/pre-commit', '.claude/settings.json', 'sub/.git/config'])
      expect(all('**', `/w/tree/${file}`), file).to.not.equal(action);
    expect(all('.claude/*', '/w/tree/.claude/notes')).to.equal(action);
    for (const file of [
      '.GIT/hooks/post-checkout',
      '.g\u200bit/config',
      '.Claude/settings.json',
      'opencode.json',
      '.npmrc',
    ])
      expect(all('**', `/w/tree/${file}`), file).to.not.equal(action);
  });

  it('agree to nothing if the host could not resolve it', () => {
    const question = asks({ tool: 'write', path: 'src/a' });
    expect(decide([{ action, path: { glob: '**' } }], { question }).action).to.equal('APPROVAL_ACTION_ASK');
  });
});

describe('approval rules about other questions', () => {
  it('count only for the kinds that they name', () => {
    for (const form of ['sign-in', 'payment', 'trust', 'plan', 'question', 'selection']) {
      const part = { form, tool: '', text: 'Go on?' };
      const rule: ApprovalRule = { action, text: { exact: 'Go on?' } };
      expect(verdict([rule], part), form).to.equal('ASK');
      expect(verdict([{ ...rule, forms: [form] }], part), form).to.equal('ANSWER');
    }
  });

  it('take the choice that they name, or leave the question to a person', () => {
    const rule: ApprovalRule = { action, command: { exact: 'x' }, choice: 'Yes, and do not ask again' };
    expect(decide([rule], { question: asks({ command: 'x' }) }).choice).to.equal(1);
    expect(verdict([{ ...rule, choice: 'Sure' }], { command: 'x' })).to.equal('ASK');
    const { no: _no, yes: _yes, ...part } = asks({ command: 'x' });
    const refuse: ApprovalRule = { action: 'APPROVAL_ACTION_REFUSE', command: { exact: 'x' } };
    for (const rule of [refuse, { action, command: { exact: 'x' } } as const])
      expect(decide([rule], { question: part }).action).to.equal('APPROVAL_ACTION_ASK');
  });

  it('agree to a command, a file or a host only by a condition on it', () => {
    expect(verdict([{ action, tools: ['shell'], text: { exact: 'x' } }], { command: 'x' })).to.equal('ASK');
    expect(verdict([{ action, tools: ['write'] }], { tool: 'write', path: 'x' })).to.equal('ASK');
    expect(verdict([{ action, host: { glob: '*.example.com' } }], { tool: 'fetch', host: 'a.example.com' })).to.equal(
      'ANSWER',
    );
    expect(
      verdict([{ action, host: { glob: '*.example.com' } }], { tool: 'fetch', host: 'example.com.evil' }),
    ).to.equal('ASK');
  });

  it('name a host in any case, with a last dot or not, and in either form of foreign letters', () => {
    const by = (rule: ApprovalRule, host: string): string => verdict([rule], { tool: 'fetch', host });
    const refuse = (glob: string): ApprovalRule => ({ action: 'APPROVAL_ACTION_REFUSE', host: { glob } });
    for (const host of ['evil.com', 'evil.com.', 'a.evil.com.'])
      expect(by(refuse(host.startsWith('a') ? '*.Evil.com' : 'Evil.COM'), host), host).to.equal('REFUSE');
    expect(by(refuse('b\u00fccher.example'), 'xn--bcher-kva.example')).to.equal('REFUSE');
    expect(by({ action, host: { exact: 'Docs.Example.com' } }, 'docs.example.com')).to.equal('ANSWER');
    expect(by({ action, host: { expression: 'DOCS\\..*' } }, 'docs.example.com')).to.equal('ANSWER');
    expect(by({ action, host: { glob: '*.example.com' } }, 'example.com')).to.equal('ASK');
    expect(by({ action, host: { exact: '1.2.3.4' } }, '1.2.3.4')).to.equal('ANSWER');
  });

  it('leave everything to a person by default, and what a rule says so before later ones', () => {
    expect(verdict([], { command: 'x' })).to.equal('ASK');
    const ask: ApprovalRule = { action: 'APPROVAL_ACTION_ASK', command: { glob: 'git *' } };
    expect(verdict([ask, git], { command: 'git status' })).to.equal('ASK');
    expect(verdict([git, ask], { command: 'git status' })).to.equal('ANSWER');
  });
});
