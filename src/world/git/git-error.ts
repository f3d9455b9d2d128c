import { Failure, type FailureCode } from '#contract/failure.ts';

/** Why a git command gave no result. */
export type GitTrouble = 'exit' | 'timeout' | 'output' | 'start' | 'aborted';

const codes: Readonly<Record<GitTrouble, FailureCode>> = {
  exit: 'internal',
  timeout: 'deadline_exceeded',
  output: 'resource_exhausted',
  start: 'failed_precondition',
  aborted: 'canceled',
};

const tailLength = 2_000;

/** A git command that failed. Neither the arguments nor the tail carry the user info of an address. */
export class GitError extends Failure {
  readonly trouble: GitTrouble;
  readonly args: readonly string[];
  /** Undefined where git did not end by itself. */
  readonly exitCode: number | undefined;
  /** The last 2,000 characters that git wrote to standard error. */
  readonly stderrTail: string;

  constructor(trouble: GitTrouble, args: readonly string[], exitCode: number | undefined, stderr: string) {
    const shown = args.map(withoutSecrets);
    const tail = withoutSecrets(stderr.slice(-tailLength)).trim();
    super(codes[trouble], `git ${subcommand(shown)} ${said(trouble, exitCode)}${tail === '' ? '' : `: ${tail}`}`);
    this.name = 'GitError';
    this.trouble = trouble;
    this.args = shown;
    this.exitCode = exitCode;
    this.stderrTail = tail;
  }
}

function said(trouble: GitTrouble, exitCode: number | undefined): string {
  switch (trouble) {
    case 'exit':
      return exitCode === undefined ? 'was killed' : `failed with exit code ${exitCode}`;
    case 'timeout':
      return 'took longer than its time limit';
    case 'output':
      return 'wrote more than its output limit';
    case 'start':
      return 'could not be started: is git on the PATH, and is the folder it runs in there?';
    case 'aborted':
      return 'was called off';
  }
}

/** The first argument that is neither an option nor the value of `-c`. */
function subcommand(args: readonly string[]): string {
  return args.find((arg, index) => !arg.startsWith('-') && args[index - 1] !== '-c') ?? '';
}

function withoutSecrets(text: string): string {
  return text.replace(/:\/\/[^/@\s'"]+@/g, '://***@');
}
