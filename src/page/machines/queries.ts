import { type QueryClient, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { facts } from '#page/api/clients.ts';
import { follow } from '#page/api/follow.ts';
import { throttled } from '#page/api/throttled.ts';
import type { MachineSubject, Transition, WatchTransitionsResponse } from '#page/client/fact/v1/fact_pb.js';
import { type Listing, useListing } from '#page/list/use-listing.ts';

/** How many transitions of an instance the service keeps. */
const maxTransitions = 200;
/** Counts are refetched at most once in this many milliseconds, however many transitions there are. */
const countEveryMs = 500;

const surveyKey = (machine: string) => ['survey', machine] as const;
const instancesKey = (machine: string) => ['instances', machine] as const;
const transitionsKey = (machine: string, id: string) => ['moves', machine, id] as const;

/** The chart of a machine, which changes only with the service's version. */
export function useChart(machine: string) {
  return useQuery({
    queryKey: ['chart', machine],
    queryFn: async ({ signal }) => (await facts.getMachineChart({ name: machine }, { signal })).chart,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The number of instances of a machine in each state. */
export function useSurvey(machine: string) {
  return useQuery({
    queryKey: surveyKey(machine),
    queryFn: ({ signal }) => facts.surveyMachine({ name: machine }, { signal }),
    staleTime: 0,
  });
}

const idOf = ({ id }: MachineSubject): string => id;

/** The instances of a machine that match words and a state, newest first, and their total. */
export function useInstances(machine: string, words: string, state: string): Listing<MachineSubject> & InstanceTotal {
  const queries = useQueryClient();
  const queryKey = [...instancesKey(machine), words, state];
  const totalKey = ['instances-total', machine, words, state];
  const listing = useListing<MachineSubject>({
    queryKey,
    read: async (cursor, signal) => {
      const asked = { machine, words, state, pagination: { cursor, pageSize: 100 } };
      const { lives, nextPageToken, total } = await facts.listLives(asked, { ...(signal && { signal }) });
      if (cursor === '') queries.setQueryData(totalKey, total);
      return { rows: lives, next: nextPageToken };
    },
    idOf,
  });
  const { data: total } = useQuery<number>({ queryKey: totalKey, queryFn: () => 0, enabled: false });
  return { ...listing, total };
}

interface InstanceTotal {
  readonly total: number | undefined;
}

/** The transitions of an instance, oldest first. `id` is empty if no instance is selected. */
export function useTransitions(machine: string, id: string) {
  return useQuery({
    queryKey: transitionsKey(machine, id),
    queryFn: async ({ signal }) => {
      const asked = { machine, subjectId: id, pageSize: maxTransitions };
      return (await facts.listTransitions(asked, { signal })).transitions.toReversed();
    },
    enabled: id !== '',
    staleTime: 0,
  });
}

/**
 * The state and context of an instance after a transition, or now if `seq` is undefined. `version` is its newest
 * transition, by which it is refetched.
 */
export function useMoment(machine: string, id: string, seq: number | undefined, version: bigint) {
  const about = seq ?? `now ${version}`;
  return useQuery({
    queryKey: ['moment', machine, id, String(about)],
    queryFn: ({ signal }) => facts.explainMachine({ machine, subjectId: id, seq: BigInt(seq ?? 0) }, { signal }),
    enabled: id !== '',
    placeholderData: (before) => (before?.machine === machine && before.subjectId === id ? before : undefined),
  });
}

/** Follows the transitions of a machine's instances while the screen shows it. */
export function useLiveTransitions(machine: string): void {
  const queries = useQueryClient();
  useEffect(() => {
    const leaving = new AbortController();
    const count = throttled(() => {
      void queries.invalidateQueries({ queryKey: surveyKey(machine) });
      void queries.invalidateQueries({ queryKey: instancesKey(machine) });
    }, countEveryMs);
    void follow<WatchTransitionsResponse>({
      open: (cursor, signal) => facts.watchTransitions({ machine, cursor }, { signal }),
      onAnswer: ({ transitions }, isFirst) => {
        // Data that was read before the watch began may be older than its cursor.
        if (isFirst) void queries.invalidateQueries({ queryKey: ['moves', machine] });
        for (const transition of transitions) append(queries, transition);
        if (transitions.length > 0 || isFirst) count();
      },
      signal: leaving.signal,
    });
    return () => leaving.abort();
  }, [queries, machine]);
}

function append(queries: QueryClient, transition: Transition): void {
  queries.setQueryData<readonly Transition[]>(transitionsKey(transition.machine, transition.subjectId), (known) => {
    if (known === undefined || (known.at(-1)?.seq ?? 0n) >= transition.seq) return known;
    return [...known, transition].slice(-maxTransitions);
  });
}
