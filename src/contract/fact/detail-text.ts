import { reasonLine } from './reason-line.ts';
import { keyWords } from './value-words.ts';

type Detail = Readonly<Record<string, unknown>>;

function detailOf(detail: string): Detail {
  const value: unknown = JSON.parse(detail || '{}');
  return typeof value === 'object' && value !== null ? (value as Detail) : {};
}

/**
 * A fact's detail in words: a transition as `IDLE → WAITING: permission`, anything else field by field. `word` puts one
 * value into words. A screen is left out.
 */
export function detailText(detail: string, word: (value: unknown) => string): string {
  const { from, to, reason, line, screen: _screen, ...rest } = detailOf(detail);
  const change = [from, to].filter((one) => one !== undefined).map(word);
  const why = reasonLine(reason, line);
  const fields = Object.entries(rest)
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${keyWords(key)} ${word(value)}`);
  return [[change.join(' → '), why].filter(Boolean).join(': '), ...fields].filter(Boolean).join(', ');
}
