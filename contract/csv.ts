export type Cell = string | number;

/**
 * Rows as a CSV file's text (RFC 4180). A text that a spreadsheet would evaluate as a formula gets an apostrophe in front: the
 * texts are untrusted.
 */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

function field(cell: Cell): string {
  if (typeof cell === "number") return String(cell);
  const harmless = /^\s*[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
