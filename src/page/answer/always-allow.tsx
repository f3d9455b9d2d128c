import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { actFailureText, failureText } from '#page/api/failure-text.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import {
  ApprovalAction,
  type ApprovalRule,
  type AskedQuestion,
  type TestApprovalsResponse,
} from '#page/client/approval/v1/approval_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { FormFoot } from '#page/dialog/form-foot.tsx';
import { actionWord, approvals, rulesIn, rulesText, useApprovals } from '#page/fleet/approvals.ts';
import { WorkflowName } from '#page/fleet/names.tsx';
import { showNotice } from '#page/parts/notices.tsx';

interface AllowProps {
  readonly agentId: string;
}

/** Offers a rule that answers such questions from now on. Says so while rules are out of force. */
export function AlwaysAllow({ agentId }: AllowProps) {
  const { data } = useApprovals();
  const [isOpen, setIsOpen] = useState(false);
  return (
    <p className="always-allow">
      <button type="button" className="quiet" onClick={() => setIsOpen(true)}>
        Always allow this …
      </button>
      {data?.enabled === false && <span className="muted">Approvals are off: no rule answers anything.</span>}
      {isOpen && <AllowDialog agentId={agentId} onClose={() => setIsOpen(false)} />}
    </p>
  );
}

interface DialogProps extends AllowProps {
  readonly onClose: () => void;
}

/** Shows the question as rules see it, and the rule that would agree to it, to be edited before it is written. */
function AllowDialog({ agentId, onClose }: DialogProps) {
  const { data, error } = useQuery({
    queryKey: ['approvals', 'asked', agentId],
    queryFn: ({ signal }) => approvals.testApprovals({ agentId }, { signal }),
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const { question, proposal, workflowId = '' } = data ?? {};
  return (
    <Dialog title="Always allow this" onClose={onClose}>
      {question !== undefined && proposal !== undefined ? (
        <RuleForm {...{ agentId, onClose, question, proposal, workflowId }} />
      ) : (
        <div className="body">
          <p role="status">{error === null ? whyNone(data) : failureText(error)}</p>
        </div>
      )}
    </Dialog>
  );
}

/** Why there is no rule to propose. */
function whyNone(tried: TestApprovalsResponse | undefined): string {
  if (tried === undefined) return 'The question is being read …';
  const { question, verdict } = tried;
  if (question === undefined) return 'It asks nothing any more.';
  if (question.whole) return `No rule can agree to this question: ${verdict?.reason ?? ''}. Answer it yourself.`;
  return 'No rule can agree to this question, because it is not shown as a whole or nothing shows where it ends. Answer it yourself.';
}

interface FormProps extends DialogProps {
  readonly question: AskedQuestion;
  readonly proposal: ApprovalRule;
  /** The workflow whose rules count for the agent. */
  readonly workflowId: string;
}

function RuleForm({ agentId, onClose, question, proposal, workflowId }: FormProps) {
  const [text, write] = useState(() => rulesText([proposal]));
  const read = rulesIn(text);
  const rules = 'rules' in read ? read.rules : [];
  const wrong = 'wrong' in read ? read.wrong : rules.length === 1 ? undefined : 'Give one rule';
  const [rule] = wrong === undefined ? rules : [];
  const adding = useOneAct({
    mutationFn: (added: ApprovalRule) => approvals.addApproval({ workflowId, rule: added }),
    onSuccess() {
      showNotice({ tone: 'done', text: 'The rule is added: it answers such questions from now on' });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (rule !== undefined) adding.mutate(rule);
  };
  return (
    <form className="body form" onSubmit={submit}>
      <p>
        It asks for {question.tool || question.form}:{' '}
        <code>{question.command || question.path || question.host || question.text}</code>
      </p>
      <p className="muted">
        The rule is added to the workflow <WorkflowName workflowId={workflowId} />, for all of its agents and those that
        they launch.
      </p>
      <Field
        label="Rule"
        hint="`exact` may become a `glob`: in a command, a last * stands for any further words"
        wrong={wrong}
      >
        <textarea
          rows={9}
          className="code"
          spellCheck={false}
          value={text}
          onChange={(event) => write(event.target.value)}
        />
      </Field>
      {rule !== undefined && <Verdict agentId={agentId} rule={rule} text={text} />}
      {adding.error !== null && (
        <p role="alert" className="failure">
          {actFailureText(adding.error)}
        </p>
      )}
      <FormFoot submit="Add rule" isBusy={adding.isPending || rule === undefined} onLeave={onClose} />
    </form>
  );
}

/** What the edited rule alone would do with the question. */
function Verdict({ agentId, rule, text }: AllowProps & { readonly rule: ApprovalRule; readonly text: string }) {
  const { data, error } = useQuery({
    queryKey: ['approvals', 'tried', agentId, text],
    queryFn: ({ signal }) => approvals.testApprovals({ agentId, rules: [rule] }, { signal }),
    placeholderData: keepPreviousData,
    gcTime: 0,
  });
  const { action = ApprovalAction.UNSPECIFIED, choice = '', reason = '' } = data?.verdict ?? {};
  const taken = choice === '' ? '' : `, “${choice}”`;
  if (error !== null) {
    return (
      <p role="alert" className="failure">
        {failureText(error)}
      </p>
    );
  }
  return (
    <p role="status" className="muted">
      {data === undefined ? '…' : `This question: ${actionWord(action)}${taken} (${reason})`}
    </p>
  );
}
