/** How many bytes of encoded rows one answer may have, so that it fits on the bus with everything around them. */
const maxBytes = 4 * 1024 * 1024;

/** Rows, as many of them from the start as one answer can hold, and at least one. */
export function fitting<Row>(rows: readonly Row[]): Row[] {
  let bytes = 0;
  return rows.filter((row, place) => {
    // Counted as JSON, in which a character can take six times the bytes that it has in the database.
    bytes += Buffer.byteLength(JSON.stringify(row));
    return place === 0 || bytes <= maxBytes;
  });
}
