import { useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { actFailureText } from '#page/api/failure-text.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { showNotice } from '#page/parts/notices.tsx';
import type { Act } from './act.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { HelpDialog } from './help-dialog.tsx';
import { LaunchDialog } from './launch-dialog.tsx';

/** An act on an agent that waits for the person's confirmation. */
interface PendingAct {
  readonly act: Act;
  readonly agent: Agent;
}

/** How a screen starts an act. */
export interface ActStarter {
  /** Performs an act, after asking for confirmation if it cannot be undone. */
  begin(act: Act, agent: Agent): void;
  launch(): void;
  help(): void;
}

const Context = createContext<ActStarter | undefined>(undefined);

/** The context's way to act on agents. */
export function useActStarter(): ActStarter {
  const acting = useContext(Context);
  if (acting === undefined) throw new Error('there is no <ActingArea> around this');
  return acting;
}

function placeOf({ act, agent }: PendingAct): string {
  return `${act.name} ${agent.id}`;
}

/** Wraps the screens with what acts need: the confirmation, the launch and the help dialogs. */
export function ActArea({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const [asked, setAsked] = useState<PendingAct>();
  const [open, setOpen] = useState<'launch' | 'help'>();
  const { mutate } = useOneAct(
    {
      mutationFn: ({ act, agent }: PendingAct) => act.call(agent.id),
      onSuccess: ({ givenUp = [] }, { act, agent }) => {
        const done = `${agent.name} ${act.done}`;
        if (givenUp.length === 0) showNotice({ tone: 'done', text: done });
        else
          showNotice({
            tone: 'done',
            text: [`${done}. Given up with it:`, ...givenUp.map((one) => `– ${one}`)].join('\n'),
            stays: true,
          });
      },
      onError: (error, { act, agent }) =>
        showNotice({ tone: 'failed', text: `${act.label} ${agent.name}: ${actFailureText(error)}` }),
      onSettled: () => queries.invalidateQueries({ queryKey: ['archived'] }),
    },
    placeOf,
  );
  const acting = useMemo<ActStarter>(
    () => ({
      begin: (act, agent) => (act.confirm === undefined ? mutate({ act, agent }) : setAsked({ act, agent })),
      launch: () => setOpen('launch'),
      help: () => setOpen('help'),
    }),
    [mutate],
  );
  return (
    <Context value={acting}>
      {children}
      {asked !== undefined && (
        <ConfirmDialog
          act={asked.act}
          agent={asked.agent}
          onClose={() => setAsked(undefined)}
          onYes={() => {
            setAsked(undefined);
            mutate(asked);
          }}
        />
      )}
      {open === 'launch' && <LaunchDialog onClose={() => setOpen(undefined)} />}
      {open === 'help' && <HelpDialog onClose={() => setOpen(undefined)} />}
    </Context>
  );
}
