import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { ActBar } from '#page/acts/act-bar.tsx';
import { useAct } from '#page/acts/use-act.ts';
import { workflows } from '#page/api/clients.ts';
import type { Workflow } from '#page/client/workflow/v1/workflow_pb.js';
import { Confirm } from '#page/dialog/confirm.tsx';
import { useKeys } from '#page/parts/keys.ts';
import { TrialDialog } from './trial-dialog.tsx';
import { WorkflowDialog } from './workflow-dialog.tsx';

/** The actions on a workflow, as buttons and keys. */
export function WorkflowActs({ workflow }: { readonly workflow: Workflow }) {
  const navigate = useNavigate();
  const { act, isBusy } = useAct(['workflows']);
  const [open, setOpen] = useState<'edit' | 'try' | 'delete'>();
  const close = (): void => setOpen(undefined);
  const { id: workflowId, name } = workflow;
  const remove = (): void => {
    close();
    act({
      label: `Delete ${name}`,
      call: async () => {
        await workflows.deleteWorkflow({ workflowId });
        await navigate({ to: '/workflows' });
      },
      done: `${name} is deleted`,
    });
  };
  const offered = [
    ['Edit', 'e', () => setOpen('edit')],
    ['Try setup script', 't', () => setOpen('try')],
    ['Delete', 'd', () => setOpen('delete')],
  ] as const;
  useKeys(Object.fromEntries(offered.map(([, key, run]) => [key, run])));
  return (
    <div className="acts" role="toolbar" aria-label="Actions">
      <ActBar offered={offered} isBusy={isBusy} />
      {open === 'edit' && <WorkflowDialog workflow={workflow} onClose={close} />}
      {open === 'try' && <TrialDialog workflow={workflow} onClose={close} />}
      {open === 'delete' && (
        <Confirm
          question={`Delete ${name}?`}
          what="Only a workflow without agents can be deleted, archived ones included. Its schedules stop launching."
          yes="Delete"
          onYes={remove}
          onClose={close}
        />
      )}
    </div>
  );
}
