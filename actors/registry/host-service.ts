import type { z } from 'zod';
import type { Endpoint } from '#bus/bus.ts';
import { Failure } from '#contract/failure.ts';
import { parseRequest } from '#contract/parse.ts';
import type { AgentCommit, AgentRecord } from '#contract/wire/agent-record.ts';
import { registryCalls } from '#contract/wire/registry.ts';
import { agentTokenFor } from './agent-credential.ts';
import { change, commitFamily } from './change.ts';
import { cursorSeq, cursorsOf } from './cursor.ts';
import { moveBell } from './doorbells.ts';
import { agentOfEpoch } from './find-agent.ts';
import { fitting } from './fitting.ts';
import { hearHost } from './host-beat.ts';
import { installationOf } from './installation.ts';
import { noteRun } from './note-run.ts';
import type { RegistryScope } from './registry-scope.ts';
import type { Change } from './writing.ts';

/** What an agent's worktree may stand elsewhere after: its turn is over, or a person has given it back. */
const asksForMeasure = new Set(['agent.finished', 'agent.unheld']);

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
    endpoint('families', registryCalls.families, ({ families }) =>
      scope.store.write(async (tables) => ({
        installation: await installationOf(tables),
        left: [...(await tables.agents.familiesLeft(families))],
      })),
    ),
    endpoint('load', registryCalls.load, ({ agentId }) => scope.store.read(({ journal }) => journal.load(agentId))),
    endpoint('commit', registryCalls.commit, (commit) => committed(scope, commit)),
    endpoint('run', registryCalls.run, async (run) => {
      const goesOn = await change(scope, (writing) => noteRun(writing, run));
      if (goesOn) scope.passing.tell({ kind: 'run.wrote', subjectId: goesOn.agent, detail: { run: goesOn.id } });
      return {};
    }),
    endpoint('rung', registryCalls.rung, (request) => change(scope, (writing) => rung(writing, request))),
    endpoint('base-moved', registryCalls.baseMoved, async ({ agentId }) => ({
      isWatched: await scope.standings.remeasure(agentId),
    })),
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

/** `seq` is the place up to which commits are told; `after` is where the telling of all agents at work stands. */
const cursors = cursorsOf('host-changes', { seq: cursorSeq, after: cursorSeq.optional() });

/**
 * Tells every agent that is at work, page after page, and from then on those that were committed to. The newest commit's
 * place is taken before the first page is read, so an agent that moves while the pages are told is told again.
 */
async function changes(
  { store, standings }: RegistryScope,
  { hostId, cursor }: z.output<typeof registryCalls.changes.request>,
): Promise<z.output<typeof registryCalls.changes.response>> {
  const at = cursors.read(cursor);
  // A host that comes back has seen nothing of what moved while it was away.
  if (at === undefined) standings.measureAll(hostId);
  return store.read(async ({ agents }) => {
    const seq = at === undefined ? await agents.lastPlace() : BigInt(at.seq);
    const isOpening = at === undefined || at.after !== undefined;
    const found = isOpening
      ? await agents.atWorkOn(hostId, BigInt(at?.after ?? 0), mostRecords)
      : await agents.changesOn(hostId, seq, mostRecords);
    const told = fitting(found.map(({ record }) => record));
    const last = String(found[told.length - 1]?.place ?? seq);
    const isWhole = told.length === found.length && found.length < mostRecords;
    const next = !isOpening ? { seq: last } : isWhole ? { seq: String(seq) } : { seq: String(seq), after: last };
    return { agents: told, cursor: cursors.write(next), more: isOpening || !isWhole };
  });
}

async function committed(scope: RegistryScope, commit: AgentCommit): Promise<AgentRecord> {
  const written = await change(scope, async (writing) => {
    const record = await commitFamily(writing, commit);
    if (record.effects.length > 0) writing.ring(record.hostId);
    return record;
  });
  if (commit.facts.some(({ kind }) => asksForMeasure.has(kind))) scope.standings.measure(commit.agentId);
  return written;
}

/** Notes that a doorbell was rung. One that was claimed meanwhile stays so. */
async function rung(
  writing: Change,
  { agentId, epoch, bellId }: z.output<typeof registryCalls.rung.request>,
): Promise<AgentRecord> {
  const { agents, doorbells, journal } = writing.tables;
  await agentOfEpoch(agents, agentId, epoch);
  const bell = await doorbells.find(bellId);
  if (bell !== undefined && bell.agent !== agentId) {
    throw new Failure(
      'failed_precondition',
      `Doorbell ${bellId} is ${bell.agent}'s and not ${agentId}'s: let go of it`,
    );
  }
  if (bell !== undefined) await moveBell(writing, bell, { type: 'RUNG' });
  return journal.load(agentId);
}

function token(
  { store, tokens }: RegistryScope,
  { agentId, epoch }: z.output<typeof registryCalls.token.request>,
): Promise<{ token: string }> {
  return store.write(async ({ agents, credentials }) => {
    await agentOfEpoch(agents, agentId, epoch);
    return { token: await agentTokenFor(credentials, tokens, agentId) };
  });
}
