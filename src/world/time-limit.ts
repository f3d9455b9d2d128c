import { createContext, Script } from 'node:vm';

const holder: { work: (() => void) | undefined } = { work: undefined };
const context = createContext(holder);
const script = new Script('work()');

/**
 * Does work that awaits nothing and cuts it short once its time is up, wherever it is, also within one regular expression.
 * Undefined where it was cut short. What it throws is thrown. It costs about a quarter of a millisecond.
 */
export function withinTime<T>(milliseconds: number, work: () => T): T | undefined {
  let result: T | undefined;
  holder.work = () => {
    result = work();
  };
  try {
    script.runInContext(context, { timeout: milliseconds });
    return result;
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  } finally {
    holder.work = undefined;
  }
}

function isTimeout(error: unknown): boolean {
  return (
    typeof error === 'object' && error !== null && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
  );
}
