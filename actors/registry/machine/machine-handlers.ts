import { z } from 'zod';
import { timeOf } from '#actors/registry/agent/agent-resource.ts';
import { badCursor, cursorCodec, cursorSeq } from '#actors/registry/kernel/cursor.ts';
import { handler } from '#actors/registry/kernel/handler.ts';
import { pageLimit } from '#actors/registry/kernel/page-limit.ts';
import { plainCursor } from '#actors/registry/kernel/plain-cursor.ts';
import { Failure } from '#contract/failure.ts';
import type { Transition } from '#contract/machine/transition.ts';
import {
  explainMachine,
  getMachineChart,
  listLives,
  listTransitions,
  surveyMachine,
  watchTransitions,
} from '#contract/operations/machine.ts';
import { pageSize } from '#contract/page.ts';
import { quoted } from '#contract/quoted.ts';
import { phaseOf } from '#machines/agent/agent-view.ts';
import { type Change, changesOf } from '#machines/chart/changes.ts';
import { machineNames } from '#machines/chart/definitions.ts';
import { chartOf } from '#machines/chart/layout.ts';
import { prospectsOf } from '#machines/chart/prospect.ts';
import type { ListedInstance } from '#store/machine/survey-table.ts';
import type { StoredTransition } from '#store/machine/transition-entity.ts';
import type { Tables } from '#store/tables.ts';
import { findSubject } from './subject.ts';

/** How many instances a survey lists. */
const maxNamed = 100;

const places = cursorCodec('lives', {
  machine: z.string(),
  words: z.string(),
  state: z.string(),
  at: z.int(),
  id: z.string(),
});
const cursors = cursorCodec('moves', { machine: z.string(), subjectId: z.string(), seq: cursorSeq });

/** Returns a machine's chart with its layout. */
export const getMachineChartHandler = handler(getMachineChart, async ({ name }) => ({ chart: chartOf(known(name)) }));

/** Counts a machine's instances by state, and lists the newest. */
export const surveyMachineHandler = handler(surveyMachine, async ({ name }, _caller, { store }) => {
  const machine = known(name);
  return store.read(async ({ surveys }) => {
    const [counts, subjects] = [await surveys.counts(machine), await surveys.instances(machine, maxNamed)];
    return {
      counts: counts.map(({ value, count }) => ({ state: phaseOf(value), count })),
      subjects: subjects.map(toSubject),
    };
  });
});

/** Lists a machine's instances, newest first. */
export const listLivesHandler = handler(
  listLives,
  ({ machine, words = '', state = '', pagination }, _caller, { store }) => {
    known(machine);
    const limit = pageLimit(pagination?.pageSize);
    const after = places.read(pagination?.cursor);
    if (after && (after.machine !== machine || after.words !== words || after.state !== state)) {
      throw badCursor(pagination?.cursor ?? '', 'was made for another listing');
    }
    const wanted = {
      words: words.toLowerCase().split(/\s+/).filter(Boolean),
      meansState: (word: string, value: unknown) => phaseOf(value).toLowerCase().includes(word),
      isIn: (value: unknown) => state === '' || isWithin(phaseOf(value), state),
    };
    return store.read(async ({ surveys }) => {
      const found = await surveys.instances(machine, limit + 1, wanted, after);
      const page = found.slice(0, limit);
      const last = found.length > limit ? page.at(-1) : undefined;
      return {
        lives: page.map(toSubject),
        ...(last && { nextPageToken: places.write({ machine, words, state, at: last.at, id: last.id }) }),
        ...(after === undefined && { total: await surveys.count(machine, wanted) }),
      };
    });
  },
);

/** Lists transitions, newest first. */
export const listTransitionsHandler = handler(listTransitions, (request, _caller, { store }) => {
  const { machine, subjectId = '', cursor } = request;
  known(machine);
  const limit = pageLimit(request.pageSize);
  const at = cursors.read(cursor);
  if (at !== undefined && (at.machine !== machine || at.subjectId !== subjectId)) {
    throw new Failure('INVALID_CURSOR', 'The cursor belongs to a listing of other transitions: start again', {
      field: 'pagination.cursor',
    });
  }
  return store.read(async ({ transitions }) => {
    const of = { machine, subject: subjectId || undefined };
    const found = await transitions.before(at && BigInt(at.seq), limit + 1, of);
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const more = last !== undefined && found.length > limit;
    return {
      transitions: page.map(transitionOf),
      ...(more ? { nextPageToken: cursors.write({ machine, subjectId, seq: String(last.seq) }) } : {}),
    };
  });
});

/** Returns transitions after a position, oldest first. */
export const watchTransitionsHandler = handler(watchTransitions, (request, _caller, { store, logLine }) => {
  const { machine, subjectId, cursor } = request;
  if (machine) known(machine);
  const at = cursor ? plainCursor.read(cursor) : undefined;
  const log = logLine.name;
  return store.read(async ({ transitions }) => {
    const newest = await transitions.lastSeq();
    if (!cursor || at === undefined)
      return { transitions: [], cursor: plainCursor.write({ log, seq: String(newest) }) };
    const seq = logLine.require('moves', { log, ...at }, newest, cursor);
    const of = { machine: machine || undefined, subject: subjectId || undefined };
    const found = await transitions.after(seq, pageSize.max, of);
    const last = found.length < pageSize.max ? newest : found.at(-1)?.seq;
    return { transitions: found.map(transitionOf), cursor: plainCursor.write({ log, seq: String(last) }) };
  });
});

/** Describes the state of an instance, now or after one of its transitions, and what could happen next. */
export const explainMachineHandler = handler(explainMachine, ({ machine, subjectId, seq }, _caller, { store }) => {
  known(machine);
  return store.read(async (tables) => {
    const { name, snapshot, transition } = await momentOf(tables, machine, subjectId, seq);
    const changes = transition === undefined ? [] : await changesBy(tables, transition);
    return {
      machine,
      subjectId,
      name,
      state: phaseOf(snapshot.value),
      context: JSON.stringify(snapshot.context),
      ...(transition && { transition: transitionOf(transition) }),
      changes,
      next: prospectsOf(machine, snapshot).map(({ sample, effects, facts, refusedBy, changes: coming, ...rest }) => ({
        ...rest,
        sample: JSON.stringify(sample),
        effects: [...effects],
        facts: [...facts],
        refusedBy: [...refusedBy],
        changes: [...coming],
      })),
    };
  });
});

/** An instance now, or after one of its transitions. */
async function momentOf(tables: Tables, machine: string, subjectId: string, seq: string | undefined) {
  const present = await findSubject(tables, machine, subjectId);
  if (seq === undefined || seq === '0') {
    if (present === undefined)
      throw new Failure('SUBJECT_NOT_FOUND', `There is no ${machine} ${quoted(subjectId)}`, {
        field: 'subjectId',
        metadata: { machine, subjectId },
      });
    return { ...present, transition: await tables.transitions.lastOf(machine, subjectId) };
  }
  const transition = await tables.transitions.find(BigInt(seq));
  if (transition?.snapshot === undefined || transition.machine !== machine || transition.subject !== subjectId) {
    throw new Failure(
      'TRANSITION_NOT_FOUND',
      `Transition ${seq} of ${machine} ${quoted(subjectId)} is not stored: the last 200 are; ListTransitions lists them`,
    );
  }
  return { name: present?.name ?? subjectId, snapshot: transition.snapshot, transition };
}

/** What a transition changed in the machine's context; empty if the transition before it is not stored. */
async function changesBy({ transitions }: Tables, { seq, machine, subject }: StoredTransition): Promise<Change[]> {
  const [earlier] = await transitions.before(seq, 1, { machine, subject });
  const [before, after] = [earlier && (await transitions.find(earlier.seq)), await transitions.find(seq)];
  if (before?.snapshot === undefined || after?.snapshot === undefined) return [];
  return [...changesOf(before.snapshot.context, after.snapshot.context)];
}

/** @throws NOT_FOUND when there is no machine with that name */
function known(name: string): string {
  if (machineNames.includes(name)) return name;
  throw new Failure('MACHINE_NOT_FOUND', `There is no machine ${quoted(name)}: there are ${machineNames.join(', ')}`, {
    metadata: { machine: name },
  });
}

function toSubject({ id, name, value }: ListedInstance): { id: string; name: string; state: string } {
  return { id, name, state: phaseOf(value) };
}

/** Whether an instance is in a state or in one of its substates. It may be in several states at once. */
function isWithin(phase: string, state: string): boolean {
  return phase.split(',').some((path) => path === state || path.startsWith(`${state}.`));
}

function transitionOf(stored: StoredTransition): Transition {
  const { seq, machine, subject, at, event, eventDetail, fromState, toState, effects, facts } = stored;
  return {
    seq: String(seq),
    machine,
    subjectId: subject,
    at: timeOf(at),
    event,
    eventDetail: JSON.stringify(eventDetail),
    from: fromState,
    to: toState,
    effects: [...effects],
    facts: [...facts],
  };
}
