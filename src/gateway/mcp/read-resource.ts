import type { JsonObject } from '@bufbuild/protobuf';
import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
} from '@modelcontextprotocol/server';
import { Failure } from '#contract/failure.ts';
import { requireOffer } from '#contract/offer.ts';
import type { Operation } from '#contract/operation.ts';
import { parseRequest } from '#contract/parse/parse.ts';
import { methodOf } from '#gateway/proto/descriptors.ts';
import { answerJson } from '#gateway/rpc/answer-json.ts';
import { askOperation } from '#gateway/rpc/ask.ts';
import { defaultCallMs } from '#gateway/rpc/deadline.ts';
import { resourceAt, resourceList } from './resource-kind.ts';
import type { McpService } from './service.ts';
import type { Session } from './session.ts';

/** Lists the agents as resources, page by page. */
export async function listResources(
  cursor: string | undefined,
  session: Session,
  service: McpService,
): Promise<ListResourcesResult> {
  const { operation, requestOf, resourcesOf } = resourceList;
  try {
    const answer = await ask(operation, requestOf(cursor), session, service);
    const { nextPageToken } = answer;
    return {
      resources: resourcesOf(answer),
      ...(typeof nextPageToken === 'string' ? { nextCursor: nextPageToken } : {}),
    };
  } catch (error) {
    throw protocolError(error);
  }
}

/** Reads a resource by its address. */
export async function readResource(uri: string, session: Session, service: McpService): Promise<ReadResourceResult> {
  const { mimeType = '', text } = await readingOf(uri, session, service).catch((error: unknown) => {
    throw protocolError(error, uri);
  });
  return { contents: [{ uri, mimeType, text }] };
}

/** The current content of a resource, a digest of it, and the subjects of the facts that may change it. */
interface ResourceContent {
  readonly mimeType: string | undefined;
  readonly text: string;
  readonly digest: unknown;
  readonly subjects: readonly string[];
}

/**
 * Reads a resource.
 * @throws NOT_FOUND when nothing has the address, and the failures of its operation
 */
export async function readingOf(uri: string, session: Session, service: McpService): Promise<ResourceContent> {
  const found = resourceAt(uri);
  if (found === undefined)
    throw new Failure('RESOURCE_NOT_FOUND', `There is no resource ${JSON.stringify(uri)}`, { metadata: { uri } });
  const { kind, request } = found;
  const answer = await ask(kind.read, request, session, service);
  const subjects = kind.subjectOf === undefined ? Object.values(request) : [kind.subjectOf(answer)];
  return { mimeType: kind.template.mimeType, text: kind.text(answer), digest: kind.digest(answer), subjects };
}

async function ask(
  row: Operation,
  given: unknown,
  { credential, address, caller }: Session,
  { bus, throttle, descriptors }: McpService,
): Promise<JsonObject> {
  requireOffer(row, caller());
  const request = parseRequest(row.request, given);
  const answer = await throttle.admit(address, () => askOperation(bus, row, { credential, request }, defaultCallMs));
  const { output } = methodOf(descriptors.jsonAnswers, row);
  return answerJson(output, answer);
}

/** A failure as an MCP protocol error, with muster's own code in its data. Rethrows any other error. */
export function protocolError(error: unknown, uri?: string): ProtocolError {
  if (!(error instanceof Failure)) throw error;
  if (error.code === 'not_found' && uri !== undefined) return new ResourceNotFoundError(uri, error.message);
  const { InvalidParams, InternalError } = ProtocolErrorCode;
  const code = error.code === 'invalid_argument' ? InvalidParams : InternalError;
  return new ProtocolError(code, `${error.code}: ${error.message}`, error.toJSON());
}
