import { phaseWord } from '#contract/agent/phase-word.ts';
import { enumWord } from '#contract/fact/enum-word.ts';

/**
 * What a fact holds as people read it: `AGENT_STATE_IDLE` as `idle`, a phase as what is done in it, and what has
 * parts as its parts.
 */
export function valueWords(value: unknown): string {
  if (value === null || value === undefined) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return textWords(value);
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueWords).join(', ');
  if (typeof value === 'object') {
    const parts = Object.entries(value)
      .filter(([, part]) => part !== '')
      .map(([key, part]) => `${keyWords(key)} ${valueWords(part)}`);
    return parts.length === 0 ? 'none' : parts.join(', ');
  }
  return String(value);
}

/** A name of a field as words: `waitingFor` as `waiting for`. */
export function keyWords(key: string): string {
  return key.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function textWords(text: string): string {
  return enumWord(text)?.toLowerCase().replaceAll('_', ' ') ?? phaseWord(text);
}
