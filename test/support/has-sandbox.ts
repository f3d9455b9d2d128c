import { findProgram } from '#world/program/find-program.mjs';

const path = process.env['PATH'] ?? '';

/** Whether this machine has the programs of a sandbox. */
export const hasSandbox = ['bwrap', 'socat'].every((name) => findProgram(name, path) !== undefined);
