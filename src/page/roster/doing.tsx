import { briefCount, distinctBranch, lastWords } from '#contract/agent/row-text.ts';
import type { Agent, AgentFault, DiffSize } from '#page/client/agent/v1/agent_pb.js';
import { statusOf } from '#page/fleet/agent-status.ts';
import { reasonText } from '#page/fleet/reason-text.ts';
import './doing.css';

/**
 * The activity of an agent: its question if it waits, else the detail on its screen, its task, and its branch if that
 * adds information.
 */
export function Doing({ agent }: { readonly agent: Agent }) {
  if (statusOf(agent).kind === 'waiting' && agent.waitingFor !== '')
    return <span className="said">{agent.waitingFor}</span>;
  const [reason = ''] = reasonText(agent.fault?.summary || agent.stateReason).split('\n');
  const branch = distinctBranch(agent);
  const said = lastWords(agent, statusOf(agent).kind);
  return (
    <>
      <span className="doing">
        {agent.refusedDeletion !== '' && (
          <span className="said refused">Not deleted: {reasonText(agent.refusedDeletion)}</span>
        )}
        {agent.fault?.errorLine && <span className="said error-line">{agent.fault.errorLine}</span>}
        {reason !== '' && <span className="said">{reason}</span>}
        {agent.fault === undefined && agent.failedRunFault !== undefined && (
          <span className="said error-line">{faultLine(agent.failedRunFault)}</span>
        )}
        {agent.task !== '' && <span className="task">{agent.task}</span>}
        {said !== '' && <span className="last-words">{said}</span>}
        {branch !== '' && <span className="branch">{branch}</span>}
      </span>
      {agent.turns > 0 && <span className="turns">{turnsText(agent.turns)}</span>}
    </>
  );
}

function faultLine({ summary, errorLine }: AgentFault): string {
  return [summary, errorLine].filter(Boolean).join(': ');
}

/** For example `12 turns`. */
function turnsText(turns: number): string {
  return `${turns} ${turns === 1 ? 'turn' : 'turns'}`;
}

/** The same in full, one item per line. */
export function doingText(agent: Agent): string {
  const { waitingFor, refusedDeletion, stateReason, failedRunFault, task, reportedReason, branch } = agent;
  const refused = refusedDeletion && `Not deleted: ${refusedDeletion}`;
  const failed = failedRunFault && faultLine(failedRunFault);
  return reasonText(
    [waitingFor, refused, stateReason, failed, task, reportedReason, branch].filter(Boolean).join('\n'),
  );
}

/** How much an agent's worktree differs from its base. */
export function Diff({ size }: { readonly size: DiffSize | undefined }) {
  if (size === undefined) return null;
  const { filesChanged: files, additions, deletions } = size;
  const counted = `${files} ${files === 1 ? 'file' : 'files'}`;
  return (
    <span className="diff-size" title={`${counted} changed, ${additions} lines added, ${deletions} removed`}>
      <span className="added">+{briefCount(additions)}</span> <span className="deleted">−{briefCount(deletions)}</span>{' '}
      <span className="files">{counted}</span>
    </span>
  );
}
