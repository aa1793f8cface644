import { RecogniserError } from "./failure.ts";

/** Marks the beginning of a word (SentencePiece). */
const wordStart = "▁";
/** The range of text tokens: <unk>, <s> and </s> come before it, <<ST_0>> and its successors after it. */
const firstText = 3;
const lastText = 31_999;

/** Converts a decoder's token ids to text. */
export interface Tokens {
  /** The number of tokens. */
  readonly count: number;
  /** The text of a sequence of tokens. */
  textOf(ids: readonly number[]): string;
}

/**
 * @param file a line for each token: its bytes in base64, a space, and its number from 0. A token may be part of a
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
