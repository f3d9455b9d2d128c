/** Every pane's size in cells: fixed, so that a person's terminal never reshapes what is read. */
export const paneSize = { columns: 200, rows: 50 } as const;
