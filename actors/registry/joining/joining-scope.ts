import type { HostScope } from '#actors/registry/host/host-scope.ts';
import type { BusAdmission } from '#contract/joining/bus-admission.ts';

/** What the joining module needs. */
export interface JoiningScope extends HostScope {
  /** Certifies hosts on the bus, and has the bus refuse them. */
  readonly admission: BusAdmission;
  /** How long certificates of joined hosts are valid, in milliseconds. */
  readonly certificateMs: number;
}
