import { TypeOverrides, types } from 'pg';
import { exactText } from './exact-text.ts';

const { INT8, JSON: JSON_TEXT, TEXT, VARCHAR } = types.builtins;

/** Reads columns as muster's other databases give them. */
export function columnReaders(): TypeOverrides {
  const readers = new TypeOverrides();
  readers.setTypeParser(INT8, wholeNumber);
  readers.setTypeParser(TEXT, exactText);
  readers.setTypeParser(VARCHAR, exactText);
  readers.setTypeParser(JSON_TEXT, (text) => JSON.parse(exactText(text)));
  return readers;
}

/** A number that is exact: one that a JavaScript number does not hold is a BigInt. */
function wholeNumber(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}
