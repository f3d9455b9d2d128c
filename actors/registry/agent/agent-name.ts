import type { AgentTable } from '#store/agent/agent-table.ts';

const maxCharacters = 200;
const slug = { words: 6, characters: 40 } as const;

/** Control characters, line separators and marks that change the direction of text. */
const harmful = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
/** Characters that are invisible on their own. */
const unseen = /[\p{Z}\p{Cf}\p{Mn}\p{Default_Ignorable_Code_Point}]/gu;

/**
 * A name that is safe to show and to give to a window: without control characters; empty if nothing visible is left.
 */
export function cleanName(title: string): string {
  const clean = title.replace(harmful, '').trim();
  return clean.replace(unseen, '') === '' ? '' : clean;
}

/** A name made from the first words of a prompt, such as `fix-the-login-page`. */
export function nameFromPrompt(prompt: string): string {
  const words =
    prompt
      .slice(0, 1000)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  let name = '';
  for (const word of words.slice(0, slug.words)) {
    const longer = name === '' ? word : `${name}-${word}`;
    if ([...longer].length > slug.characters && name !== '') break;
    name = [...longer].slice(0, slug.characters).join('');
  }
  return name || 'agent';
}

/** The requested name, or the first of `name-2`, `name-3` and so on that no unarchived agent has. */
export async function freeName(agents: AgentTable, wanted: string): Promise<string> {
  // Reserve room for the longest number, so that every numbered name begins with this.
  const start = [...wanted].slice(0, maxCharacters - 8).join('');
  const taken = await agents.presentNames(start);
  for (let count = 1; ; count += 1) {
    const suffix = count === 1 ? '' : `-${count}`;
    const name = [...wanted].slice(0, maxCharacters - suffix.length).join('') + suffix;
    if (!taken.has(name)) return name;
  }
}
