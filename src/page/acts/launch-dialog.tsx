import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FormEvent, useState } from 'react';
import { agents } from '#page/api/clients.ts';
import { failureText } from '#page/api/failure-text.ts';
import { AgentRole } from '#page/client/agent/v1/agent_pb.js';
import { Dialog } from '#page/parts/dialog.tsx';
import { useWorkflows } from '#page/parts/names.tsx';
import { tell } from '#page/parts/notices.tsx';

/** What the launch was last made in, in this browser. */
const workflowKey = 'muster.workflow';

const roles: readonly (readonly [role: AgentRole, word: string])[] = [
  [AgentRole.UNSPECIFIED, "as the workflow's"],
  [AgentRole.IMPLEMENTER, 'implementer'],
  [AgentRole.REVIEWER, 'reviewer'],
  [AgentRole.ORCHESTRATOR, 'orchestrator'],
];

/** Launches an agent with an opening prompt. A launch that is sent twice by a doubtful connection makes one agent. */
export function LaunchDialog({ onClose }: { readonly onClose: () => void }) {
  const navigate = useNavigate();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const listed = useWorkflows();
  const launch = useMutation({
    mutationFn: (form: FormData) => {
      const text = (name: string): string => String(form.get(name) ?? '').trim();
      const workflowId = text('workflow');
      window.localStorage.setItem(workflowKey, workflowId);
      return agents.createAgent({
        prompt: text('prompt'),
        title: text('title'),
        flags: text('flags'),
        role: Number(text('role')) as AgentRole,
        workflowId,
        idempotencyKey,
      });
    },
    onSuccess: ({ agent }) => {
      tell({ tone: 'done', text: `${agent?.name} is being set up` });
      onClose();
      void navigate({ to: '/agents/$agentId', params: { agentId: agent?.id ?? '' } });
    },
  });
  const submit = (event: FormEvent<HTMLFormElement>): void => {
    event.preventDefault();
    launch.mutate(new FormData(event.currentTarget));
  };
  const known = listed.data?.workflows ?? [];
  const kept = window.localStorage.getItem(workflowKey) ?? '';
  return (
    <Dialog title="Launch an agent" onClose={onClose}>
      <form className="body form" onSubmit={submit}>
        <label>
          Prompt
          <textarea
            name="prompt"
            rows={6}
            required
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.form?.requestSubmit();
            }}
          />
        </label>
        <div className="pair">
          <label>
            Workflow
            {/* Made anew once the workflows are known, so that the one of the last launch is chosen. */}
            <select
              key={known.length}
              name="workflow"
              disabled={known.length === 0}
              defaultValue={known.some(({ id }) => id === kept) ? kept : undefined}
            >
              {known.length === 0 && <option>{listed.isPending ? '…' : 'there is none'}</option>}
              {known.map(({ id, name, harness }) => (
                <option key={id} value={id}>
                  {name} ({harness})
                </option>
              ))}
            </select>
          </label>
          <label>
            Role
            <select name="role">
              {roles.map(([role, word]) => (
                <option key={role} value={role}>
                  {word}
                </option>
              ))}
            </select>
          </label>
        </div>
        <div className="pair">
          <label>
            Name <small>made from the prompt where it is left out</small>
            <input name="title" autoComplete="off" />
          </label>
          <label>
            Flags <small>for its CLI</small>
            <input name="flags" className="code" autoComplete="off" spellCheck={false} />
          </label>
        </div>
        {(launch.error ?? listed.error) !== null && (
          <p role="alert" className="failure">
            {failureText(launch.error ?? listed.error)}
          </p>
        )}
        <div className="foot">
          <span className="hint">
            <kbd>Ctrl</kbd> <kbd>Enter</kbd> launches
          </span>
          <button type="submit" className="button primary" disabled={launch.isPending || known.length === 0}>
            {launch.isPending ? 'Launching …' : 'Launch'}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
