import { createLink, type LinkComponent } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

interface RowLinkProps extends ComponentProps<'a'> {
  /** Whether its row is the open one. */
  readonly isChosen: boolean;
}

function RowAnchor({ isChosen, className = '', ...link }: RowLinkProps) {
  return <a {...link} className={`row-link ${className}`} aria-current={isChosen ? 'true' : undefined} />;
}

const AnyRowLink = createLink(RowAnchor);

/** The main link of a row, which opens the row. Nothing is loaded before it is followed: a pointer crosses many rows. */
export const RowLink: LinkComponent<typeof RowAnchor> = (props) => <AnyRowLink preload={false} {...props} />;
