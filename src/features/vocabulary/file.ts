import { csvText } from "#contract/csv.ts";
import { parseVocabulary } from "#contract/index.ts";

/** The maximum size of a file whose lines are added (bytes), several times the size of a full vocabulary. */
export const maxFileBytes = 1_000_000;

/** Why a file's lines can't be added. `code` is one of the contract. */
class FileError extends Error {
  readonly code: "tooLarge" | "badRequest";
  constructor(code: FileError["code"]) {
    super(code);
    this.name = "FileError";
    this.code = code;
  }
}

/**
 * The lines of a text or CSV file in the vocabulary's format. A row with two cells becomes "heard → written".
 * @throws FileError `tooLarge`; `badRequest` for a file that is no text
 */
export async function readLines(file: Blob & { name: string }): Promise<string> {
  if (file.size > maxFileBytes) throw new FileError("tooLarge");
  const text = decoded(new Uint8Array(await file.arrayBuffer()));
  return /\.(csv|tsv)$/i.test(file.name) ? csvRows(text).map(lineOf).join("\n") : text;
}

/** Decodes UTF-8, UTF-16 with a byte order mark, or else Windows-1252, which spreadsheets write. */
function decoded(bytes: Uint8Array): string {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : "utf-8";
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    if (!bytes.includes(0)) return new TextDecoder("windows-1252").decode(bytes);
  }
  throw new FileError("badRequest");
}

function lineOf(cells: readonly string[]): string {
  const [heard = "", written = ""] = cells.map((cell) =>
    cell
      .replace(/\s+/g, " ")
      .trim()
      .replace(/^'(?=[=+\-@])/, ""),
  );
  return written === "" || heard === "" ? heard || written : `${heard} → ${written}`;
}

/**
 * The rows of a CSV text (RFC 4180). The separator is a semicolon or tab if the first line has one, or else a comma.
 */
export function csvRows(text: string): string[][] {
  const separator = [";", "\t"].find((sign) => text.split(/[\r\n]/, 1)[0]?.includes(sign)) ?? ",";
  const rows: string[][] = [];
  let cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text[at] ?? "";
    if (isQuoted) {
      if (sign !== '"') cell += sign;
      else if (text[at + 1] === '"') {
        cell += sign;
        at += 1;
      } else isQuoted = false;
    } else if (sign === '"' && cell === "") isQuoted = true;
    else if (sign === separator) {
      cells.push(cell);
      cell = "";
    } else if (sign === "\n" || sign === "\r") {
      rows.push([...cells, cell]);
      cells = [];
      cell = "";
    } else cell += sign;
  }
  rows.push([...cells, cell]);
  return rows.filter((row) => row.some((one) => one.trim() !== ""));
}

/** A vocabulary as CSV. Each row has a term, or the recognized and the written form. */
export function csvOf(text: string): string {
  const rows = text.split("\n").flatMap((line) => {
    const { terms, replacements } = parseVocabulary(line);
    return replacements.length > 0 ? replacements.map(({ heard, written }) => [heard, written]) : terms.map((term) => [term]);
  });
  return csvText(rows);
}
