import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { byteText } from '#contract/host/load-reading.ts';
import { useAct } from '#page/acts/use-act.ts';
import { agents } from '#page/api/clients.ts';
import type { CleanedAgent } from '#page/client/agent/v1/agent_pb.js';
import { Dialog } from '#page/dialog/dialog.tsx';
import { FormFoot } from '#page/dialog/form-foot.tsx';
import { Trouble } from '#page/parts/trouble.tsx';

/** The button that shows what can be deleted of archived agents, and deletes it. */
export function CleanArchive() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen(true)}>
        Clean…
      </button>
      {isOpen && <CleanDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function CleanDialog({ onClose }: { readonly onClose: () => void }) {
  const { act, isBusy } = useAct(['archived']);
  const {
    data = [],
    error,
    isPending,
  } = useQuery({ queryKey: ['clean-archive'], queryFn: () => cleaned(true), gcTime: 0 });
  const clean = (): void => {
    onClose();
    act({ label: 'Clean the archive', call: () => cleaned(false), done: 'The archive is cleaned' });
  };
  return (
    <Dialog title="Clean the archive" onClose={onClose}>
      <form
        className="body form"
        onSubmit={(event) => {
          event.preventDefault();
          clean();
        }}
      >
        <p>
          Deletes build folders that their workflow names and Git ignores, and worktrees whose work is pushed or merged.
          Branches stay, and restoring an agent makes its worktree again.
        </p>
        <Trouble error={error} />
        {isPending && <p className="muted">Looking at worktrees…</p>}
        {!isPending && <p>{`This would free ${byteText(bytesIn(data))}.`}</p>}
        <ul>
          {data.map(({ agentId, name, freed, kept }) => (
            <li key={agentId}>
              {name}
              <ul>
                {freed.map(({ path, bytes }) => (
                  <li key={path}>
                    deletes <code>{path}</code>, {byteText(Number(bytes))}
                  </li>
                ))}
                {kept.map((why) => (
                  <li key={why} className="muted">{`keeps ${why}`}</li>
                ))}
              </ul>
            </li>
          ))}
        </ul>
        <FormFoot submit="Clean" isBusy={isBusy || isPending} onLeave={onClose} />
      </form>
    </Dialog>
  );
}

/** Cleans all archived agents, or only says what that would delete. */
async function cleaned(dryRun: boolean): Promise<CleanedAgent[]> {
  const all: CleanedAgent[] = [];
  let cursor = '';
  do {
    const page = await agents.cleanAgents({ dryRun, pagination: { cursor } });
    all.push(...page.agents);
    cursor = page.nextPageToken;
  } while (cursor !== '');
  return all;
}

function bytesIn(all: readonly CleanedAgent[]): number {
  return all.flatMap(({ freed }) => freed).reduce((sum, { bytes }) => sum + Number(bytes), 0);
}
