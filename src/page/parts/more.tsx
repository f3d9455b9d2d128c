import { type ReactNode, useEffect, useState } from 'react';

interface MoreProps {
  /** The title of the section. */
  readonly title: string;
  /** Whether a field in it needs attention: then it opens, and stays open. */
  readonly wanted: boolean;
  readonly children: ReactNode;
}

/** A collapsed section with rarely needed fields. */
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
