/** The format version that Bergamot reads. */
const formatVersion = 1n;
/** Size of an item's header in bytes: lengths of name, shape and data, and its type. */
const headerBytes = 32;
/** Most items, far above any real model. */
const maxItems = 10_000;

/**
 * Checks that a file is a complete Marian model: the engine itself would read beyond the end of a truncated one.
 * @returns whether it contains the factors ("alphas") that quantize its inputs
 * @throws Error with the reason
 */
export function checkMarian(file: Uint8Array): { hasAlphas: boolean } {
  const view = new DataView(file.buffer, file.byteOffset, file.length);
  const need = (bytes: number) => {
    if (bytes > file.length) throw new Error("The model's file is truncated.");
  };
  const long = (at: number) => Number(view.getBigUint64(at, true));
  need(16);
  const count = long(8);
  if (view.getBigUint64(0, true) !== formatVersion || count === 0 || count > maxItems)
    throw new Error("The file is not a model of this kind.");
  const namesAt = 16 + count * headerBytes;
  need(namesAt);
  const sum = (offset: number) =>
    Array.from({ length: count }, (_, at) => long(16 + at * headerBytes + offset)).reduce((a, b) => a + b);
  const namesEnd = namesAt + sum(0);
  const gapAt = namesEnd + sum(16) * 4;
  need(gapAt + 8);
  need(gapAt + 8 + long(gapAt) + sum(24));
  return { hasAlphas: new TextDecoder("latin1").decode(file.subarray(namesAt, namesEnd)).includes("_QuantMultA\0") };
}
