/**
 * Runs the main module of a bundle, which is CommonJS. Below the folder `cache` is the compiled code of each command, made
 * by an earlier run of it; if it cannot be read or written, the command only starts more slowly.
 */
export function runCommand(main: string, cache: string, command: string): void;
