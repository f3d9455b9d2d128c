import type { HostScope } from '#actors/registry/host/host-scope.ts';

/** What the move module needs. */
export type MoveScope = HostScope;
