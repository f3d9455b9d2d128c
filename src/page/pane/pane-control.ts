import { useEffect, useMemo, useRef, useState } from 'react';
import type { Input } from '#contract/pane/typed-input.ts';
import { TypingQueue } from '#contract/pane/typing-queue.ts';
import { agents } from '#page/api/clients.ts';
import { actFailureText } from '#page/api/failure-text.ts';
import { useOneAct } from '#page/api/use-one-act.ts';
import type { Agent } from '#page/client/agent/v1/agent_pb.js';
import { showNotice } from '#page/parts/notices.tsx';

/** How long a person may continue to type without noticing that their control has ended, in milliseconds. */
const strayMs = 2_000;

/** How a person types into a pane: they take over the agent, and muster does not type until it is given back. */
export interface PaneControl {
  readonly isTyping: boolean;
  readonly isHeld: boolean;
  readonly isBusy: boolean;
  /** Whether control has just ended, but not by this person: keys that they still press are not meant for the page. */
  endedJustNow(): boolean;
  /** Takes over the agent, or continues to type if a person already has. */
  begin(): void;
  /** Returns the keys to the page. The agent stays taken over. */
  pause(): void;
  giveBack(): void;
  type(inputs: readonly Input[]): void;
}

/** Taking over an agent. */
export function usePaneControl({ id: agentId, name, heldAt, alive }: Agent): PaneControl {
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
      new TypingQueue(
        (inputs) => agents.typeInPane({ agentId, inputs: [...inputs] }),
        (error) => {
          setWanted(false);
          showNotice({ tone: 'failed', text: `Your last keys did not reach ${name}: ${actFailureText(error)}` });
        },
      ),
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

/** Records when typing ended unintentionally, which `ended` reports, in milliseconds since 1970. */
function useEndOfTyping(isTyping: boolean, ended: () => boolean) {
  const wasTyping = useRef(false);
  const endedAt = useRef(0);
  useEffect(() => {
    if (wasTyping.current && !isTyping && ended()) endedAt.current = Date.now();
    wasTyping.current = isTyping;
  });
  return endedAt;
}
