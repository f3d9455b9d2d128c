import { Failure, type FieldViolation } from '#contract/failure.ts';
import { quoted } from '#contract/quoted.ts';
import { fitOf, whyNoSchema } from '#world/schema/schema-thread.ts';

/** @throws INVALID_ARGUMENT when a text is no schema that results can be checked against */
export async function checkResultSchema(schema: string): Promise<void> {
  const why = await whyNoSchema(schema);
  if (why === undefined) return;
  throw new Failure(
    'INVALID_FIELD',
    `resultSchema is ${quoted(schema, 60)}, which ${why}: give a JSON Schema (draft 7 or 2020-12) as JSON text, without ` +
      'references to other documents',
    { field: 'resultSchema' },
  );
}

/** @throws INVALID_ARGUMENT when a result is not JSON, or does not fit the schema; every fault is listed */
export async function checkFits(schema: string, result: string): Promise<void> {
  if (!isJson(result))
    throw unfitting(
      `result is ${quoted(result, 60)}, which is not JSON: report JSON that fits the schema of your launch`,
    );
  const fit = await fitOf(schema, result);
  if ('late' in fit) throw unfitting('result takes too long to check, or is nested too deeply: report a smaller one');
  if (fit.faults.length === 0) return;
  const violations = fit.faults.map(({ at, what }) => ({
    field: 'result',
    description: `${at || 'the whole'} ${what}`,
  }));
  const faults = violations.map(({ description }) => description).join('; ');
  throw unfitting(`result does not fit the schema of your launch: ${faults}`, violations);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function unfitting(message: string, violations?: readonly FieldViolation[]): Failure {
  return new Failure('RESULT_UNFITTING', message, violations ? { violations } : { field: 'result' });
}
