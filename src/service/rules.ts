import { bookOf, type HarnessBook } from '#machines/harness/book.ts';
import { builtIn } from '#machines/harness/table.ts';
import { isSlowPattern } from '#world/pattern-trial.ts';
import { readRuleFolder } from '#world/rule-folder.ts';

/** The harnesses that are built in, as the files of a folder change and add to them at this moment. */
export async function readRules(folder: string): Promise<HarnessBook> {
  const willing = { isSlow: isSlowPattern, objectionTo: () => undefined };
  return bookOf(builtIn, await readRuleFolder(folder), willing);
}
