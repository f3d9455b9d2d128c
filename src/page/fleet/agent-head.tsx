import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { statusOf } from './agent-status.ts';
import './agent-head.css';
import { Elapsed } from '#page/parts/elapsed.tsx';

interface HeadProps {
  readonly agent: Agent;
  readonly here: 'pane' | 'review';
  /** The actions of the screen. */
  readonly children?: ReactNode;
}

/** The head of an agent's screens: its name, its status and links to its other screens. */
export function AgentHead({ agent, here, children }: HeadProps) {
  const status = statusOf(agent);
  const params = { agentId: agent.id };
  return (
    <header className="agent-head">
      <Link to="/agents/$agentId" params={params} className="quiet" aria-label={`Back to ${agent.name} in the list`}>
        ←
      </Link>
      <h1>{agent.name}</h1>
      <span className="agent-status" data-kind={status.kind}>
        {status.word}
      </span>
      <span className="muted agent-head-since">
        {agent.stateReason !== '' && `${agent.stateReason}, `}
        <Elapsed since={agent.stateChangedAt || agent.createdAt} />
      </span>
      {agent.heldAt !== '' && <span className="held">held</span>}
      <nav aria-label={`Screens of ${agent.name}`}>
        <Link to="/agents/$agentId/pane" params={params} className="tab" data-active={here === 'pane'}>
          Terminal
        </Link>
        <Link to="/agents/$agentId/review" params={params} className="tab" data-active={here === 'review'}>
          Review
        </Link>
      </nav>
      <span className="spring" />
      {children}
    </header>
  );
}
