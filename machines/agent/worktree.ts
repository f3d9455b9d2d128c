/** The worktree that was provisioned for the agent. */
export interface Worktree {
  /**
   * The git directory that all worktrees of the repository share: the folder that the worktree was made from may be
   * removed.
   */
  readonly repository: string;
  readonly path: string;
  readonly branch: string;
  readonly baseSha: string;
  /** Files that were copied in, relative to the worktree: they are not the agent's work. */
  readonly copied: readonly string[];
}
