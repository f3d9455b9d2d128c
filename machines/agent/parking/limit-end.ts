const [minute, day] = [60_000, 86_400_000];

/** The longest that is waited for the end of a limit, in milliseconds, whatever a screen shows. */
export const maxLimitMs = 8 * day;
/** The first and the longest interval at which screens are read again whose limit has no known end, in milliseconds. */
const [firstLookMs, maxLookMs] = [30 * minute, day];
/** How often that is done before a person is asked: about eight days in all. */
const maxLooks = 12;

/** How long a limit without a known end is waited for until the next look, in milliseconds. */
export function lookAfterMs(looks: number): number {
  return Math.min(firstLookMs * 2 ** Math.min(looks, maxLooks), maxLookMs);
}

/** Whether screens were read so often that a person is asked. */
export function isLastLook(looks: number): boolean {
  return looks + 1 >= maxLooks;
}
