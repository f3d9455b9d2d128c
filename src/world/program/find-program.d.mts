export declare function isOwnFolder(folder: string): boolean;
export declare function findProgram(command: string, path?: string): string | undefined;
