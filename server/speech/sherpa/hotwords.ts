import { readFileSync } from "node:fs";

/** More phrases slow decoding down without being useful. */
const maxPhrases = 2_000;

/**
 * Expected words in sherpa-onnx's format for a stream: phrases separated by "/", in the case of the model's pieces.
 * Phrases with characters that the model has no pieces for (digits, another script) are left out, because sherpa-onnx
 * would drop parts of them.
 * @param vocabulary names and terms, one per line
 * @param tokens the model's tokens.txt
 * @returns undefined when nothing is left
 */
export function hotwordsOf(vocabulary: string, tokens: string): string | undefined {
  const letters = new Set(tokens.split("\n").flatMap((line) => [...(line.split(/\s/)[0] ?? "").replace(/^<.*>$/, "")]));
  const isUpper = !letters.has("a") && letters.has("A");
  const isLower = !letters.has("A") && letters.has("a");
  const phrases = vocabulary
    .split("\n")
    .map((phrase) =>
      phrase
        .replace(/[/:#@]/g, " ")
        .trim()
        .replace(/\s+/g, " "),
    )
    .map((phrase) => (isUpper ? phrase.toUpperCase() : isLower ? phrase.toLowerCase() : phrase))
    .filter((phrase) => phrase !== "" && [...phrase.replaceAll(" ", "")].every((letter) => letters.has(letter)));
  const own = [...new Set(phrases)].slice(0, maxPhrases);
  return own.length === 0 ? undefined : own.join("/");
}

/**
 * The lines of a bpe.vocab (a piece, a tab, its score), made from SentencePiece's model file: archives contain one of
 * the two. Field numbers are those of sentencepiece_model.proto: ModelProto.pieces 1; piece 1, score 2.
 * @throws RangeError when the file is not a SentencePiece model
 */
export function vocabFromModel(path: string): string {
  const lines: string[] = [];
  for (const { number, bytes } of fieldsOf(readFileSync(path))) {
    if (number !== 1) continue;
    const fields = [...fieldsOf(bytes)];
    const piece = fields.find((field) => field.number === 1)?.bytes.toString("utf8");
    const score = fields.find((field) => field.number === 2)?.bytes;
    if (piece !== undefined) lines.push(`${piece}\t${score === undefined ? 0 : score.readFloatLE(0)}`);
  }
  return `${lines.join("\n")}\n`;
}

/** The fields of a protocol buffer: strings, messages and 32-bit values. All others are skipped. */
function* fieldsOf(message: Buffer): Generator<{ number: number; bytes: Buffer }> {
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 1; ; shift *= 128) {
      const byte = message.readUInt8(at);
      at += 1;
      value += (byte % 128) * shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = varint();
    const wire = key % 8;
    if (wire === 0) {
      varint();
      continue;
    }
    const length = wire === 2 ? varint() : wire === 5 ? 4 : wire === 1 ? 8 : Number.NaN;
    if (!(at + length <= message.length)) throw new RangeError("Not a SentencePiece model.");
    const bytes = message.subarray(at, at + length);
    at += length;
    if (wire !== 1) yield { number: Math.floor(key / 8), bytes };
  }
}
