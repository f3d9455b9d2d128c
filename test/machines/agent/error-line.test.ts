import { expect } from 'chai';
import { errorLineOf } from '#machines/agent/error-line.ts';

describe('the error line of an output', () => {
  const cases: Readonly<Record<string, readonly [output: string, line: string]>> = {
    'a CLI that refuses its key': [
      '╭────╮\n│ Error: Invalid API key │\n╰────╯\nPress any key',
      'Error: Invalid API key',
    ],
    npm: [
      'npm error code ENOENT\nnpm error Missing script: "build"\nnpm error A complete log of this run can be found in: /x.log\n',
      'npm error Missing script: "build"',
    ],
    'a Python traceback': ['Traceback:\n  File "a.py", line 3\nValueError: bad port\n', 'ValueError: bad port'],
    'a stack of Node': [
      "Error: Cannot find module 'x'\n    at resolve (node:internal:1:2)\n\nNode.js v24.1.0\n",
      "Error: Cannot find module 'x'",
    ],
    'a make that adds nothing': [
      'cc: fatal error: no input files\nmake: *** [Makefile:3: all] Error 1',
      'cc: fatal error: no input files',
    ],
    'bash, which says how it is called': [
      'bash: --foo: invalid option\nUsage:\tbash [GNU long option] [option] ...\n\tbash [option] script-file ...\nGNU long options:\n\t--debug\nShell options:\n\t-ilrsD or -c command or -O shopt_option\t\t(invocation only)\n\t-abefhkmnptuvxBCEHPT or -o option\n',
      'bash: --foo: invalid option',
    ],
    'make, whose options say what fails': [
      "make: unrecognized option '--foo'\nUsage: make [options] [target] ...\nOptions:\n  -b, -m                      Ignored for compatibility.\n  -k, --keep-going            Keep going when some targets can't be made.\n\nThis program built for x86_64-pc-linux-gnu\nReport bugs to <bug-make@gnu.org>\n",
      "make: unrecognized option '--foo'",
    ],
    'a GNU tool': [
      "grep: unrecognized option '--foo'\nUsage: grep [OPTION]... PATTERNS [FILE]...\nTry 'grep --help' for more information.\n",
      "grep: unrecognized option '--foo'",
    ],
    'git without such a command': [
      "git: 'comit' is not a git command. See 'git --help'.\n\nThe most similar command is\n\tcommit\n",
      "git: 'comit' is not a git command. See 'git --help'.",
    ],
    'git without such an option': [
      "error: unknown option `foo'\nusage: git commit [-a | --interactive | --patch]\n                  [--dry-run]\n\n    -q, --[no-]quiet      suppress summary after successful commit\n\nCommit message options\n    --[no-]status         include status; error if missing\n",
      "error: unknown option `foo'",
    ],
    'npm without a lock file': [
      'npm error code EUSAGE\nnpm error\nnpm error The `npm ci` command can only install with an existing package-lock.json or\nnpm error npm-shrinkwrap.json with lockfileVersion >= 1. Run an install with npm@5 or\nnpm error\nnpm error Clean install a project\nnpm error\nnpm error Usage:\nnpm error npm ci\nnpm error\nnpm error Options:\nnpm error   --include\nnpm error     Fails if it is missing\nnpm error\nnpm error Run "npm help ci" for more info\nnpm error A complete log of this run can be found in: /root/.npm/_logs/x-debug-0.log\n',
      'npm error The `npm ci` command can only install with an existing package-lock.json or',
    ],
    'npm without a package': [
      "npm error code ENOENT\nnpm error syscall open\nnpm error path /x/package.json\nnpm error errno -2\nnpm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/x/package.json'\nnpm error enoent This is related to npm not being able to find a file.\nnpm error enoent\nnpm error A complete log of this run can be found in: /x-debug-0.log\n",
      "npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/x/package.json'",
    ],
    'npm without such a script': [
      'npm error Missing script: "nope"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run\nnpm error A complete log of this run can be found in: /x.log\n',
      'npm error Missing script: "nope"',
    ],
    pnpm: [
      ' ERR_PNPM_NO_SCRIPT  Missing script: nope\n\nCommand "nope" not found.\n ELIFECYCLE  Command failed with exit code 1.\n',
      'Command "nope" not found.',
    ],
    'pnpm without a package': [
      ' ERR_PNPM_NO_PKG_MANIFEST  No package.json found in /x\n',
      'ERR_PNPM_NO_PKG_MANIFEST No package.json found in /x',
    ],
    node: ['node: bad option: --foo\n', 'node: bad option: --foo'],
    'a Python without such an option': [
      "unknown option --foo\nusage: /usr/bin/python3 [option] ... [-c cmd | -m mod | file | -] [arg] ...\nTry `python -h' for more information.\n",
      'unknown option --foo',
    ],
    argparse: [
      'usage: tool [-h] [--level LEVEL]\n            [path]\ntool: error: unrecognized arguments: --foo\n',
      'tool: error: unrecognized arguments: --foo',
    ],
    clap: [
      "error: unexpected argument '--foo' found\n\n  tip: to pass '--foo' as a value, use '-- --foo'\n\nUsage: codex [OPTIONS] [PROMPT]\n       codex [OPTIONS] <COMMAND> [ARGS]\n\nFor more information, try '--help'.\n",
      "error: unexpected argument '--foo' found",
    ],
    cargo: [
      'error[E0425]: cannot find value `x` in this scope\n --> src/main.rs:2:5\n  |\n2 |     x\n  |     ^ not found in this scope\n\nFor more information about this error, try `rustc --explain E0425`.\nerror: could not compile `a` (bin "a") due to 1 previous error\n',
      'error[E0425]: cannot find value `x` in this scope',
    ],
    tsc: [
      "a.ts:1:7 - error TS2322: Type 'string' is not assignable.\n\n1 const a: number = 'x';\n        ~\n\nFound 1 error in a.ts:1\n",
      "a.ts:1:7 - error TS2322: Type 'string' is not assignable.",
    ],
    'a test runner': [
      'FAILED test_a.py::test_x - AssertionError: 1 != 2\n=== 1 failed, 3 passed in 0.12s ===\n',
      'FAILED test_a.py::test_x - AssertionError: 1 != 2',
    ],
    'a program that only says how it is called': [
      'usage: getopts optstring name [arg ...]\n  -x\n',
      'usage: getopts optstring name [arg ...]',
    ],
    'nothing that looks like an error': ['step 1\nstep 2\n\n', 'step 2'],
    'colours and a progress bar': ['\u001b[31m10 %\rerror: disk full\u001b[0m\n', 'error: disk full'],
    'a shell that says that it exits': ['disk quota\nexit\n', 'disk quota'],
    'no words at all': ['\n  ----\n', ''],
  };
  for (const [what, [output, line]] of Object.entries(cases)) {
    it(`is found in the output of ${what}`, () => expect(errorLineOf(output)).to.equal(line));
  }

  it('is at most 200 characters, cut between them', () => {
    expect(errorLineOf(`error: ${'😀'.repeat(300)}`)).to.equal(`error: ${'😀'.repeat(192)}…`);
  });
});
