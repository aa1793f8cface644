/**
 * Lines as a file of comma-separated values (RFC 4180), which spreadsheets open. What a spreadsheet would take for a formula is given a
 * single quotation mark in front, so that it stays a text: other people have written it.
 */
export function csvOf(lines: readonly (readonly string[])[]): string {
  return lines.map((fields) => `${fields.map(fieldOf).join(",")}\r\n`).join("");
}

function fieldOf(text: string): string {
  const plain = /^\s*[=+\-@]|^[\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}
