import { ConnectError } from '@connectrpc/connect';
import { codeFromString, errorToJson } from '@connectrpc/connect/protocol-connect';
import { detailsOf } from '#contract/details/failure-details.ts';
import type { Failure } from '#contract/failure.ts';

/** A refusal as Connect writes it in any of its protocols: its reason, metadata and fields are the error's details. */
export function connectErrorOf(failure: Failure): ConnectError {
  return new ConnectError(failure.message, codeFromString(failure.code), undefined, detailsOf(failure), failure);
}

/** The body of a refusal that is written without Connect, as Connect would write it. */
export function errorBody(failure: Failure): string {
  return JSON.stringify(errorToJson(connectErrorOf(failure), undefined));
}
