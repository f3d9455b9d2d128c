import { type FormEvent, useState } from 'react';
import { useAct } from '#page/acts/use-act.ts';
import type { Workflow } from '#page/client/workflow/v1/workflow_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { FormFoot } from '#page/dialog/form-foot.tsx';
import { actionWord, approvals, conditionsText, rulesIn, rulesText, useApprovals } from '#page/fleet/approvals.ts';

/** The rules by which questions of a workflow's agents are answered, in their order. */
export function Approvals({ workflow: { id, name } }: { readonly workflow: Workflow }) {
  const { data } = useApprovals(id);
  const [isOpen, setIsOpen] = useState(false);
  if (data === undefined) return null;
  const { rules, enabled } = data;
  return (
    <section className="section">
      <h3>Approvals</h3>
      {enabled === false && <p className="failure">Approvals are off: no rule answers anything.</p>}
      {rules.length === 0 ? (
        <p className="muted">Every question is left to you.</p>
      ) : (
        <ol className="approvals" aria-label={`Approvals of ${name}`}>
          {rules.map((rule, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules are known by their place
            <li key={at}>
              {actionWord(rule.action)}: <code>{conditionsText(rule)}</code>
              {rule.note !== '' && <span className="muted"> {rule.note}</span>}
            </li>
          ))}
        </ol>
      )}
      <p>
        <button type="button" className="button" onClick={() => setIsOpen(true)}>
          Edit approvals
        </button>
      </p>
      {isOpen && <RulesDialog workflowId={id} name={name} text={rulesText(rules)} onClose={() => setIsOpen(false)} />}
    </section>
  );
}

interface RulesProps {
  readonly workflowId: string;
  readonly name: string;
  /** The current rules. */
  readonly text: string;
  readonly onClose: () => void;
}

function RulesDialog({ workflowId, name, text: stored, onClose }: RulesProps) {
  const [text, write] = useState(stored);
  const { act, isBusy } = useAct(['approvals']);
  const read = rulesIn(text);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!('rules' in read)) return;
    act({
      label: `Save the approvals of ${name}`,
      call: async () => {
        await approvals.setApprovals({ workflowId, rules: [...read.rules] });
        onClose();
      },
      done: `The approvals of ${name} are saved`,
    });
  };
  return (
    <Dialog title={`Approvals of ${name}`} onClose={onClose}>
      <form className="body form" onSubmit={submit}>
        <p className="muted">
          A rule that refuses counts before all others; of the others the first that matches. What no rule matches is
          left to you.
        </p>
        <Field
          label="Rules"
          hint="a JSON list, as `muster approvals show` prints"
          wrong={'wrong' in read ? read.wrong : undefined}
        >
          <textarea
            rows={14}
            className="code"
            spellCheck={false}
            value={text}
            onChange={({ target }) => write(target.value)}
          />
        </Field>
        <FormFoot submit="Save" isBusy={isBusy || 'wrong' in read} onLeave={onClose} />
      </form>
    </Dialog>
  );
}

/** Puts all rules out of force at once, or in force again. */
export function ApprovalsSwitch() {
  const { data } = useApprovals();
  const { act, isBusy } = useAct(['approvals'], ['doctor']);
  if (data === undefined) return null;
  const enabled = data.enabled === false;
  return (
    <button
      type="button"
      className="button"
      disabled={isBusy}
      onClick={() =>
        act({
          label: enabled ? 'Turn approvals on' : 'Turn approvals off',
          call: () => approvals.switchApprovals({ enabled }),
          done: enabled ? 'Rules answer questions again' : 'No rule answers anything any more',
        })
      }
    >
      {enabled ? 'Approvals are off: turn on' : 'Turn approvals off'}
    </button>
  );
}
