import { useEffect, useMemo, useRef, useState } from 'react';
import type { Input } from '#contract/pane/typed-input.ts';
import { agents } from '#page/api/clients.ts';
import { actFailureText } from '#page/api/failure-text.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { showNotice } from '#page/parts/notices.tsx';
import { Typing } from './typing.ts';

/** How long somebody goes on typing who does not see that it has ended, in milliseconds. */
const strayMs = 2_000;

/**
 * How a person types into a pane: they take the agent over first, and muster leaves it alone until it is given back.
 */
export interface TakingOver {
  readonly isTyping: boolean;
  readonly isHeld: boolean;
  readonly isBusy: boolean;
  /** Whether typing ended a moment ago, and not by this person: what they still type is not meant for the page. */
  endedJustNow(): boolean;
  /** Takes it over, or goes on typing if somebody has. */
  begin(): void;
  /** Keys are the page's again; the agent stays taken over. */
  pause(): void;
  giveBack(): void;
  type(inputs: readonly Input[]): void;
}

/** Taking over of one agent. */
export function useTakingOver({ id: agentId, name, heldAt, alive }: Agent): TakingOver {
  const [wanted, setWanted] = useState(false);
  const isHeld = heldAt !== '';
  const { mutate, isPending } = useOneAct({
    mutationFn: async (act: 'hold' | 'unhold') => {
      if (act === 'hold') await agents.holdAgent({ agentId });
      else await agents.unholdAgent({ agentId });
    },
    onError: (error) => {
      setWanted(false);
      showNotice({ tone: 'failed', text: `Taking over ${name} failed: ${actFailureText(error)}` });
    },
  });
  const typing = useMemo(
    () =>
      new Typing(agentId, (error) => {
        setWanted(false);
        showNotice({ tone: 'failed', text: `Your last keys did not reach ${name}: ${actFailureText(error)}` });
      }),
    [agentId, name],
  );
  const isTyping = wanted && isHeld && alive;
  const endedAt = useEndOfTyping(isTyping, () => {
    if (!wanted) return false;
    setWanted(false);
    const why = alive ? 'was given back elsewhere' : 'no longer has a window';
    showNotice({ tone: 'failed', text: `${name} ${why}: what you type does not reach it` });
    return true;
  });
  return {
    isTyping,
    endedJustNow: () => Date.now() - endedAt.current < strayMs,
    isHeld,
    isBusy: isPending,
    begin() {
      setWanted(true);
      if (!isHeld) mutate('hold');
    },
    pause: () => setWanted(false),
    giveBack() {
      setWanted(false);
      mutate('unhold');
    },
    type: (inputs) => typing.type(inputs),
  };
}

/** Notes when typing ended that `ended` says was not meant to, in milliseconds since 1970. */
function useEndOfTyping(isTyping: boolean, ended: () => boolean) {
  const wasTyping = useRef(false);
  const endedAt = useRef(0);
  useEffect(() => {
    if (wasTyping.current && !isTyping && ended()) endedAt.current = Date.now();
    wasTyping.current = isTyping;
  });
  return endedAt;
}
