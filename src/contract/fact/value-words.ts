import { phaseWord } from '#contract/agent/phase-word.ts';
import { enumWord } from '#contract/fact/enum-word.ts';

/**
 * A value of a fact in words: `AGENT_STATE_IDLE` as `idle`, a phase as what happens in it, lists and objects part by
 * part.
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

/** The name of a field in words: `waitingFor` as `waiting for`. */
export function keyWords(key: string): string {
  return key.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
}

function textWords(text: string): string {
  return enumWord(text)?.toLowerCase().replaceAll('_', ' ') ?? phaseWord(text);
}
