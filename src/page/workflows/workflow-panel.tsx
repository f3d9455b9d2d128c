import { getRouteApi } from '@tanstack/react-router';
import { BudgetSection } from '#page/acts/budget-section.tsx';
import type { Workflow } from '#page/client/workflow/v1/workflow_pb.js';
import { useWorkflows } from '#page/fleet/names.tsx';
import { SidePanel } from '#page/panel/side-panel.tsx';
import { Trouble } from '#page/parts/trouble.tsx';
import { Approvals } from './approvals.tsx';
import { Repositories } from './repositories.tsx';
import { WorkflowActs } from './workflow-acts.tsx';
import { WorkflowFacts } from './workflow-facts.tsx';

const route = getRouteApi('/workflows/$workflowId');
const back = { to: '/workflows', label: 'All workflows' } as const;

/** The details of a workflow, and its actions. */
export function WorkflowPanel() {
  const { workflowId } = route.useParams();
  const { data, error } = useWorkflows();
  const workflow = data?.workflows.find(({ id }) => id === workflowId);
  if (workflow === undefined) {
    return (
      <SidePanel label="Workflow" title="…" back={back}>
        <Trouble error={error} />
        {data !== undefined && <p className="muted">There is no workflow with this id: it may have been deleted.</p>}
      </SidePanel>
    );
  }
  return (
    <SidePanel key={workflowId} label={`Workflow ${workflow.name}`} title={workflow.name} back={back}>
      <WorkflowActs workflow={workflow} />
      <Scripts workflow={workflow} />
      <Text title="Context, put before every prompt" text={workflow.context} />
      <Approvals workflow={workflow} />
      <Repositories workflow={workflow} />
      <BudgetSection ownerId={workflowId} />
      <WorkflowFacts workflow={workflow} />
    </SidePanel>
  );
}

function Scripts({ workflow: { scripts } }: { readonly workflow: Workflow }) {
  return (
    <>
      <Text title="Setup, in each new worktree" text={scripts?.setup} isCode />
      <Text title="Teardown, before a worktree is removed" text={scripts?.teardown} isCode />
      <Text title="Whenever an agent becomes idle" text={scripts?.onIdle} isCode />
      <Text title="Whenever an agent begins to wait for you" text={scripts?.onWaiting} isCode />
    </>
  );
}

interface TextProps {
  readonly title: string;
  readonly text: string | undefined;
  readonly isCode?: boolean;
}

function Text({ title, text = '', isCode = false }: TextProps) {
  if (text === '') return null;
  return (
    <section className="section">
      <h3>{title}</h3>
      {isCode ? <pre className="script-text code">{text}</pre> : <p className="prompt-text">{text}</p>}
    </section>
  );
}
