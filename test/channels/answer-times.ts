import { expect } from 'chai';

const withMilliseconds = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** Text of another program or a person: not a field of muster's. */
const quoted = new Set(['text', 'body', 'prompt', 'message', 'log', 'found']);

/** The times of an answer, by their fields: what is called one, and whatever looks like one. */
function timesOf(value: unknown, name = ''): [string, unknown][] {
  if (Array.isArray(value)) return value.flatMap((one) => timesOf(one, name));
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, one]) => timesOf(one, key));
  }
  const isCalledSo = /At$|^scheduledFor$/.test(name);
  const looksSo = typeof value === 'string' && /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/.test(value) && !quoted.has(name);
  return isCalledSo || looksSo ? [[name, value]] : [];
}

/** Checks that all times of an answer have milliseconds; gives the fields that have one. */
export function fieldsWithTimes(answer: unknown, over: string): readonly string[] {
  return timesOf(answer).map(([field, value]) => {
    expect(value, `${field} over ${over}`).to.match(withMilliseconds);
    return field;
  });
}
