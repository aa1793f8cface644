/** The pieces of a SentencePiece vocabulary in order. Field numbers are those of sentencepiece_model.proto. */
export function piecesOf(vocabulary: Buffer): string[] {
  const pieces: string[] = [];
  for (const { field, content } of fieldsOf(vocabulary)) {
    if (field !== 1) continue;
    const [piece] = [...fieldsOf(content)].filter((part) => part.field === 1);
    pieces.push(piece?.content.toString() ?? "");
  }
  return pieces;
}

interface Field {
  field: number;
  /** Empty for numbers. */
  content: Buffer;
}

function* fieldsOf(message: Buffer): Generator<Field> {
  let at = 0;
  const number = () => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = message.readUInt8(at);
      at += 1;
      value += (byte & 127) * 2 ** shift;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const key = number();
    const wire = key & 7;
    if (wire === 0) number();
    const length = wire === 2 ? number() : ({ 1: 8, 5: 4 }[wire] ?? 0);
    yield { field: key >> 3, content: wire === 2 ? message.subarray(at, at + length) : Buffer.alloc(0) };
    at += length;
  }
}
