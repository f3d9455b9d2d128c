import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import type { PullRequest } from '#page/client/forge/v1/forge_pb.js';
import { AgentName } from '#page/fleet/names.tsx';
import { Elapsed } from '#page/parts/elapsed.tsx';
import { Tag } from '#page/parts/tag.tsx';
import { PullLink } from './pull-link.tsx';
import { reasonsOf, stateTag } from './words.ts';

interface RowProps {
  readonly pull: PullRequest;
  readonly author: Agent | undefined;
  readonly tabIndex: 0 | -1;
}

/** A pull request: its state, the reasons, and the agent that works on it. */
export function PullRow({ pull, author, tabIndex }: RowProps) {
  return (
    <>
      <Tag {...stateTag(pull.state)} />
      <div>
        <PullLink pull={pull} tabIndex={tabIndex} />
        <p className="muted">{reasonsOf(pull).join(' · ')}</p>
      </div>
      <p className="pull-branch cut">
        <code>{pull.headBranch}</code> <span className="muted">into {pull.baseBranch}</span>
        {author !== undefined && (
          <span className="pull-agent">
            <AgentName agentId={author.id} name={author.name} tabIndex={tabIndex} />
          </span>
        )}
      </p>
      <p className="pull-at muted">
        <Elapsed since={pull.changedAt} />
      </p>
    </>
  );
}
