import { join } from 'node:path';
import type { OpenWindowOptions } from '#actors/host/effects/open-window.ts';
import type { Harnesses } from '#machines/harness/harnesses.ts';
import { noPorts, noProfiles } from '#test/actors/no-profiles.ts';
import { noIsolation } from '#test/support/no-isolation.ts';

/** What opens a window: its terminal. */
type OpenWindow = (opening: { argv: string[] }) => Promise<{ paneId: string }>;

/** The dependencies of opening a window, in a folder with the programs in `bin`; `open` stands in for the terminal. */
export function windowOptions(folder: string, harnesses: Harnesses, open: OpenWindow): OpenWindowOptions {
  return {
    terminals: { of: async () => ({ panes: async () => [], open }) },
    harnesses,
    environment: { PATH: process.env['PATH'] ?? '' },
    variables: [],
    programs: () => join(folder, 'bin'),
    worktrees: join(folder, 'worktrees'),
    settings: folder,
    baseUrl: 'http://127.0.0.1:1',
    registry: { token: async () => 'mst_x' },
    isolation: noIsolation,
    profiles: noProfiles,
    ports: noPorts,
    handovers: { isPending: () => false },
    clock: { monotonic: () => 0 },
  } as unknown as OpenWindowOptions;
}
