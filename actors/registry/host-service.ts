import type { z } from 'zod';
import type { Endpoint } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse.ts';
import type { AgentRecord } from '#contract/wire/agent-record.ts';
import { registryCalls } from '#contract/wire/registry.ts';
import { agentTokenFor } from './agent-credential.ts';
import { change, commitFamily } from './change.ts';
import { badCursor, cursorSeq } from './cursor.ts';
import { called, findAgent } from './find-agent.ts';
import { fitting } from './fitting.ts';
import { hearHost } from './host-beat.ts';
import type { RegistryScope } from './registry-scope.ts';

/** How many records one answer holds at most. */
const mostRecords = 100;

/** What hosts ask of the registry. The bus lets only hosts ask it. */
export function hostEndpoints(scope: RegistryScope): readonly Endpoint[] {
  return [
    endpoint('beat', registryCalls.beat, async (beat) => {
      await hearHost(scope, beat);
      return {};
    }),
    endpoint('changes', registryCalls.changes, (request) => changes(scope, request)),
    endpoint('load', registryCalls.load, ({ agentId }) => scope.store.read(({ journal }) => journal.load(agentId))),
    endpoint('commit', registryCalls.commit, (commit) =>
      change(scope, async (writing) => {
        const record = await commitFamily(writing, commit);
        if (record.effects.length > 0) writing.ring(record.hostId);
        return record;
      }),
    ),
    endpoint('token', registryCalls.token, (request) => token(scope, request)),
  ];
}

interface RegistryCall<Request extends z.ZodType, Response extends z.ZodType> {
  readonly subject: string;
  readonly request: Request;
  readonly response: Response;
}

function endpoint<Q extends z.ZodType, A extends z.ZodType>(
  name: string,
  { subject, request }: RegistryCall<Q, A>,
  answer: (request: z.output<Q>) => Promise<z.input<A>>,
): Endpoint {
  return { name, subject, handle: (body) => answer(parseRequest(request, body)) };
}

async function changes(
  { store }: RegistryScope,
  { hostId, cursor }: z.output<typeof registryCalls.changes.request>,
): Promise<{ agents: AgentRecord[]; cursor: string }> {
  if (cursor !== '' && !cursorSeq.safeParse(cursor).success) throw badCursor(cursor, 'is no place among the commits');
  const after = cursor === '' ? undefined : BigInt(cursor);
  const found = await store.read(({ agents }) => agents.changesOn(hostId, after, mostRecords));
  const agents = fitting(found.map(({ record }) => record));
  return { agents, cursor: String(found[agents.length - 1]?.place ?? after ?? 0n) };
}

function token(
  { store, tokens }: RegistryScope,
  { agentId, epoch }: z.output<typeof registryCalls.token.request>,
): Promise<{ token: string }> {
  return store.write(async ({ agents, credentials }) => {
    const agent = await findAgent(agents, agentId);
    if (agent.epoch !== epoch) {
      throw new Failure(
        'failed_precondition',
        `Agent ${called(agent)} was placed anew (epoch ${agent.epoch}), so epoch ${epoch} has no token: let go of it`,
      );
    }
    return { token: await agentTokenFor(credentials, tokens, agentId) };
  });
}
