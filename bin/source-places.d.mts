/** Has the stacks of errors name the places in the sources of which the bundles of this folder were made. */
export function nameSourcePlaces(folder: string): void;
