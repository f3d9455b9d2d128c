// biome-ignore-all lint/a11y/useSemanticElements: a table draws every row, and this list only those that can be seen
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active row

interface HeadingProps {
  readonly project: string;
  readonly count: number;
  /** The position in the list, in pixels from the top. */
  readonly top: number;
  readonly height: number;
}

/** The heading above the first agent of a project. */
export function ProjectHeading({ project, count, top, height }: HeadingProps) {
  return (
    <div role="row" className="roster-project" style={{ transform: `translateY(${top}px)`, height }}>
      <span role="gridcell">
        <b>{project}</b> <span className="muted">{count}</span>
      </span>
    </div>
  );
}
