import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { type PullRequest, PullRequestState } from '#page/client/forge/v1/forge_pb.js';
import { useFleet } from '#page/fleet/fleet.ts';
import { Trouble } from '#page/parts/trouble.tsx';
import { useAct } from '#page/parts/use-act.ts';
import { forges } from './client.ts';
import { PullRow } from './pull-row.tsx';
import './pull-requests.css';
import { readingWords, standingOf, webAddress } from './words.ts';

const filters = [
  PullRequestState.UNSPECIFIED,
  PullRequestState.FAILING,
  PullRequestState.CONFLICTING,
  PullRequestState.CHANGES_REQUESTED,
  PullRequestState.APPROVED,
  PullRequestState.OPEN,
  PullRequestState.MERGED,
] as const;

/** Stored pull requests by their repositories, with their standing and why. */
export function PullRequestsScreen() {
  const [state, setState] = useState<PullRequestState>(PullRequestState.UNSPECIFIED);
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['pull-requests', String(state)],
    initialPageParam: '',
    queryFn: ({ pageParam, signal }) =>
      forges.listPullRequests({ state, pagination: { cursor: pageParam, pageSize: 100 } }, { signal }),
    getNextPageParam: ({ nextPageToken }) => nextPageToken || undefined,
    placeholderData: keepPreviousData,
    refetchInterval: 5_000,
  });
  const authors = useAuthors();
  const pulls = data?.pages.flatMap((page) => page.pullRequests) ?? [];
  return (
    <main className="page">
      <div className="screen-head">
        <h1>Pull requests</h1>
        <Link to="/pull-requests/forges" className="button">
          Connected forges
        </Link>
      </div>
      <fieldset className="chips">
        <legend className="unseen">Which pull requests</legend>
        {filters.map((one) => (
          <button key={one} type="button" className="chip" aria-pressed={one === state} onClick={() => setState(one)}>
            {one === PullRequestState.UNSPECIFIED ? 'all' : standingOf(one).word}
          </button>
        ))}
      </fieldset>
      <Trouble error={error} />
      {!isPending && pulls.length === 0 && (
        <div className="empty">
          <h2>No pull request is stored</h2>
          <p>Those of repositories that agents push to are read by themselves, once their forge is connected.</p>
        </div>
      )}
      {[...Map.groupBy(pulls, ({ repositoryUrl }) => repositoryUrl)].map(([url, those]) => (
        <Repository key={url} url={url} pulls={those} authors={authors} />
      ))}
      {hasNextPage && (
        <button type="button" className="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Older ones
        </button>
      )}
    </main>
  );
}

interface RepositoryProps {
  readonly url: string;
  readonly pulls: readonly PullRequest[];
  /** The agents whose pull requests they are, by the pull requests' addresses. */
  readonly authors: ReadonlyMap<string, Agent>;
}

function Repository({ url, pulls, authors }: RepositoryProps) {
  const { act, isBusy } = useAct(['pull-requests']);
  const name = url.replace(/^https?:\/\//, '');
  const sweep = (): void =>
    act({
      label: `Read ${name}`,
      call: () => forges.sweepRepository({ remoteUrl: url }),
      done: ({ repository: read }) =>
        [`${name} ${readingWords[read?.state ?? 0]}`, read?.failure, read?.warning].filter(Boolean).join('\n'),
    });
  return (
    <section className="repository" aria-label={name}>
      <header>
        <h2>
          <a href={webAddress(url)} target="_blank" rel="noopener noreferrer">
            {name}
          </a>
        </h2>
        <button type="button" className="button" disabled={isBusy} onClick={sweep} aria-label={`Read now: ${name}`}>
          Read now
        </button>
      </header>
      <ul className="rows" aria-label={`Pull requests of ${name}`}>
        {pulls.map((pull) => (
          <PullRow key={pull.id} pull={pull} author={authors.get(pull.url)} />
        ))}
      </ul>
    </section>
  );
}

/** The agents that have a pull request, by its address. */
function useAuthors(): ReadonlyMap<string, Agent> {
  const { rows } = useFleet();
  return useMemo(() => {
    const known = [...rows.values()].flatMap(({ agent, pullRequest }) =>
      agent !== undefined && pullRequest?.url ? [[pullRequest.url, agent] as const] : [],
    );
    return new Map(known);
  }, [rows]);
}
