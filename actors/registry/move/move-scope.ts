import type { HostScope } from '#actors/registry/host/host-scope.ts';

/** The dependencies of the move module. */
export type MoveScope = HostScope;
