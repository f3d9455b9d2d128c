import { Code, ConnectError } from '@connectrpc/connect';
import { useEffect, useState } from 'react';
import { agents } from '#page/api/clients.ts';
import { failureText } from '#page/api/failure-text.ts';
import { pause } from '#page/api/pause.ts';
import type { WatchPaneResponse } from '#page/client/agent/v1/agent_pb.js';

/**
 * How long a stream may be silent before it counts as broken, in milliseconds. The gateway writes at least every 15 s.
 */
const silenceMs = 25_000;
const againMs = 1_500;

/** The last known content of an agent's pane. */
export interface LivePane {
  readonly frame: WatchPaneResponse | undefined;
  /** Why there are no updates now; undefined if there are. */
  readonly problem: string | undefined;
}

/**
 * Follows a pane while the tab is visible. `alive` is whether the agent has a window; if it gets a new one, that is
 * followed.
 */
export function usePane(agentId: string, alive: boolean): LivePane {
  const [pane, setPane] = useState<LivePane>({ frame: undefined, problem: undefined });
  const isSeen = useIsSeen();
  useEffect(() => {
    if (!alive || !isSeen) return;
    const leaving = new AbortController();
    void followAgain(agentId, leaving.signal, setPane);
    return () => leaving.abort();
  }, [agentId, alive, isSeen]);
  return pane;
}

type Update = (update: (before: LivePane) => LivePane) => void;

async function followAgain(agentId: string, leaving: AbortSignal, update: Update): Promise<void> {
  while (!leaving.aborted) {
    const error = await follow(agentId, leaving, update);
    if (leaving.aborted) return;
    const windowless = ConnectError.from(error).code === Code.FailedPrecondition;
    update(({ frame }) => ({ frame, problem: failureText(error) }));
    await pause(windowless ? 2 * againMs : againMs, leaving);
  }
}

/** Follows a stream to its end; returns why it ended. */
async function follow(agentId: string, leaving: AbortSignal, update: Update): Promise<unknown> {
  const broken = new AbortController();
  let timer = 0;
  const restartTimer = (): void => {
    window.clearTimeout(timer);
    timer = window.setTimeout(() => broken.abort(new Error('the gateway stopped sending')), silenceMs);
  };
  restartTimer();
  try {
    const signal = AbortSignal.any([leaving, broken.signal]);
    for await (const frame of agents.watchPane({ agentId }, { signal })) {
      restartTimer();
      if (frame.screen !== undefined) update(() => ({ frame, problem: undefined }));
    }
    return new ConnectError('the gateway ended the watch', Code.Unavailable);
  } catch (error) {
    return error;
  } finally {
    window.clearTimeout(timer);
  }
}

function useIsSeen(): boolean {
  const [isSeen, setSeen] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const listening = new AbortController();
    const look = (): void => setSeen(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', look, { signal: listening.signal });
    return () => listening.abort();
  }, []);
  return isSeen;
}
