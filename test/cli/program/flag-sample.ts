import type { Field } from '#cli/rpc/field.ts';
import type { Operation } from '#contract/operation.ts';
import { sampleOf as sampleMessage } from '#test/gateway/sample-message.ts';

/** Texts of fields with a form of their own, by their paths. */
const samples: readonly (readonly [fields: RegExp, sample: [string, string]])[] = [
  [/able$/, ['/a', '/a']],
  [/^(?:setL|l)abels|Selector/, ['a=b', 'a=b']],
];

/** A text for a flag and the value that it stands for. */
export function sampleOf({ type, list, path }: Field, row: Operation): [text: string, value: unknown] {
  switch (type.kind) {
    case 'boolean':
      return ['true', true];
    case 'int32':
      return ['3', 3];
    case 'int64':
      return ['9007199254740993', '9007199254740993'];
    case 'timestamp':
      return ['2026-11-21T09:00:00Z', '2026-11-21T09:00:00Z'];
    case 'enum':
      return [type.choices[0]?.short ?? '', type.choices[0]?.value];
    case 'message': {
      const [one] = list ? (sampleMessage(row.request)[path.join('.')] as unknown[]) : [{}];
      return [JSON.stringify(one), one];
    }
    default:
      return samples.find(([fields]) => fields.test(path.join()))?.[1] ?? ['a', 'a'];
  }
}
