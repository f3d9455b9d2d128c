import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { facts } from '#page/api/clients.ts';
import { isSignedOut } from '#page/api/failure-text.ts';
import type { Transition } from '#page/client/fact/v1/fact_pb.js';
import { pause } from '../api/pause.ts';

/** How many of the last moves of a life are kept by the service. */
const mostMoves = 200;
/** Counts are asked for anew so often at most, in milliseconds, however many moves there are. */
const countEveryMs = 500;
const retryMs = { first: 250, most: 8_000 } as const;

const surveyKey = (machine: string) => ['survey', machine] as const;
const movesKey = (machine: string, id: string) => ['moves', machine, id] as const;

/** A machine's chart: it changes only with the service. */
export function useChart(machine: string) {
  return useQuery({
    queryKey: ['chart', machine],
    queryFn: async ({ signal }) => (await facts.getMachineChart({ name: machine }, { signal })).chart,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** How many lives of a machine are in each state, and which there are. */
export function useSurvey(machine: string) {
  return useQuery({
    queryKey: surveyKey(machine),
    queryFn: ({ signal }) => facts.surveyMachine({ name: machine }, { signal }),
    staleTime: 0,
  });
}

/** The moves of a life, oldest first; `id` is empty where none is looked at. */
export function useMoves(machine: string, id: string) {
  return useQuery({
    queryKey: movesKey(machine, id),
    queryFn: async ({ signal }) => {
      const asked = { machine, subjectId: id, pageSize: mostMoves };
      return (await facts.listTransitions(asked, { signal })).transitions.toReversed();
    },
    enabled: id !== '',
    staleTime: 0,
  });
}

/** What a life was at after a move, or is at where `seq` is undefined; `version` is its newest move, so that it is asked anew. */
export function useMoment(machine: string, id: string, seq: bigint | undefined, version: bigint | undefined) {
  const about = seq ?? `now ${version}`;
  return useQuery({
    queryKey: ['moment', machine, id, String(about)],
    queryFn: ({ signal }) => facts.explainMachine({ machine, subjectId: id, seq: seq ?? 0n }, { signal }),
    enabled: id !== '' && version !== undefined,
    placeholderData: (before) => (before?.machine === machine && before.subjectId === id ? before : undefined),
  });
}

/** Follows the moves of a machine's lives for as long as the screen shows it. */
export function useMovesAsTheyHappen(machine: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    const leaving = new AbortController();
    void follow(queries, machine, leaving.signal);
    return () => leaving.abort();
  }, [queries, machine]);
}

async function follow(queries: QueryClient, machine: string, signal: AbortSignal): Promise<void> {
  const count = gathering(() => void queries.invalidateQueries({ queryKey: surveyKey(machine) }), countEveryMs);
  let cursor = '';
  for (let tries = 0; !signal.aborted; tries += 1) {
    try {
      for await (const answer of facts.watchTransitions({ machine, cursor }, { signal })) {
        // What was listed before the watch began may be older than its cursor.
        if (cursor === '') void queries.invalidateQueries({ queryKey: ['moves', machine] });
        tries = 0;
        cursor = answer.cursor || cursor;
        for (const move of answer.transitions) append(queries, move);
        if (answer.transitions.length > 0) count();
      }
    } catch (error) {
      if (isSignedOut(error)) return;
      // A cursor that is not good any more: begin anew with what there is.
      if (tries > 1) cursor = '';
    }
    await pause(Math.min(retryMs.first * 2 ** tries, retryMs.most), signal);
  }
}

function append(queries: QueryClient, move: Transition): void {
  queries.setQueryData<readonly Transition[]>(movesKey(move.machine, move.subjectId), (known) => {
    if (known === undefined || (known.at(-1)?.seq ?? 0n) >= move.seq) return known;
    return [...known, move].slice(-mostMoves);
  });
}

/** Does something at most once in a time, however often it is asked for. */
function gathering(act: () => void, everyMs: number): () => void {
  let timer: number | undefined;
  return () => {
    if (timer !== undefined) return;
    timer = window.setTimeout(() => {
      timer = undefined;
      act();
    }, everyMs);
  };
}
