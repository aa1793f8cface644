import { RecogniserError } from "./failure.ts";

/** What marks the beginning of a word (SentencePiece). */
const wordStart = "▁";
/** <unk>, <s> and </s> come first, <<ST_0>> and those after it last: no text. */
const firstText = 3;
const lastText = 31_999;

/** How the numbers that a decoder writes are read. */
export interface Tokens {
  /** How many there are. */
  readonly count: number;
  /** The text of token after token. */
  textOf(ids: readonly number[]): string;
}

/**
 * @param file a line for each token: its bytes in base64, a blank, and its number, counted from 0. A token may be a part of a
 *   character.
 * @throws RecogniserError `brokenModel`
 */
export function readTokens(file: Uint8Array): Tokens {
  const lines = new TextDecoder().decode(file).trimEnd().split("\n");
  const encoded = lines.map((line, at) => {
    const [base64, number] = line.split(" ");
    if (base64 === undefined || number !== String(at)) throw new RecogniserError("brokenModel", `Line ${at + 1} is no token.`);
    return base64;
  });
  return {
    count: encoded.length,
    textOf: (ids) => {
      const bytes = ids
        .filter((id) => id >= firstText && id <= lastText)
        .map((id) => atob(encoded[id] ?? ""))
        .join("");
      const text = new TextDecoder().decode(Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)));
      return text.replaceAll(wordStart, " ").trim();
    },
  };
}
