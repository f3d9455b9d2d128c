/** The folder of bundles. */
export const bundles: string;

/** The main module of a bundle that matches the sources; undefined if there is none. */
export function builtProgram(): string | undefined;
