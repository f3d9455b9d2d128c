/** Maximum size of an answer's rows, in bytes. It leaves room for the rest of the message on the bus. */
const maxBytes = 4 * 1024 * 1024;

/** The first rows, as many as fit into one answer, and at least one. */
export function fitRows<Row>(rows: readonly Row[]): Row[] {
  if (rows.length < 2) return [...rows];
  let bytes = 0;
  return rows.filter((row, place) => {
    // Measures the JSON, where a character can take six times as many bytes as in the database.
    bytes += Buffer.byteLength(JSON.stringify(row));
    return place === 0 || bytes <= maxBytes;
  });
}
