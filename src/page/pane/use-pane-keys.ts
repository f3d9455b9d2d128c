import { useNavigate } from '@tanstack/react-router';
import { useActStarter } from '#page/acts/act-starter.tsx';
import { useKeys } from '#page/parts/keys.ts';
import type { PaneControl } from './pane-control.ts';

interface PaneKeys {
  readonly agentId: string;
  readonly chosen: number | undefined;
  readonly taking: PaneControl;
  /** Oldest first. */
  readonly moves: readonly number[];
  readonly choose: (ordinal: number | undefined) => void;
}

/** The keys of an agent’s pane: through its history, to its prompt and its review, and back to the list. */
export function usePaneKeys({ agentId, chosen, taking, moves, choose }: PaneKeys): void {
  const navigate = useNavigate();
  const { help } = useActStarter();
  const step = (by: number): void => {
    const at = chosen === undefined ? moves.length : moves.indexOf(chosen);
    choose(moves[Math.max(0, at + by)]);
  };
  const back = () => step(-1);
  const on = () => step(1);
  const leave = (): void => {
    if (chosen === undefined) void navigate({ to: '/agents/$agentId', params: { agentId } });
    else choose(undefined);
  };
  const keys = {
    ArrowLeft: back,
    ArrowRight: chosen === undefined ? undefined : on,
    l: () => choose(undefined),
    t: taking.isBusy ? undefined : taking.begin,
    p: () => document.getElementById('prompt')?.focus(),
    v: () => void navigate({ to: '/agents/$agentId/review', params: { agentId } }),
    '?': help,
    Escape: leave,
  };
  useKeys(keys, taking.endedJustNow);
}
