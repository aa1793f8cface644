export type Cell = string | number;

/**
 * Rows as a CSV file's text (RFC 4180). A text that a spreadsheet would take for a formula is made a plain one by an apostrophe before it:
 * titles are written by anybody.
 */
export function csvText(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(field).join(",")}\r\n`).join("");
}

function field(cell: Cell): string {
  if (typeof cell === "number") return String(cell);
  const harmless = /^\s*[=+\-@\t\r]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

let last = "";

/** Hands the rows to the person as a file. @param name "views-2026-03-01.csv" */
export function downloadCsv(name: string, rows: readonly (readonly Cell[])[]): void {
  const link = document.createElement("a");
  // The mark at its beginning lets Excel read it as UTF-8.
  link.href = URL.createObjectURL(new Blob(["\uFEFF", csvText(rows)], { type: "text/csv;charset=utf-8" }));
  link.download = name;
  link.click();
  // Safari still reads from the last one for a while.
  URL.revokeObjectURL(last);
  last = link.href;
}
