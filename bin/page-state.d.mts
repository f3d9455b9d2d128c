/** The folder of muster. */
export const root: string;

/** Where the page stands, what it must have been made of, and whether it was. */
export function pageState(): {
  readonly place: string;
  readonly stampName: string;
  readonly wanted: string;
  readonly isBuilt: boolean;
};
