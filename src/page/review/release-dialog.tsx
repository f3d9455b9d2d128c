import { useState } from 'react';
import { agents } from '#page/api/clients.ts';
import { type Agent, ReviewVerdict } from '#page/client/agent/v1/agent_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { FormFoot } from '#page/dialog/form-foot.tsx';
import { showNotice } from '#page/parts/notices.tsx';
import type { ReviewAct } from './data.ts';

const verdicts: readonly (readonly [verdict: ReviewVerdict, label: string, what: string])[] = [
  [ReviewVerdict.APPROVED, 'Approve', 'It may be merged as it is.'],
  [ReviewVerdict.CHANGES_REQUESTED, 'Request changes', 'The comments must be resolved first.'],
  [ReviewVerdict.COMMENTED, 'Only comment', 'Nothing is decided.'],
];

interface ReleaseProps {
  readonly agent: Agent;
  /** How many comments are released. */
  readonly comments: number;
  /** How many other threads are unresolved. */
  readonly open: number;
  readonly snapshotSha: string;
  readonly act: ReviewAct;
  readonly onClose: () => void;
}

/** Releases the person's comments to the agent, with a verdict. */
export function ReleaseDialog({
  agent: { id: agentId, name },
  comments,
  open,
  snapshotSha,
  act,
  onClose,
}: ReleaseProps) {
  const [verdict, setVerdict] = useState(() => verdictToBeginWith(comments, open));
  const [summary, setSummary] = useState('');
  const release = (): void => {
    const call = () => agents.releaseReview({ agentId, verdict, summary, snapshotSha });
    act.mutate(call, {
      onSuccess() {
        showNotice({ tone: 'done', text: `Review released; ${name} is notified` });
        onClose();
      },
    });
  };
  const count = comments === 0 ? 'no comment' : comments === 1 ? 'one comment' : `${comments} comments`;
  const left = open === 0 ? '' : open === 1 ? ' One thread is open.' : ` ${open} threads are open.`;
  return (
    <Dialog title={`Release your review of ${name}`} onClose={onClose}>
      <form
        className="body form"
        onSubmit={(event) => {
          event.preventDefault();
          release();
        }}
      >
        <p className="muted">
          With {count}.{left} The agent is notified when it is next idle.
        </p>
        <fieldset className="verdicts">
          <legend className="unseen">Verdict</legend>
          {verdicts.map(([value, label, what]) => (
            <label key={value} className="verdict">
              <input type="radio" name="verdict" checked={verdict === value} onChange={() => setVerdict(value)} />
              <span>
                <b>{label}</b> <span className="muted">{what}</span>
              </span>
            </label>
          ))}
        </fieldset>
        <label>
          Summary
          <textarea
            rows={3}
            maxLength={2_000}
            value={summary}
            data-first
            onChange={(event) => setSummary(event.target.value)}
          />
        </label>
        <FormFoot submit="Release" isBusy={act.isPending} onLeave={onClose} />
      </form>
    </Dialog>
  );
}

/** Approval is preselected only if there are no comments and no open threads. */
function verdictToBeginWith(comments: number, open: number): ReviewVerdict {
  if (comments > 0) return ReviewVerdict.CHANGES_REQUESTED;
  return open > 0 ? ReviewVerdict.COMMENTED : ReviewVerdict.APPROVED;
}
