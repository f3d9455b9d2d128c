import { fastifyConnectPlugin } from '@connectrpc/connect-fastify';
import type { FastifyInstance, FastifyRequest, RouteHandlerMethod } from 'fastify';
import { isJsonCall, type JsonCall } from './json-call.ts';

/**
 * Serves calls by Connect's plugin, with one route for each service. The plugin adds one for each operation and each
 * method of HTTP, a thousand of them, which take a tenth of a second of processor time at each start.
 * @param jsonCalls what answers calls in JSON over POST, by the operation's path
 */
export function routeCalls(
  scope: FastifyInstance,
  options: Parameters<typeof fastifyConnectPlugin>[1],
  jsonCalls: ReadonlyMap<string, JsonCall>,
): void {
  const handlers = new Map<string, RouteHandlerMethod>();
  const collector: FastifyInstance = Object.create(scope, {
    all: { value: (path: string, _: object, handler: RouteHandlerMethod) => void handlers.set(path, handler) },
  });
  fastifyConnectPlugin(collector, options, () => {});
  for (const [service, paths] of Map.groupBy(handlers.keys(), (path) => path.slice(0, path.lastIndexOf('/') + 1))) {
    const names = paths.map((path) => path.slice(service.length));
    scope.all(`${service}:operation(^(?:${names.join('|')})$)`, function (request, reply) {
      const path = calledPath(request) ?? '';
      const inJson = isJsonCall(request) ? jsonCalls.get(path) : undefined;
      return inJson === undefined ? handlers.get(path)?.call(this, request, reply) : inJson(request, reply);
    });
  }
}

/** The path of the operation that a request calls, such as `/agent.v1.AgentService/GetAgent`; undefined if it calls none. */
export function calledPath({ params, routeOptions }: FastifyRequest): string | undefined {
  const { operation } = params as { operation?: string };
  return operation === undefined ? undefined : routeOptions.url?.replace(/:.*/, operation);
}
