import { TypeOverrides, types } from 'pg';
import { exactText } from './exact-text.ts';

const { INT8, JSON: JSON_TEXT, TEXT, VARCHAR } = types.builtins;

/** Parses columns into the same values as SQLite returns. */
export function columnReaders(): TypeOverrides {
  const readers = new TypeOverrides();
  readers.setTypeParser(INT8, wholeNumber);
  readers.setTypeParser(TEXT, exactText);
  readers.setTypeParser(VARCHAR, exactText);
  readers.setTypeParser(JSON_TEXT, (text) => JSON.parse(exactText(text)));
  return readers;
}

/** An integer; a BigInt if a number cannot hold it exactly. */
function wholeNumber(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}
