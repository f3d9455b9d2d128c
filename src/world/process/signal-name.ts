import { constants } from 'node:os';

/** The names by number; of two names for one signal, the usual one. */
const names = new Map(
  Object.entries(constants.signals)
    .toReversed()
    .map(([name, number]) => [number, name]),
);

/** The name of a signal, such as `SIGKILL` for 9; undefined if the number is not that of a signal. */
export function signalName(number: number): string | undefined {
  return names.get(number);
}
