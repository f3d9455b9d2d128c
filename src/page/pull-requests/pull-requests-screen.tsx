import { Link } from '@tanstack/react-router';
import { useMemo, useState } from 'react';
import { useAct } from '#page/acts/use-act.ts';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { type PullRequest, PullRequestState } from '#page/client/forge/v1/forge_pb.js';
import { useFleet } from '#page/fleet/fleet.ts';
import { useListing } from '#page/list/use-listing.ts';
import { VirtualList } from '#page/list/virtual-list.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import { forges } from './client.ts';
import { PullRow } from './pull-row.tsx';
import { useForges } from './use-forges.ts';
import './pull-requests.css';
import { webAddress } from '#page/parts/web-address.ts';
import { readingWords, stateTag } from './words.ts';

const filters = [
  PullRequestState.UNSPECIFIED,
  PullRequestState.FAILING,
  PullRequestState.CONFLICTING,
  PullRequestState.CHANGES_REQUESTED,
  PullRequestState.APPROVED,
  PullRequestState.OPEN,
  PullRequestState.MERGED,
] as const;

/** A row of the list: a repository, or a pull request of the repository above it. */
type Line = { readonly id: string } & (
  | { readonly repository: string; readonly pull?: undefined }
  | { readonly pull: PullRequest }
);

const idOf = ({ id }: { readonly id: string }): string => id;

/** The stored pull requests by repository, with their states and the reasons. */
export function PullRequestsScreen() {
  const [state, setState] = useState<PullRequestState>(PullRequestState.UNSPECIFIED);
  const { rows, error, isPending, paging } = useListing<PullRequest>({
    queryKey: ['pull-requests', String(state)],
    read: async (cursor, signal) => {
      const asked = { state, pagination: { cursor, pageSize: 100 } };
      const { pullRequests, nextPageToken } = await forges.listPullRequests(asked, { ...(signal && { signal }) });
      return { rows: pullRequests, next: nextPageToken };
    },
    idOf,
  });
  const authors = useAuthors();
  const lines = useMemo(() => linesOf(rows), [rows]);
  return (
    <main className="page" data-scroller>
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
            {one === PullRequestState.UNSPECIFIED ? 'all' : stateTag(one).word}
          </button>
        ))}
      </fieldset>
      <Trouble error={error} />
      {!isPending && rows.length === 0 && <NoPulls isNarrowed={state !== PullRequestState.UNSPECIFIED} />}
      <VirtualList
        label="Pull requests"
        rows={lines}
        idOf={idOf}
        rowHeight={54}
        rowProps={({ pull }) => ({ className: pull === undefined ? 'repository' : 'row pull' })}
        paging={paging}
        keys={{}}
      >
        {(line, { tabIndex }) =>
          line.pull === undefined ? (
            <Repository url={line.repository} tabIndex={tabIndex} />
          ) : (
            <PullRow pull={line.pull} author={authors.get(line.pull.url)} tabIndex={tabIndex} />
          )
        }
      </VirtualList>
    </main>
  );
}

/** Why there are none: because of the filter, because no forge is connected, or because none was read. */
function NoPulls({ isNarrowed }: { readonly isNarrowed: boolean }) {
  const { data } = useForges();
  if (isNarrowed) return <p className="empty">No matches.</p>;
  if (data === undefined) return null;
  return (
    <div className="empty">
      <h2>No pull requests yet</h2>
      {data.connections.length === 0 ? (
        <p>Once you connect a forge, muster reads the pull requests of repositories that agents push to.</p>
      ) : (
        <p>
          muster reads the pull requests of repositories that agents push to. The panel of an agent says if you must
          confirm its repository first.
        </p>
      )}
    </div>
  );
}

/** The repositories, the last updated first, each with its pull requests below it. */
function linesOf(pulls: readonly PullRequest[]): readonly Line[] {
  return [...Map.groupBy(pulls, ({ repositoryUrl }) => repositoryUrl)].flatMap(([repository, those]) => [
    { id: repository, repository },
    ...those.map((pull) => ({ id: pull.id, pull })),
  ]);
}

function Repository({ url, tabIndex }: { readonly url: string; readonly tabIndex: 0 | -1 }) {
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
    <div className="repository-head">
      <h2>
        <a href={webAddress(url)} target="_blank" rel="noopener noreferrer" data-main tabIndex={tabIndex}>
          {name}
        </a>
      </h2>
      <button
        type="button"
        className="button"
        disabled={isBusy}
        tabIndex={tabIndex}
        onClick={sweep}
        aria-label={`Read now: ${name}`}
      >
        Read now
      </button>
    </div>
  );
}

/** The agents that opened pull requests, by the pull request's address. */
function useAuthors(): ReadonlyMap<string, Agent> {
  const { rows } = useFleet();
  return useMemo(() => {
    const known = [...rows.values()].flatMap(({ agent, pullRequest }) =>
      agent !== undefined && pullRequest?.url ? [[pullRequest.url, agent] as const] : [],
    );
    return new Map(known);
  }, [rows]);
}
