import { ConnectError } from '@connectrpc/connect';
import { codeFromString, errorToJson } from '@connectrpc/connect/protocol-connect';
import { detailsOf } from '#contract/details/failure-details.ts';
import type { Failure } from '#contract/failure.ts';

/** A failure as Connect's error, for any of its protocols. Reason, metadata and violations are the error's details. */
export function connectErrorOf(failure: Failure): ConnectError {
  return new ConnectError(failure.message, codeFromString(failure.code), undefined, detailsOf(failure), failure);
}

/** The body of a failure that is answered without Connect, in the same format. */
export function errorBody(failure: Failure): string {
  return JSON.stringify(errorToJson(connectErrorOf(failure), undefined));
}
