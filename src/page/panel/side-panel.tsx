import { Link, type LinkProps } from '@tanstack/react-router';
import { Children, type ReactNode } from 'react';
import './panel.css';

interface SidePanelProps {
  /** The panel's name for screen readers, such as `Schedule nightly`. */
  readonly label: string;
  readonly title: ReactNode;
  readonly back: { readonly to: NonNullable<LinkProps['to']>; readonly label: string };
  /** The item's state, below the title. */
  readonly standing?: ReactNode;
  readonly children: ReactNode;
}

/** The details of the selected item, next to its list. */
export function SidePanel({ label, title, back, standing, children }: SidePanelProps) {
  return (
    <aside className="panel" aria-label={label} tabIndex={-1} data-scroller>
      <header className="panel-head">
        <Link to={back.to} className="back">
          {back.label}
        </Link>
        <h2>{title}</h2>
        {standing}
      </header>
      {children}
    </aside>
  );
}

/** A labelled property; nothing if it is empty. */
export function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  if (Children.toArray(children).every((child) => child === '')) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
