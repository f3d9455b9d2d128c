interface Page {
  readonly nextPageToken?: string | undefined;
}

/** The rows of every page of a listing, in order. `ask` gets the cursor of each page but the first. */
export async function everyPage<P extends Page, Row>(
  ask: (pagination: { pageSize: number; cursor?: string }) => Promise<P>,
  rowsOf: (page: P) => readonly Row[] | undefined,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await ask({ pageSize: 200, ...(cursor !== undefined && { cursor }) });
    rows.push(...(rowsOf(page) ?? []));
    cursor = page.nextPageToken;
  } while (cursor);
  return rows;
}
