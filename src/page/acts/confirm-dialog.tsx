import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { Dialog } from '#page/parts/dialog.tsx';
import type { Act } from './act.ts';

interface ConfirmProps {
  readonly act: Act;
  readonly agent: Agent;
  readonly onClose: () => void;
  readonly onYes: () => void;
}

/** Asks before an act that takes something away. The focus is on the way back. */
export function ConfirmDialog({ act, agent, onClose, onYes }: ConfirmProps) {
  return (
    <Dialog title={`${act.confirm?.question} ${agent.name}?`} onClose={onClose}>
      <div className="body">
        <p>{act.confirm?.what}</p>
        <div className="foot">
          <button type="button" className="button" data-first onClick={onClose}>
            Leave it
          </button>
          <button type="button" className="button danger" onClick={onYes}>
            {act.label}
          </button>
        </div>
      </div>
    </Dialog>
  );
}
