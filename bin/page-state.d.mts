/** The folder of muster. */
export const root: string;

/** The folder of the built page, the hash of the current sources, and whether the page was built from them. */
export function pageState(): {
  readonly place: string;
  readonly stampName: string;
  readonly wanted: string;
  readonly isBuilt: boolean;
};
