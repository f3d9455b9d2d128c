import { Failure } from '#contract/failure.ts';
import type { FailureReason } from '#contract/reason/failure-reasons.ts';

/** Why a git command failed. */
export type GitFailureKind = 'exit' | 'timeout' | 'output' | 'start' | 'aborted';

const reasons = {
  exit: 'GIT_FAILED',
  timeout: 'GIT_TIMED_OUT',
  output: 'GIT_OUTPUT_TOO_LARGE',
  start: 'GIT_NOT_STARTED',
  aborted: 'GIT_CANCELLED',
} as const satisfies Readonly<Record<GitFailureKind, FailureReason>>;

const tailLength = 2_000;

/** A failed git command. Its message and tail contain no user info of URLs. */
export class GitError extends Failure {
  readonly trouble: GitFailureKind;
  readonly args: readonly string[];
  /** Undefined if git did not end on its own. */
  readonly exitCode: number | undefined;
  /** The last 2,000 characters that git wrote to standard error. */
  readonly stderrTail: string;

  constructor(trouble: GitFailureKind, args: readonly string[], exitCode: number | undefined, stderr: string) {
    const shown = args.map(withoutSecrets);
    const tail = withoutSecrets(stderr.slice(-tailLength)).trim();
    super(reasons[trouble], `git ${subcommand(shown)} ${said(trouble, exitCode)}${tail === '' ? '' : `: ${tail}`}`);
    this.name = 'GitError';
    this.trouble = trouble;
    this.args = shown;
    this.exitCode = exitCode;
    this.stderrTail = tail;
  }
}

function said(trouble: GitFailureKind, exitCode: number | undefined): string {
  switch (trouble) {
    case 'exit':
      return exitCode === undefined ? 'was killed' : `failed with exit code ${exitCode}`;
    case 'timeout':
      return 'took longer than its time limit';
    case 'output':
      return 'wrote more than its output limit';
    case 'start':
      return 'could not be started: check that git is on the PATH and that its folder exists';
    case 'aborted':
      return 'was cancelled';
  }
}

/** The first argument that is neither an option nor the value of `-c`. */
function subcommand(args: readonly string[]): string {
  return args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c') ?? '';
}

function withoutSecrets(text: string): string {
  return text.replace(/:\/\/[^/@\s'"]+@/g, '://***@');
}
