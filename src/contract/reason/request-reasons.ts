import type { ReasonMeaning } from './reason-meaning.ts';

/** Why a request is refused before its content is examined. */
export const requestReasons = {
  INVALID_FIELD: {
    code: 'invalid_argument',
    meaning: 'A field has an invalid value; `field` names it, and the error details list every field at fault.',
  },
  UNKNOWN_FIELD: { code: 'invalid_argument', meaning: 'The message has no field of that name.' },
  DUPLICATE_FIELD: { code: 'invalid_argument', meaning: 'A field is given twice.' },
  CONFLICTING_FIELDS: { code: 'invalid_argument', meaning: 'The request sets fields that exclude each other.' },
  AGENT_REQUIRED: {
    code: 'invalid_argument',
    meaning: 'The request names no agent, and its caller is not an agent.',
  },
  INVALID_CURSOR: {
    code: 'invalid_argument',
    meaning: 'The cursor does not belong to this listing: start without one.',
  },
  CURSOR_EXPIRED: {
    code: 'out_of_range',
    meaning: 'The facts after the cursor are no longer kept: read again.',
    metadata: { firstCursor: 'The oldest cursor that is still valid.' },
  },
  LOG_REPLACED: {
    code: 'out_of_range',
    meaning: 'The cursor belongs to a log that was replaced: read again.',
  },
  INVALID_CRON: { code: 'invalid_argument', meaning: 'A cron expression cannot be read, or never fires.' },
  INVALID_TIMEZONE: { code: 'invalid_argument', meaning: 'The time zone database has no zone of that name.' },
  MALFORMED_REQUEST: {
    code: 'invalid_argument',
    meaning: 'The bytes of the request do not have the declared encoding.',
  },
  REQUEST_TOO_COMPLEX: {
    code: 'invalid_argument',
    meaning: 'The message is nested too deeply or has too many names and values.',
  },
  UNSUPPORTED_PROTOCOL_VERSION: {
    code: 'invalid_argument',
    meaning: "The request uses an unknown version of Connect's protocol.",
  },
  INVALID_TIMEOUT: { code: 'invalid_argument', meaning: 'The timeout header cannot be read.' },
  UNKNOWN_COMPRESSION: { code: 'unimplemented', meaning: "The request's compression is not supported." },
  OPERATION_UNKNOWN: { code: 'unimplemented', meaning: 'This version has no such operation.' },
  NO_SUCH_PATH: { code: 'unimplemented', meaning: 'Nothing is served at the path.' },
  METHOD_NOT_ALLOWED: { code: 'unimplemented', meaning: 'The path does not accept that HTTP method.' },
  UNSUPPORTED_CONTENT_TYPE: { code: 'invalid_argument', meaning: 'The path does not accept that content type.' },
  UNSUPPORTED_EXPECTATION: {
    code: 'unimplemented',
    meaning: 'The header `Expect` asks for something other than `100-continue`.',
  },
  UNSUPPORTED_HTTP_VERSION: { code: 'unimplemented', meaning: 'The path does not accept that version of HTTP.' },
  REQUEST_TIMED_OUT: { code: 'deadline_exceeded', meaning: 'The request did not arrive in time.' },
  REQUEST_TOO_LARGE: { code: 'resource_exhausted', meaning: 'The request is too large, as received or decompressed.' },
  HEADERS_TOO_LARGE: { code: 'resource_exhausted', meaning: 'The headers of the request are too large.' },
  CALLER_GONE: { code: 'canceled', meaning: 'The connection ended before the request did.' },
  GATEWAY_OVERLOADED: {
    code: 'resource_exhausted',
    meaning: 'More calls arrive than the gateway can handle: wait a second.',
  },
  REQUEST_MEMORY_FULL: {
    code: 'resource_exhausted',
    meaning: 'Requests in progress use all the memory for requests: wait a second.',
  },
  TOO_MANY_WATCHES: {
    code: 'resource_exhausted',
    meaning: 'The token has reached its limit of open watches.',
    metadata: { limit: 'How many watches one token may have open.' },
  },
  TOO_MANY_UNKNOWN_TOKENS: {
    code: 'resource_exhausted',
    meaning: 'Too many calls from one address had an unknown token.',
    metadata: { limitPerMinute: 'How many such calls an address may make in a minute.' },
  },
  MESSAGE_TOO_LARGE: { code: 'resource_exhausted', meaning: 'The request is larger than the bus allows.' },
  ANSWER_TOO_LARGE: { code: 'resource_exhausted', meaning: 'The answer is larger than the bus allows: request less.' },
} as const satisfies Readonly<Record<string, ReasonMeaning>>;
