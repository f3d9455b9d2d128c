import type { KernelScope } from '#actors/registry/kernel/kernel-scope.ts';
import type { SecretCipher } from '#world/file/secret-cipher.ts';

/** The dependencies of the profile module. */
export interface ProfileScope extends KernelScope {
  /** Encrypts the secrets that muster stores. */
  readonly sealing: SecretCipher;
}
