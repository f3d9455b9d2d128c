interface ReleaseFile {
  readonly name: string;
  readonly sha256: string;
}

export function sectionOf(
  changelog: string,
  version: string,
): { readonly date: string | undefined; readonly text: string };
export function steadyBill(
  printed: string,
  facts: { readonly name: string; readonly time: string; readonly sha256: string },
): string;
export function checksumsText(files: readonly ReleaseFile[]): string;
export function notesText(release: {
  readonly name: string;
  readonly version: string;
  readonly text: string;
  readonly files: readonly ReleaseFile[];
}): string;
