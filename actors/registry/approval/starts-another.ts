import { posix } from 'node:path';
import { starters } from '#world/shell-command.ts';

/** Words with which programs run a text or another program, load code, or write a file that a rule does not name. */
const dangers: readonly (readonly [program: RegExp, word: RegExp])[] = [
  [
    /^(?:python|pypy|perl|ruby|php|lua|luajit|tclsh|rscript|osascript|node|nodejs|deno|bun|groovy|elixir)[\d.]*$/,
    /^(?:-|-[a-z]*[ceprxmi].*|--(?:eval|print|exec|require|import|loader|run).*|eval|repl|x)$/i,
  ],
  [/^(?:find|fd|fdfind)$/, /^-{1,2}(?:exec|ok|delete|fprint|fls|exec-batch|x|X).*$/],
  [/^(?:[gmn]?awk|g?sed|sqlite3?|psql|mysql|mariadb|gcc|g\+\+|cc|clang|uvx|pipx|npx|pnpx|bunx)$/, /./],
  [/^(?:tar|bsdtar)$/, /^(?:--(?:to|checkpoint|use|rsh|info|new).*|-?[A-Za-z]*[IF].*)$/],
  [/^(?:rsync|scp|sftp)$/, /^(?:-[a-zA-Z]*[eoSFDJ].*|--(?:rsh|rsync-path).*)$/],
  [/^g?make$/, /^(?:.*=.*|-[a-zA-Z]*[fCIE].*|--(?:eval|file|makefile|directory|include).*)$/],
  [
    /^(?:sort|split|zip|rg|ag|curl|wget)$/,
    /^(?:-[a-zA-Z]*[oOTKe].*|--(?:output|compress|filter|unzip|pre|pager|host|config|upload|exec|use|remote).*)$/,
  ],
  [
    /^(?:npm|pnpm|yarn)$/,
    /^(?:exec|x|dlx|create|init|explore|config|set|-c|-C|--(?:script-shell|node-options|call|prefix|dir|cwd|userconfig|globalconfig).*)$/,
  ],
  [/^go$/, /^(?:run|generate|tool|env|-{1,2}(?:exec|toolexec|overlay).*)$/],
  [/^cargo$/, /^(?:run|r|--config.*|-C|\+.*)$/],
];

/** Subcommands of git that run no text and no other program that its arguments name. An alias may be anything. */
const gitCommands: ReadonlySet<string> = new Set([
  ...['add', 'am', 'apply', 'archive', 'blame', 'branch', 'cat-file', 'checkout', 'cherry-pick', 'clean', 'clone'],
  ...['commit', 'count-objects', 'describe', 'diff', 'diff-files', 'diff-index', 'diff-tree', 'fetch', 'for-each-ref'],
  ...['format-patch', 'fsck', 'gc', 'grep', 'init', 'log', 'ls-files', 'ls-remote', 'ls-tree', 'merge', 'merge-base'],
  ...['mv', 'name-rev', 'notes', 'pull', 'push', 'range-diff', 'rebase', 'reflog', 'remote', 'reset', 'restore'],
  ...['rev-list', 'rev-parse', 'revert', 'rm', 'shortlog', 'show', 'show-ref', 'stash', 'status', 'switch', 'tag'],
  ...['version', 'whatchanged', 'worktree'],
]);
/** Options of git that run a program or write a file, which may be abbreviated. */
const gitOptions = [
  ...[
    '--config',
    '--config-env',
    '--exec',
    '--exec-path',
    '--ext-diff',
    '--extcmd',
    '--git-dir',
    '--open-files-in-pager',
  ],
  ...['--output', '--output-directory', '--receive-pack', '--template', '--textconv', '--upload-pack', '--work-tree'],
];
/** The same of single subcommands. */
const gitWords: Readonly<Record<string, RegExp>> = {
  bisect: /^(?:run|visualize|view)$/,
  clone: /^-[a-zA-Z]*[cu]/,
  'format-patch': /^-[a-zA-Z]*o/,
  archive: /^-[a-zA-Z]*o/,
  grep: /^-[a-zA-Z]*O/,
  rebase: /^-[a-zA-Z]*x/,
  submodule: /^foreach$/,
};

/** Whether a program only starts another one, so that its words do not show what runs. */
export function startsAnother(program: string): boolean {
  return starters.has(nameOf(program));
}

/**
 * Whether a word that a rule does not spell out makes a command run something else than what the rule names. `at` is its
 * place in the command.
 */
export function isDangerous([program = '', ...more]: readonly string[], at: number): boolean {
  const name = nameOf(program);
  const word = more[at - 1] ?? '';
  if (name === 'git')
    return isDangerousToGit(
      more.find((one) => gitCommands.has(one) || Object.hasOwn(gitWords, one)),
      word,
      at,
    );
  return dangers.some(([programs, words]) => programs.test(name) && words.test(word));
}

function isDangerousToGit(subcommand = '', word: string, at: number): boolean {
  if (at === 1) return !gitCommands.has(word);
  const [option = ''] = word.split('=');
  if (option.length > 2 && option.startsWith('--') && gitOptions.some((one) => one.startsWith(option))) return true;
  return gitWords[subcommand]?.test(word) ?? false;
}

/** A file system may ignore the case of names. */
function nameOf(program: string): string {
  return posix.basename(program).toLowerCase();
}
