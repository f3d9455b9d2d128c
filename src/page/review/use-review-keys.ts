import { useNavigate } from '@tanstack/react-router';
import { useActStarter } from '#page/acts/act-starter.tsx';
import { useKeys } from '#page/parts/keys.ts';

interface ReviewKeys {
  readonly agentId: string;
  readonly release: (() => void) | undefined;
  readonly split: () => void;
}

/** The keys of a review. */
export function useReviewKeys({ agentId, release, split }: ReviewKeys): void {
  const navigate = useNavigate();
  const { help } = useActStarter();
  const leave = () => void navigate({ to: '/agents/$agentId', params: { agentId } });
  useKeys({
    j: () => goToThread(1, '.thread'),
    k: () => goToThread(-1, '.thread'),
    u: () => goToThread(1, '.thread[data-unread="true"]'),
    n: () => goToFile(1),
    p: () => goToFile(-1),
    f: () => fileHere()?.querySelector<HTMLElement>('.fold')?.click(),
    v: () => fileHere()?.querySelector<HTMLElement>('.viewed input')?.click(),
    c: goToLines,
    '/': () => document.querySelector<HTMLElement>('.file-list input')?.focus(),
    r: release,
    s: split,
    o: () => void navigate({ to: '/agents/$agentId/pane', params: { agentId } }),
    '?': help,
    Escape: leave,
  });
}

/** Moves to the next or the previous thread, from the focused one. */
function goToThread(by: 1 | -1, selector: string): void {
  const threads = [...document.querySelectorAll<HTMLElement>(selector)];
  const here = document.activeElement?.closest<HTMLElement>(selector);
  const at = here === null || here === undefined ? (by > 0 ? -1 : 0) : threads.indexOf(here);
  const next = threads.at((at + by) % Math.max(1, threads.length));
  next?.scrollIntoView({ block: 'center' });
  next?.querySelector<HTMLElement>('button')?.focus();
}

/** Moves to the head of the next or the previous file; at first, to that of the visible one. */
function goToFile(by: 1 | -1): void {
  const files = [...document.querySelectorAll<HTMLElement>('.diff-file')];
  const focused = document.activeElement?.closest('.diff-file');
  const here = fileHere();
  const at = here === undefined ? -1 : files.indexOf(here);
  const next = focused === null || focused === undefined ? here : files[at + by];
  next?.scrollIntoView({ block: 'start' });
  next?.querySelector<HTMLElement>('.fold')?.focus({ preventScroll: true });
}

/** The focused file; else the first visible one. */
function fileHere(): HTMLElement | undefined {
  const focused = document.activeElement?.closest<HTMLElement>('.diff-file');
  if (focused !== null && focused !== undefined) return focused;
  const top = document.querySelector('.review-diff')?.getBoundingClientRect().top ?? 0;
  return [...document.querySelectorAll<HTMLElement>('.diff-file')].find(
    (file) => file.getBoundingClientRect().bottom > Math.max(top, 0) + 1,
  );
}

/** Moves to the lines of the current file; to the first lines on the screen if it is folded. */
function goToLines(): void {
  const place = fileHere()?.querySelector<HTMLElement>('.hunk button[tabindex="0"]');
  (place ?? document.querySelector<HTMLElement>('.hunk button[tabindex="0"]'))?.focus();
}
