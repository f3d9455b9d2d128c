/** The result of a scheduled backup: the file that was made, or why there is none. */
export type BackupOutcome =
  | { readonly path: string /** Its size in bytes. */; readonly bytes: number }
  | { readonly why: string };

/** Makes the backups of an installation that are made without a person. */
export interface ScheduledBackups {
  /** The time from one backup to the next, in milliseconds. */
  readonly everyMs: number;
  /** Makes a backup as of now, and removes the oldest ones of its folder. Aborting it leaves no file. */
  make(now: Date, signal: AbortSignal): Promise<BackupOutcome>;
}
