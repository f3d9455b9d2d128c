import { type FormEvent, useState } from 'react';
import { agents } from '#page/api/clients.ts';
import { actFailureText } from '#page/api/failure-text.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { Field } from '#page/dialog/field.tsx';
import { FormFoot } from '#page/dialog/form-foot.tsx';
import { isOnLostHost, useHosts } from '#page/fleet/use-hosts.ts';
import { showNotice } from '#page/parts/notices.tsx';

/** Asks where an agent is to move, and has it move. */
export function MoveDialog({ agent, onClose }: { readonly agent: Agent; readonly onClose: () => void }) {
  const { data } = useHosts();
  const [host, setHost] = useState('');
  const [dir, setDir] = useState('');
  const others = data?.hosts.filter(({ id }) => id !== agent.hostId) ?? [];
  const isLost = isOnLostHost(
    agent,
    data?.hosts.find(({ id }) => id === agent.hostId),
  );
  const { mutate, isPending, error, reset } = useOneAct({
    mutationFn: () => agents.moveAgent({ agentId: agent.id, host, dir: dir.trim(), fromLastRound: isLost }),
    onSuccess: ({ agent: moving, notCarried, mayBeMissing }) => {
      const missing = [...notCarried, ...mayBeMissing];
      const without = missing.length === 0 ? '' : `, without ${missing.join('; ')}`;
      showNotice({ tone: 'done', text: `${agent.name} moves to ${moving?.movingTo ?? 'another host'}${without}` });
      onClose();
    },
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    mutate(undefined);
  };
  return (
    <Dialog title={`Move ${agent.name} to another host`} onClose={onClose}>
      <form className="body form" onSubmit={submit} noValidate>
        {isLost ? (
          <p>
            Its host is lost. It moves with what its last review round had: everything since then and its conversation
            may be missing. If the host returns, muster closes the agent’s window there and keeps the files.
          </p>
        ) : (
          <p>
            It moves once it is at rest, with its commits, changed and untracked files, and its conversation. If
            anything fails, it is resumed where it was. Ignored files stay here.
          </p>
        )}
        <Field label="Host" wrong={error === null ? undefined : actFailureText(error)}>
          <select
            value={host}
            onChange={({ target }) => {
              reset();
              setHost(target.value);
            }}
          >
            <option value="">Any that can take it, with the fewest agents</option>
            {others.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </Field>
        <Field
          label="Directory there"
          hint="a checkout of its repository; empty: the same path, or a repository made of what is carried"
        >
          <input value={dir} autoComplete="off" onChange={({ target }) => setDir(target.value)} />
        </Field>
        <FormFoot submit="Move" isBusy={isPending} onLeave={onClose} />
      </form>
    </Dialog>
  );
}
