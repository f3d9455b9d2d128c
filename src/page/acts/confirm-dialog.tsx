import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { Confirm } from '#page/dialog/confirm.tsx';
import type { Act } from './act.ts';

interface ConfirmProps {
  readonly act: Act;
  readonly agent: Agent;
  readonly onClose: () => void;
  readonly onYes: () => void;
}

/** Asks for confirmation of an act on an agent that cannot be undone. */
export function ConfirmDialog({ act: { confirm, label }, agent, onClose, onYes }: ConfirmProps) {
  const question = `${confirm?.question} ${agent.name}?`;
  return <Confirm question={question} what={confirm?.what} yes={label} onYes={onYes} onClose={onClose} />;
}
