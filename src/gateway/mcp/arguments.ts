import type { JsonObject } from '@bufbuild/protobuf';
import { Failure } from '#contract/failure.ts';
import { refuseUnknownFields } from '#contract/parse/known-fields.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import { readParsed } from '#gateway/rpc/request-message.ts';
import type { OperationTool } from './tool.ts';

/**
 * Parses a tool's arguments as its operation's request, strictly by the tool's listed schema, which does not allow, for
 * example, null or a number as text.
 * @throws INVALID_ARGUMENT naming what is wrong, which value, and what to do
 */
export function readArguments({ row, input, fits }: OperationTool, given: JsonObject): unknown {
  const check = (value: unknown) => parseRequest(row.request, value);
  refuseUnknownFields(row.request, given);
  // This check runs first, because its messages are clearer.
  check(given);
  const fit = fits(given);
  if (!fit.valid) throw new Failure('INVALID_FIELD', `The arguments do not fit the tool's schema: ${fit.errorMessage}`);
  return check(readParsed(input, given, { explain: check }));
}
