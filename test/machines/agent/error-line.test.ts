import { expect } from 'chai';
import { errorLineOf } from '#machines/agent/error-line.ts';

describe('the line that says why something failed', () => {
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
