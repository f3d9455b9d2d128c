import type { JsonObject } from '@bufbuild/protobuf';
import { refuseUnknownFields } from '#contract/known-fields.ts';
import { parseRequest } from '#contract/parse.ts';
import { readParsed } from '../request-message.ts';
import type { Offer } from './tool.ts';

/**
 * Reads a tool's arguments as its operation's request: as strict as HTTP is, and beyond that nothing may be there that the
 * request does not have. What is null is left out.
 * @throws Failure `invalid_argument` naming what is wrong, which value, and what to do.
 */
export function readArguments({ row, method }: Offer, given: JsonObject): unknown {
  const check = (value: unknown) => parseRequest(row.request, value);
  refuseUnknownFields(row.request, given);
  return check(readParsed(method.input, given, { explain: check }));
}
