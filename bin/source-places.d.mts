/** Makes stack traces of the bundles in this folder point to their sources. */
export function nameSourcePlaces(folder: string): void;
