import { type FormEvent, useState } from 'react';
import type { ForgePullRequest } from '#page/client/forge/v1/forge_pb.js';
import { Field } from '#page/dialog/field.tsx';
import { useListing } from '#page/list/use-listing.ts';
import { VirtualList } from '#page/list/virtual-list.tsx';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { Tag } from '#page/parts/tag.tsx';
import type { Tone } from '#page/parts/tone.ts';
import { Trouble } from '#page/parts/trouble.tsx';
import { forges } from './client.ts';
import { PullLink } from './pull-link.tsx';

/** The repository that was asked about and, optionally, a branch of it. */
interface ForgeQuestion {
  readonly remoteUrl: string;
  readonly branch: string;
  /** Counts the questions, because the forge is asked again each time. */
  readonly time: number;
}

const tones: Readonly<Record<string, Tone>> = { OPEN: 'good', MERGED: 'odd' };
const drafted = { tone: 'plain', word: 'draft' } as const;
const idOf = ({ number }: ForgePullRequest): string => String(number);

/** Asks a forge about any repository, whether agents push to it or not. Nothing of the answer is stored. */
export function AskForge() {
  const [asked, setAsked] = useState<ForgeQuestion>();
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    const [remoteUrl, branch] = [String(form.get('remote')).trim(), String(form.get('branch')).trim()];
    if (remoteUrl !== '') setAsked({ remoteUrl, branch, time: (asked?.time ?? 0) + 1 });
  };
  return (
    <section className="ask-forge" aria-labelledby="ask-forge-title">
      <h2 id="ask-forge-title">Pull requests of any repository</h2>
      <form className="form" onSubmit={submit} noValidate>
        <Field label="Repository" hint="git@host:owner/name or https://host/owner/name">
          <input name="remote" className="code" autoComplete="off" spellCheck={false} />
        </Field>
        <Field label="Branch" hint="all from this branch; empty: the open ones">
          <input name="branch" className="code" autoComplete="off" spellCheck={false} />
        </Field>
        <button type="submit" className="button">
          Ask the forge
        </button>
      </form>
      {asked !== undefined && <Found key={asked.time} asked={asked} />}
    </section>
  );
}

function Found({ asked: { remoteUrl, branch, time } }: { readonly asked: ForgeQuestion }) {
  const { rows, error, isPending, paging } = useListing<ForgePullRequest>({
    queryKey: ['forge-pull-requests', remoteUrl, branch, String(time)],
    read: async (cursor, signal) => {
      const request = { remoteUrl, branch, pagination: { cursor, pageSize: 100 } };
      const answer = await forges.listForgePullRequests(request, { ...(signal && { signal }) });
      return { rows: answer.pullRequests, next: answer.nextPageToken };
    },
    idOf,
  });
  if (isPending) return <p role="status">Asking …</p>;
  return (
    <>
      <Trouble error={error} />
      {error === null && (
        <p role="status" className="muted">
          {rows.length === 0 ? 'No pull requests' : `${rows.length}${paging.hasMore ? ' or more' : ''}`}
          {branch === '' ? ' open' : ` from ${branch}`} in {remoteUrl}
        </p>
      )}
      <VirtualList
        label="The forge’s answer"
        rows={rows}
        idOf={idOf}
        rowHeight={54}
        rowProps={() => ({ className: 'row pull' })}
        paging={paging}
      >
        {(pull, { tabIndex }) => <FoundRow pull={pull} tabIndex={tabIndex} />}
      </VirtualList>
    </>
  );
}

function FoundRow({ pull, tabIndex }: { readonly pull: ForgePullRequest; readonly tabIndex: 0 | -1 }) {
  const { state, draft, headBranch, baseBranch, updatedAt } = pull;
  return (
    <>
      <Tag {...(draft ? drafted : { tone: tones[state] ?? 'plain', word: state.toLowerCase() })} />
      <div>
        <PullLink pull={pull} tabIndex={tabIndex} />
      </div>
      <p className="pull-branch cut">
        <code>{headBranch}</code> <span className="muted">into {baseBranch}</span>
      </p>
      <p className="pull-at muted">
        <Elapsed since={updatedAt} />
      </p>
    </>
  );
}
