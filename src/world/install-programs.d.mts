import type { Probe, Requirement } from './requirements.mjs';

export type LackingProgram = Requirement & Probe;
export declare function lackingPrograms(spared?: readonly string[]): Promise<LackingProgram[]>;
export declare function installer(): ((programs: readonly LackingProgram[]) => boolean) | undefined;
export declare function describeLack(program: LackingProgram): string;
