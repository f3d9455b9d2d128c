export interface Requirement {
  readonly program: string;
  /** The package that has it, if it is called otherwise. */
  readonly package?: string;
  readonly min: string;
  readonly versionArgs: readonly string[];
  readonly why: string;
}
export interface Probe {
  readonly file: string | undefined;
  readonly version: string | undefined;
  readonly enough: boolean;
}
export declare const requirements: readonly Requirement[];
export declare function howToInstall(program: string, platform?: NodeJS.Platform): string;
export declare function findProgram(program: string, path?: string): string | undefined;
export declare function versionOf(file: string, args: readonly string[]): Promise<string | undefined>;
export declare function isAtLeast(version: string, min: string): boolean;
export declare function probe(requirement: Requirement, path?: string): Promise<Probe>;
export declare function findBrowser(): string | undefined;
