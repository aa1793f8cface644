/** Where a document says how it is encoded (bytes). */
const headBytes = 1024;

/** Decodes a document of XML as its first bytes say; as UTF-8 when they don't, or say something unknown. */
export function decoderFor(document: Uint8Array): TextDecoder {
  const head = new TextDecoder("latin1").decode(document.subarray(0, headBytes));
  const label = /^[^>]{0,200}encoding=["']([\w-]{1,40})["']/.exec(head)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder();
  }
}
