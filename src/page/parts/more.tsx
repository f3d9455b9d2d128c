import { type ReactNode, useEffect, useState } from 'react';

interface MoreProps {
  /** What is in it. */
  readonly title: string;
  /** Whether something in it wants to be seen: it opens then, and stays open. */
  readonly wanted: boolean;
  readonly children: ReactNode;
}

/** Fields that are seldom needed, folded away until they are asked for. */
export function More({ title, wanted, children }: MoreProps) {
  const [isOpen, setOpen] = useState(wanted);
  useEffect(() => {
    if (wanted) setOpen(true);
  }, [wanted]);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      <div>{children}</div>
    </details>
  );
}
