import { Outlet } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import '#page/parts/rows.css';
import './split.css';

interface SplitProps {
  readonly title: string;
  /** Content next to the title. */
  readonly head?: ReactNode;
  /** Whether an item is selected and shown next to the list. */
  readonly isOpen: boolean;
  readonly children: ReactNode;
}

/** A screen with a list and the selected item next to it; on a narrow screen, one of the two. */
export function Split({ title, head, isOpen, children }: SplitProps) {
  return (
    <main className="split" data-open={isOpen}>
      {/* On a narrow screen the list is hidden, but the heading stays for screen readers. */}
      <h1 className="unseen">{title}</h1>
      <div className="split-side">
        <div className="split-head">
          <span className="split-title" aria-hidden="true">
            {title}
          </span>
          {head}
        </div>
        <div className="split-list" data-scroller>
          {children}
        </div>
      </div>
      <Outlet />
    </main>
  );
}
