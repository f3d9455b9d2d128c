import { Failure } from '#contract/failure.ts';
import { familyPattern } from '#contract/pane/window.ts';

/** Whether a text can name a family, which is named by the id of its root agent. */
export function isFamilyName(text: string): boolean {
  return familyPattern.test(text);
}

/** @throws INVALID_ARGUMENT when the family is not named by an id */
export function checkFamilyName(name: string): void {
  if (!isFamilyName(name))
    throw new Failure('INVALID_VALUE', `"${name}" does not name a family; give the id of its root agent`);
}
