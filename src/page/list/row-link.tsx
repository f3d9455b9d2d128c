import { createLink, type LinkComponent } from '@tanstack/react-router';
import type { ComponentProps } from 'react';

interface RowLinkProps extends ComponentProps<'a'> {
  /** Whether its row is the selected one. */
  readonly isChosen: boolean;
}

function RowAnchor({ isChosen, className = '', ...link }: RowLinkProps) {
  return <a {...link} className={`row-link ${className}`} aria-current={isChosen ? 'true' : undefined} />;
}

const AnyRowLink = createLink(RowAnchor);

/** The main link of a row, which opens it. Nothing is preloaded, because a pointer crosses many rows. */
export const RowLink: LinkComponent<typeof RowAnchor> = (props) => <AnyRowLink preload={false} {...props} />;
