import { getRouteApi } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useEffectEvent, useMemo, useState } from 'react';
import { agents } from '#page/api/clients.ts';
import { failureText } from '#page/api/failure-text.ts';
import type { Agent, Review, ReviewRound, ReviewThread } from '#page/client/agent/v1/agent_pb.js';
import { AgentHead } from '#page/fleet/agent-head.tsx';
import { useAgent } from '#page/fleet/use-agent.ts';
import { Batch } from './batch.tsx';
import { filesOf, openBatch, type ReviewAct, useDiff, useReviewAct, useRounds, useThreads } from './data.ts';
import { DiffFile } from './diff-file.tsx';
import { FileList } from './file-list.tsx';
import { useLastSeen } from './last-round.ts';
import { placedIn } from './placing.ts';
import { ReleaseDialog } from './release-dialog.tsx';
import './review.css';
import { useNear } from './code/use-near.ts';
import { RoundBar } from './round-bar.tsx';
import { useSeen } from './seen.ts';
import { ThreadCard } from './thread-card.tsx';
import { useReviewKeys } from './use-review-keys.ts';

const route = getRouteApi('/agents/$agentId/review');

/** The review of an agent's work: its rounds, its diff and its comments. */
export function ReviewScreen() {
  const { agentId } = route.useParams();
  const { row, error } = useAgent(agentId);
  if (row?.agent !== undefined) return <WholeReview key={agentId} agent={row.agent} />;
  return <main className="empty">{error === null ? '…' : failureText(error)}</main>;
}

function WholeReview({ agent }: { readonly agent: Agent }) {
  const { id: agentId, name } = agent;
  const rounds = useRounds(agentId);
  const said = useThreads(agentId);
  const act = useReviewAct(agentId);
  const [chosen, setChosen] = useState('');
  const [chosenSince, setSince] = useState<string>();
  const [isReleasing, setReleasing] = useState(false);
  const [isSplit, setSplit] = useState(false);
  const newest = rounds.data?.[0];
  const round = rounds.data?.find(({ id }) => id === chosen) ?? newest;
  const reviews = said.data?.reviews ?? none;
  const lastSeen = useLastSeen(agentId, round, reviews);
  const seen = rounds.data?.find(({ ordinal }) => ordinal === lastSeen);
  // By default, a later round shows the changes since the last round that was seen.
  const since = chosenSince ?? seen?.id ?? '';
  const threads = said.data?.threads ?? none;
  const batch = openBatch(reviews);
  useReviewKeys({ agentId, release: round && (() => setReleasing(true)), split: () => setSplit(!isSplit) });
  const showNewest = (): void => {
    setChosen('');
    setSince(undefined);
  };
  const error = rounds.error ?? said.error;
  return (
    <main className="review">
      <AgentHead agent={agent} here="review">
        <button
          type="button"
          className="button"
          disabled={act.isPending}
          onClick={() => act.mutate(() => agents.startReviewRound({ agentId }), { onSuccess: showNewest })}
        >
          {newest === undefined ? 'Snapshot the work' : 'New round'}
        </button>
        {round !== undefined && (
          <button type="button" className="button primary" aria-keyshortcuts="r" onClick={() => setReleasing(true)}>
            Release{batch && batch.comments > 0 ? ` ${batch.comments}` : ''} <kbd>r</kbd>
          </button>
        )}
      </AgentHead>
      {error !== null && (
        <p className="failure" role="alert">
          {failureText(error)}
        </p>
      )}
      {rounds.data !== undefined && round === undefined && (
        <div className="empty">
          <h2>No rounds yet</h2>
          <p>A round pins {name}’s work as it is, uncommitted files too, so that comments keep their place.</p>
          <p>“Snapshot the work” above makes the first; then comment on its lines.</p>
        </div>
      )}
      {rounds.data !== undefined && round !== undefined && (
        <Round
          agent={agent}
          rounds={rounds.data}
          round={round}
          since={since}
          isSplit={isSplit}
          onSplit={setSplit}
          threads={threads}
          reviews={reviews}
          batch={batch}
          act={act}
          onRound={(id) => {
            setChosen(id);
            setSince(undefined);
          }}
          onSince={setSince}
        />
      )}
      {isReleasing && round !== undefined && (
        <ReleaseDialog
          agent={agent}
          comments={batch?.comments ?? 0}
          open={threads.filter((thread) => thread.resolvedAt === '' && thread.reviewId !== batch?.id).length}
          snapshotSha={round.snapshotSha}
          act={act}
          onClose={() => setReleasing(false)}
        />
      )}
    </main>
  );
}

const none: never[] = [];

interface RoundProps {
  readonly agent: Agent;
  readonly rounds: readonly ReviewRound[];
  readonly round: ReviewRound;
  readonly since: string;
  readonly isSplit: boolean;
  readonly onSplit: (isSplit: boolean) => void;
  readonly threads: readonly ReviewThread[];
  readonly reviews: readonly Review[];
  readonly batch: Review | undefined;
  readonly act: ReviewAct;
  readonly onRound: (roundId: string) => void;
  readonly onSince: (roundId: string) => void;
}

function Round(props: RoundProps) {
  const { agent, rounds, round, since, isSplit, threads, reviews, batch, act, onSplit, onRound, onSince } = props;
  const diff = useDiff(agent.id, round.id, since);
  const pages = diff.data?.pages ?? none;
  const files = useMemo(() => filesOf(pages), [pages]);
  const baseSha = pages[0]?.baseSha ?? '';
  const placed = useMemo(() => placedIn({ round, baseSha }, threads), [round, baseSha, threads]);
  const { seen, mark } = useSeen(round.id);
  const isSplitShown = useDeferredValue(isSplit);
  const paths = new Set(files.map(({ path }) => path));
  const shown = new Set(
    [...placed].flatMap(([path, here]) => (paths.has(path) ? here.map(({ thread }) => thread.id) : [])),
  );
  const others = diff.hasNextPage || !diff.isSuccess ? none : threads.filter(({ id }) => !shown.has(id));
  return (
    <div className="review-columns">
      <div className="review-side">
        <RoundBar
          rounds={rounds}
          round={round}
          since={since}
          isSplit={isSplit}
          onSplit={onSplit}
          threads={threads}
          act={act}
          onRound={onRound}
          onSince={onSince}
        />
        <FileList files={files} total={pages[0]?.totalFiles ?? 0} placed={placed} seen={seen} />
        <Batch agentId={agent.id} batch={batch} reviews={reviews} act={act} />
      </div>
      <section className="review-diff" aria-label="What changed">
        {diff.error !== null && (
          <p className="failure" role="alert">
            {failureText(diff.error)}
          </p>
        )}
        {diff.isSuccess && files.length === 0 && (
          <p className="empty">No differences{since === '' ? ' from the base' : ' between these rounds'}.</p>
        )}
        {files.map((file) => (
          <DiffFile
            key={file.path}
            agentId={agent.id}
            file={file}
            threads={placed.get(file.path) ?? none}
            baseSha={baseSha}
            snapshotSha={round.snapshotSha}
            isSplit={isSplitShown}
            isSeen={seen.has(file.path)}
            onSeen={mark}
            act={act}
          />
        ))}
        {diff.hasNextPage && (
          <MoreOfIt key={pages.length} isBusy={diff.isFetching} onMore={() => void diff.fetchNextPage()} />
        )}
        {others.length > 0 && (
          <section className="other-threads" aria-label="Threads outside this diff">
            <h2>Outside this diff</h2>
            {others.map((thread) => (
              <ThreadCard key={thread.id} thread={thread} act={act} withLines />
            ))}
          </section>
        )}
      </section>
    </div>
  );
}

/** Loads the next page of the diff when its end comes near; with a button if that failed. */
function MoreOfIt({ isBusy, onMore }: { readonly isBusy: boolean; readonly onMore: () => void }) {
  const [isNear, place] = useNear<HTMLButtonElement>();
  const ask = useEffectEvent(onMore);
  useEffect(() => {
    if (isNear) ask();
  }, [isNear]);
  return (
    <button ref={place} type="button" className="button" disabled={isBusy} onClick={onMore}>
      Load more
    </button>
  );
}
