/** A bundle of signed rules that is installed, and how it stands. */
export interface InstalledRules {
  readonly path: string;
  readonly serial?: number | undefined;
  /** The fingerprint of the key that has signed it. */
  readonly key?: string | undefined;
  readonly about?: string | undefined;
  /** Of each of its harnesses, whether its rules are in use, and why not. */
  readonly harnesses: readonly {
    readonly name: string;
    readonly recordedWith?: string | undefined;
    /** Empty if they are in use. */
    readonly unused: string;
  }[];
  /** Why none of it is in use; empty if it holds. */
  readonly fault: string;
}

/** The signed rules of this machine. None of it is done for an agent. */
export interface SignedRules {
  /** What is installed; undefined if nothing is. */
  installed(): Promise<InstalledRules | undefined>;
  /** Fingerprints of the keys that a person trusts. */
  trusted(): readonly string[];
  /** Lets signatures by the key of a file count; answers with its fingerprint. @throws RULES_KEY_INVALID */
  trust(path: string): string;
  /** Lets a key count no more, by the beginning of its fingerprint. @throws RULES_NOT_INSTALLED */
  distrust(fingerprint: string): string;
  /**
   * Installs a bundle once all of it is verified, in place of the one that is there.
   * @throws RULES_BUNDLE_INVALID, RULES_NOT_TRUSTED, RULES_OUTDATED
   */
  update(path: string): Promise<InstalledRules>;
  /** Removes the bundle: what is built in counts again. @throws RULES_NOT_INSTALLED */
  remove(): void;
  /** Signs files of rules, each `<harness>.json`, with the private key of a file; answers with the bundle's text. */
  sign(keyPath: string, serial: number, paths: readonly string[], about: string | undefined): string;
}
