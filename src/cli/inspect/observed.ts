import type { z } from 'zod';
import type { Client } from '#cli/client/client.ts';
import { follow, retry } from '#cli/client/follow.ts';
import type { CliIo } from '#cli/client/io.ts';
import { Failure } from '#contract/failure.ts';
import type { Transition } from '#contract/machine/transition.ts';
import type { explainMachine } from '#contract/operations/machine.ts';
import {
  actorFrame,
  begun,
  eventFrame,
  type InspectedEvent,
  type InspectedInstance,
  type InspectedState,
  snapshotFrame,
} from './stately.ts';

/** The instances to observe, and the level of detail. */
export interface Subject {
  /** The definition of each observed machine, as JSON, by the machine's name. */
  readonly definitions: ReadonlyMap<string, string>;
  /** The ids of the instances to observe; undefined for all. */
  readonly ids?: readonly string[] | undefined;
  /** Whether to send contexts and event data too, not only states and event types. */
  readonly withContext: boolean;
}

type Frame = Readonly<Record<string, unknown>>;
type Explanation = z.output<typeof explainMachine.response>;

/** Maximum number of instances that the reporter records as sent. */
const maxKnown = 5_000;

/**
 * The inspector's events of every existing instance, and then of each transition, across restarts of the service, until
 * the signal of `io` aborts.
 */
export async function* observeInstances(io: CliIo, client: Client, subject: Subject): AsyncGenerator<Frame, void> {
  const { definitions, ids } = subject;
  const asked = {
    ...(definitions.size === 1 && { machine: [...definitions.keys()][0] ?? '' }),
    ...(ids?.length === 1 && { subjectId: ids[0] ?? '' }),
  };
  const changes = follow(
    io,
    (cursor) =>
      client.watch(
        'fact.v1.FactService/WatchTransitions',
        { ...asked, ...(cursor !== undefined && { cursor }) },
        io.signal,
      ),
    { retriesFirst: true },
  );
  const reporter = new Reporter(io, client, subject);
  let isFirst = true;
  for await (const { transitions = [] } of changes) {
    // Transitions are followed from the first answer on, so the instances are read only after it.
    if (isFirst) yield* reporter.present(new Date(io.now()).toISOString());
    isFirst = false;
    for (const move of transitions) yield* reporter.move(move);
  }
}

/** Makes the events for one receiver, and records which instances that has received. */
class Reporter {
  readonly #io: CliIo;
  readonly #client: Client;
  readonly #subject: Subject;
  readonly #known = new Map<string, InspectedInstance>();

  constructor(io: CliIo, client: Client, subject: Subject) {
    this.#io = io;
    this.#client = client;
    this.#subject = subject;
  }

  async *present(at: string): AsyncGenerator<Frame, void> {
    for (const machine of this.#subject.definitions.keys()) {
      for (const { id = '', name, state: path = '' } of await this.#subjectsOf(machine)) {
        const state = { path, context: await this.#contextOf(machine, id) };
        const instance = this.#meet(machine, id, name || id);
        yield actorFrame(instance, state, at);
        yield snapshotFrame(instance, begun, state, at);
      }
    }
  }

  async *move(move: Transition): AsyncGenerator<Frame, void> {
    const { seq = '', machine = '', subjectId = '', at = '', from = '', to = '' } = move;
    const { definitions, ids } = this.#subject;
    if (!definitions.has(machine) || ids?.includes(subjectId) === false) return;
    const state = { path: to, context: await this.#contextOf(machine, subjectId, seq) };
    const event = this.#eventOf(move);
    const known = this.#known.get(sessionIdOf(machine, subjectId));
    const instance = known ?? this.#meet(machine, subjectId, await this.#nameOf(machine, subjectId));
    if (known === undefined) yield actorFrame(instance, this.#before(state, from), at);
    yield eventFrame(instance, event, at);
    yield snapshotFrame(instance, event, state, at);
  }

  /** The state before, for an instance whose first event is a transition. */
  #before(state: InspectedState, from: string): InspectedState {
    return from === '' ? state : { path: from, context: {} };
  }

  #meet(machine: string, id: string, name: string): InspectedInstance {
    const sessionId = sessionIdOf(machine, id);
    const instance = { sessionId, name, definition: this.#subject.definitions.get(machine) ?? '{}' };
    // The number of instances is unbounded, so the oldest is forgotten. Its next transition sends it again.
    const [oldest] = this.#known.keys();
    if (this.#known.size >= maxKnown && oldest !== undefined) this.#known.delete(oldest);
    this.#known.set(sessionId, instance);
    return instance;
  }

  async #subjectsOf(machine: string) {
    const { ids } = this.#subject;
    if (ids === undefined) {
      const asked = { name: machine };
      const { subjects = [] } = await retry(this.#io, () =>
        this.#client.call('fact.v1.FactService/SurveyMachine', asked),
      );
      return subjects;
    }
    const asked = ids.map(async (id) => ({ id, ...(await this.#explain(machine, id)) }));
    return Promise.all(asked);
  }

  #eventOf({ event = '', eventDetail = '{}' }: Transition): InspectedEvent {
    if (event === '') return begun;
    return { ...(this.#subject.withContext && objectIn(eventDetail)), type: event };
  }

  /** The context of an instance, now or after a transition; undefined if not requested or no longer on record. */
  async #contextOf(machine: string, subjectId: string, seq?: string): Promise<InspectedState['context']> {
    if (!this.#subject.withContext) return {};
    return objectIn((await this.#explain(machine, subjectId, seq)).context ?? '{}');
  }

  /** The name of an instance; its id if it is gone. */
  async #nameOf(machine: string, subjectId: string): Promise<string> {
    return (await this.#explain(machine, subjectId)).name || subjectId;
  }

  /** The explanation of an instance, now or after a transition; empty if no longer on record. Waits for the service. */
  async #explain(machine: string, subjectId: string, seq?: string): Promise<Partial<Explanation>> {
    const asked = { machine, subjectId, ...(seq !== undefined && { seq }) };
    try {
      return await retry(this.#io, () => this.#client.call('fact.v1.FactService/ExplainMachine', asked));
    } catch (error) {
      if (error instanceof Failure && error.code === 'not_found') return {};
      throw error;
    }
  }
}

function sessionIdOf(machine: string, id: string): string {
  return `${machine}:${id}`;
}

function objectIn(json: string): Readonly<Record<string, unknown>> {
  return JSON.parse(json) as Readonly<Record<string, unknown>>;
}
