/** An installed bundle of signed rules, and whether it is in use. */
export interface InstalledRules {
  readonly path: string;
  readonly serial?: number | undefined;
  /** The fingerprint of the key that signed it. */
  readonly key?: string | undefined;
  readonly about?: string | undefined;
  /** Whether the rules of each harness are in use, and if not, why. */
  readonly harnesses: readonly {
    readonly name: string;
    readonly recordedWith?: string | undefined;
    /** Empty if they are in use. */
    readonly unused: string;
  }[];
  /** Why none of it is in use; empty if it is valid. */
  readonly fault: string;
}

/** The signed rules of this computer. Agents may not use any of this. */
export interface SignedRules {
  /** The installed bundle; undefined if there is none. */
  installed(): Promise<InstalledRules | undefined>;
  /** The fingerprints of the trusted keys. */
  trusted(): readonly string[];
  /**
   * Trusts the public key in a file, and returns its fingerprint.
   * @throws RULES_KEY_INVALID when the file has no such key
   */
  trust(path: string): string;
  /**
   * Stops trusting a key, given the start of its fingerprint.
   * @throws RULES_NOT_INSTALLED when no such key is trusted
   */
  distrust(fingerprint: string): string;
  /**
   * Verifies a bundle completely, and then installs it in place of the current one.
   * @throws RULES_BUNDLE_INVALID when the file is not a valid bundle, RULES_NOT_TRUSTED when its key is not trusted,
   *   RULES_OUTDATED when it is older than the installed or built-in rules, or comes from another publisher
   */
  update(path: string): Promise<InstalledRules>;
  /**
   * Removes the bundle, so that the built-in rules apply again.
   * @throws RULES_NOT_INSTALLED when there is none
   */
  remove(): void;
  /** Signs rules files, each named `<harness>.json`, with the private key in a file. Returns the text of the bundle. */
  sign(keyPath: string, serial: number, paths: readonly string[], about: string | undefined): string;
}
