import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import type { Workflow } from '#page/client/workflow/v1/workflow_pb.js';
import { useFleet } from '#page/fleet/fleet.ts';
import { useWorkflows } from '#page/fleet/names.tsx';
import { RowLink } from '#page/list/row-link.tsx';
import { VirtualList } from '#page/list/virtual-list.tsx';
import { Split } from '#page/panel/split.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import { ApprovalsSwitch } from './approvals.tsx';
import { WorkflowDialog } from './workflow-dialog.tsx';
import './workflows.css';

/** The list of workflows by name, and the selected one next to it. */
export function WorkflowsScreen() {
  const { data, error } = useWorkflows();
  const { workflowId: chosen } = useParams({ strict: false });
  const navigate = useNavigate();
  const [isNew, setIsNew] = useState(false);
  const { rows } = useFleet();
  const byWorkflow = Map.groupBy(rows.values(), ({ agent }) => agent?.workflowId);
  const list = (data?.workflows ?? []).toSorted((one, other) => one.name.localeCompare(other.name));
  const open = (workflowId: string): void =>
    void navigate({ to: '/workflows/$workflowId', params: { workflowId }, replace: chosen !== undefined });
  const head = (
    <>
      <ApprovalsSwitch />
      <Link to="/profiles" className="button">
        Profiles
      </Link>
      <button type="button" className="button primary" onClick={() => setIsNew(true)} aria-keyshortcuts="n">
        New workflow <kbd>n</kbd>
      </button>
    </>
  );
  return (
    <Split title="Workflows" head={head} isOpen={chosen !== undefined}>
      <Trouble error={error} />
      {data !== undefined && list.length === 0 && (
        <div className="empty">
          <h2>No workflows yet</h2>
          <p>A workflow says where agents run, with which CLI, and which scripts prepare their worktrees.</p>
        </div>
      )}
      <VirtualList
        label="Workflows"
        rows={list}
        idOf={({ id }) => id}
        rowHeight={58}
        rowProps={() => ({ className: 'row workflow' })}
        chosen={chosen}
        open={open}
        close={() => void navigate({ to: '/workflows' })}
        keys={{ n: () => setIsNew(true) }}
      >
        {(workflow, place) => (
          <WorkflowRow workflow={workflow} agents={byWorkflow.get(workflow.id)?.length ?? 0} {...place} />
        )}
      </VirtualList>
      {isNew && <WorkflowDialog workflow={undefined} onClose={() => setIsNew(false)} onMade={open} />}
    </Split>
  );
}

interface RowProps {
  readonly workflow: Workflow;
  /** How many agents in the list belong to it. */
  readonly agents: number;
  readonly isChosen: boolean;
  readonly tabIndex: 0 | -1;
}

function WorkflowRow({ workflow: { id, name, cwd, harness, flags }, agents, isChosen, tabIndex }: RowProps) {
  return (
    <>
      <div className="workflow-name">
        <RowLink to="/workflows/$workflowId" params={{ workflowId: id }} isChosen={isChosen} tabIndex={tabIndex}>
          {name}
        </RowLink>
        <p className="code muted cut">{cwd}</p>
      </div>
      <p className="cut workflow-harness">
        {harness || <span className="muted">the first CLI found on the host</span>}{' '}
        {flags !== '' && <code>{flags}</code>}
      </p>
      <p className="muted workflow-agents">{agents === 1 ? '1 agent' : `${agents} agents`}</p>
    </>
  );
}
