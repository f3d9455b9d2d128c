import { versionIn } from '#contract/pane/harness-version.ts';
import { type ProgramCommand, programAnswer } from './program-answer.ts';

/** The version that a program prints, and nothing else of what it prints. The times are those of `programAnswer`. */
export function programVersion(asked: ProgramCommand, withinMs: number, againMs?: number): Promise<string | undefined> {
  return programAnswer(asked, ({ stdout, stderr }) => versionIn(stdout) ?? versionIn(stderr), withinMs, againMs);
}
