import type { JsonObject } from '@bufbuild/protobuf';
import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Caller } from '#contract/access/caller.ts';
import { Failure } from '#contract/failure.ts';
import { refusePeopleOnly, requireOffer } from '#contract/offer.ts';
import type { Operation } from '#contract/operation.ts';
import { nearest } from '#contract/parse/nearest.ts';
import { noteForbidden } from '#gateway/rpc/admit.ts';
import { answerJson } from '#gateway/rpc/answer-json.ts';
import { askOperation } from '#gateway/rpc/ask.ts';
import { defaultCallMs } from '#gateway/rpc/deadline.ts';
import { openWatch } from '#gateway/rpc/watch/open-watch.ts';
import type { ChangeSource } from '#gateway/rpc/watch/watch.ts';
import { readArguments } from './arguments.ts';
import type { McpService } from './service.ts';
import type { Session } from './session.ts';
import type { OperationTool } from './tool.ts';
import { takeTimeout, waitForChange } from './wait.ts';

/** A tool call of a client. */
export interface ToolCall {
  readonly name: string;
  readonly given: JsonObject;
  /** Aborts a call that waits. */
  readonly signal: AbortSignal;
  /** The caller's trace, as a W3C traceparent. */
  readonly trace: string | undefined;
}

/**
 * Calls an operation by its tool's name. A refusal of the operation is returned as a result with `isError`.
 * @throws ProtocolError when there is no such tool
 */
export async function callTool(call: ToolCall, session: Session, service: McpService): Promise<CallToolResult> {
  const offer = service.tools().find(call.name);
  if (offer === undefined) {
    const near = nearest(call.name, service.tools().names);
    const hint = near === undefined ? '' : `: did you mean ${near}?`;
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, `There is no tool ${JSON.stringify(call.name)}${hint}`);
  }
  try {
    // Fails here if the registry does not answer, instead of waiting for it again.
    const caller = session.caller();
    permit(offer.row, caller, call.given, service);
    const ask = offer.row.watch === undefined ? answerOnce : answerChange;
    const { output } = offer;
    return done(answerJson(output, await ask(offer, call, session, service)));
  } catch (error) {
    if (error instanceof Failure) return refused(error);
    service.log.error({ err: error }, 'a tool failed unexpectedly');
    return refused(new Failure('INTERNAL', 'The call failed because of a fault in muster: its log says more'));
  }
}

/** Checks the caller's rights, and logs a refusal. @throws PERMISSION_DENIED */
function permit(row: Operation, caller: Caller, given: JsonObject, { log }: McpService): void {
  try {
    requireOffer(row, caller);
    refusePeopleOnly(row, caller, given);
  } catch (error) {
    noteForbidden(error, caller, log);
    throw error;
  }
}

async function answerOnce(
  offer: OperationTool,
  { given, trace }: ToolCall,
  { credential, address }: Session,
  { bus, throttle, calls }: McpService,
): Promise<JsonObject> {
  const ask = async (): Promise<JsonObject> => {
    const request = readArguments(offer, given);
    return throttle.admit(address, () => askOperation(bus, offer.row, { credential, request }, defaultCallMs));
  };
  return calls.time(offer.row, 'mcp', ask, trace);
}

async function answerChange(
  offer: OperationTool,
  call: ToolCall,
  { credential, address, caller }: Session,
  service: McpService,
): Promise<JsonObject> {
  const { timeoutMs, rest } = takeTimeout(call.given);
  const request = readArguments(offer, rest);
  const { signal } = call;
  const read = (watching: ChangeSource) => waitForChange(watching, timeoutMs);
  let last: JsonObject = {};
  for await (const answer of openWatch(
    offer.row,
    { credential, caller: caller(), request },
    { address, signal, sharesOpening: false },
    service,
    read,
  ))
    last = answer;
  return last;
}

function done(answer: JsonObject): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer };
}

function refused(failure: Failure): CallToolResult {
  const { code, message } = failure;
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${message}` }],
    structuredContent: { ...failure.toJSON() },
  };
}
