import type { JsonObject } from '@bufbuild/protobuf';
import { Failure } from '#contract/failure.ts';
import { refuseUnknownFields } from '#contract/known-fields.ts';
import { parseRequest } from '#contract/parse.ts';
import { readParsed } from '../request-message.ts';
import type { Offer } from './tool.ts';

/**
 * Reads a tool's arguments as its operation's request: as strict as HTTP is, and beyond that nothing may be there that the
 * request does not have. What is null is left out.
 * @throws Failure `invalid_argument` naming what is wrong, which value, and what to do.
 */
export function readArguments(offer: Offer, given: JsonObject): unknown {
  const { request } = offer.row;
  refuseUnknownFields(request, given);
  return parseRequest(request, withoutEmpty(offer, given));
}

function withoutEmpty({ row, method }: Offer, given: JsonObject): JsonObject {
  try {
    return readParsed(method.input, given);
  } catch (error) {
    // The schema says more of what is wrong: which names there are, and what was given.
    if (error instanceof Failure) parseRequest(row.request, given);
    throw error;
  }
}
