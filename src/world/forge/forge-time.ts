import { z } from 'zod';

/** Parses a forge's time to RFC 3339 in UTC with milliseconds. */
export const forgeTime = z.string().transform((text, context) => {
  const time = Date.parse(text);
  if (/^\d{4}-/.test(text) && !Number.isNaN(time)) return new Date(time).toISOString();
  context.addIssue({ code: 'custom', message: 'is not a time' });
  return z.NEVER;
});
