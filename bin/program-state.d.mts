/** The folder of bundles. */
export const bundles: string;

/** The module that a command starts with, in the bundle of the sources as they are; undefined if there is none. */
export function builtProgram(): string | undefined;
