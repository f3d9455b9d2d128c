import { z } from 'zod';

/** The least and the greatest patience with a host, in seconds. */
export const patienceLimits = { min: 30, max: 604_800 } as const;

/** The key by which a selector names a host itself. No label has it. */
export const nameKey = 'name';

const part = '[A-Za-z0-9](?:[A-Za-z0-9._/-]{0,61}[A-Za-z0-9])?';

/** The key of a label, such as `gpu`. */
export const LabelKey = z.string().regex(new RegExp(`^${part}$`), labelRule('must be a key'));

/** A label, or a condition on one: `key=value`. The value may be empty. */
export const Label = z
  .string()
  .regex(new RegExp(`^${part}=(?:${part})?$`), labelRule('must be key=value, such as gpu=yes, with key and value'));

const selectorForm = new RegExp(`^(?:${nameKey}=.+|${part}=(?:${part})?)$`);

/** A condition on the host of a launch: a label, or `name=HOST`. */
const Selector = z
  .string()
  // Not a pattern, which would take room in the context of each agent.
  .refine(
    (text) => text.length <= 300 && selectorForm.test(text),
    labelRule('must be key=value, such as gpu=yes or name=build-2, with key and value'),
  );

/** The conditions on the host of a launch, all of which must hold. */
export const HostSelector = z.array(Selector).max(32);

function labelRule(what: string): string {
  return `${what} of at most 63 letters, digits and . _ / -, beginning and ending with a letter or digit`;
}

/** The key and the value of a label or a condition. */
export function keyAndValue(label: string): readonly [key: string, value: string] {
  const at = label.indexOf('=');
  return [label.slice(0, at), label.slice(at + 1)];
}
