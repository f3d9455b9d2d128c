import type { HostScope } from '#actors/registry/host/host-scope.ts';
import type { BusAdmission } from '#contract/joining/bus-admission.ts';

/** The dependencies of the joining module. */
export interface JoiningScope extends HostScope {
  /** Certifies hosts on the bus, and revokes them there. */
  readonly admission: BusAdmission;
  /** How long certificates of joined hosts are valid, in milliseconds. */
  readonly certificateMs: number;
}
