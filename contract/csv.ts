export type Cell = string | number;

/**
 * Rows as the text of a CSV file (RFC 4180). The texts are untrusted, so an apostrophe precedes those that a
 * spreadsheet would evaluate as a formula.
 */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

function field(cell: Cell): string {
  if (typeof cell === "number") return String(cell);
  const harmless = /^\s*[=+\-@\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
