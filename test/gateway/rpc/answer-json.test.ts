import {
  type DescField,
  type DescMessage,
  type JsonObject,
  type JsonValue,
  ScalarType,
  toJson,
} from '@bufbuild/protobuf';
import { expect } from 'chai';
import fc from 'fast-check';
import { operations } from '#contract/table.ts';
import { contractWires } from '#gateway/contract-forms.ts';
import { methodOf } from '#gateway/proto/descriptors.ts';
import { answerJson } from '#gateway/rpc/answer-json.ts';
import { toMessage } from '#gateway/rpc/to-message.ts';

/** Values of each type, with the default and other forms that protobuf reads. */
const values: { readonly [type in ScalarType]?: readonly JsonValue[] } = {
  [ScalarType.STRING]: ['', 'a', '2026-11-21T09:00:00.000Z', '\u{1f469}', '007'],
  [ScalarType.BOOL]: [false, true],
  [ScalarType.INT32]: [0, -0, 7, -2_147_483_648, 2_147_483_647, '12', 3e2],
  [ScalarType.INT64]: ['0', '7', '-7', '9007199254740993', '-9223372036854775808', 7, 0],
  [ScalarType.DOUBLE]: [0, -0, 1.5, -1e21, '2.5', 'NaN'],
};
/** Values that are wrong for most types. */
const wrong: readonly JsonValue[] = ['\ud800', '-0', 1.5, 2_147_483_648, '9223372036854775808', true, {}, [], [null]];

/** Answers with some fields of a message and an unknown one; in one of ten fields, the value may be wrong. */
function answersOf(output: DescMessage, mayBeWrong: boolean, depth = 3): fc.Arbitrary<JsonObject> {
  const fields = output.fields.map((field): [string, fc.Arbitrary<JsonValue>] => {
    const right = valuesOf(field, mayBeWrong, depth);
    const one = mayBeWrong ? fc.oneof({ weight: 9, arbitrary: right }, fc.constantFrom(...wrong)) : right;
    return [field.jsonName, field.fieldKind === 'list' ? fc.array(one, { maxLength: 2 }) : one];
  });
  const all: Record<string, fc.Arbitrary<JsonValue>> = Object.fromEntries(fields);
  return fc.record({ ...all, unknownField: fc.constant({ some: [1] }) }, { requiredKeys: [] });
}

function valuesOf({ message, enum: enumeration, scalar }: DescField, mayBeWrong: boolean, depth: number) {
  if (message !== undefined) return depth === 0 ? fc.constant({}) : answersOf(message, mayBeWrong, depth - 1);
  if (enumeration === undefined) return fc.constantFrom(...(values[scalar ?? ScalarType.BYTES] ?? []));
  return fc.constantFrom(...enumeration.values.map(({ name }) => name), 'UNKNOWN_VALUE', 1);
}

/** What protobuf's own reader and writer make of an answer; undefined if they refuse it. */
function viaMessage(output: DescMessage, answer: JsonObject): string | undefined {
  try {
    return JSON.stringify(toJson(output, toMessage(output, answer)));
  } catch {
    return undefined;
  }
}

function copied(output: DescMessage, answer: JsonObject): string | undefined {
  try {
    return JSON.stringify(answerJson(output, answer));
  } catch {
    return undefined;
  }
}

describe('an answer in JSON', () => {
  const outputs = new Map(
    operations
      .map((row) => methodOf(contractWires().jsonAnswers, row).output)
      .map((output) => [output.typeName, output]),
  );

  for (const [name, output] of outputs) {
    it(`is the one that protobuf would write, for ${name}`, () => {
      const isTheSame = (answer: JsonObject): void => {
        expect(copied(output, answer)).to.equal(viaMessage(output, answer));
      };
      fc.assert(fc.property(answersOf(output, false), isTheSame), { numRuns: 40, seed: 7 });
      fc.assert(fc.property(answersOf(output, true), isTheSame), { numRuns: 20, seed: 7 });
    });
  }

  it('has no fields that the contract does not have', () => {
    const output = outputs.get('agent.v1.GetAgentResponse');
    if (output === undefined) throw new Error('GetAgent has no response');
    const answer = { agent: { agent: { prompt: 'Fix it', newer: 1 }, hidden: false }, newer: [] };
    expect(answerJson(output, answer)).to.deep.equal({ agent: { agent: { prompt: 'Fix it' } } });
  });
});
