/** The part of a document that may state its encoding (bytes). */
const headBytes = 1024;

/**
 * The UTF-16 encoding that a document of markup or JSON begins with, with or without a byte order mark; undefined when
 * it is not UTF-16.
 */
function utf16Of([first, second]: Uint8Array): "utf-16le" | "utf-16be" | undefined {
  const markup = [0x3c, 0x7b];
  if (first === 0xff ? second === 0xfe : markup.includes(first ?? 0) && second === 0) return "utf-16le";
  if (first === 0xfe ? second === 0xff : first === 0 && markup.includes(second ?? 0)) return "utf-16be";
  return undefined;
}

/** The beginning of a document, decoded so that its markup is readable in any encoding. */
export function legibleHead(head: Uint8Array): string {
  const text = new TextDecoder(utf16Of(head) ?? "latin1").decode(head);
  return text.replace(/^\u00ef\u00bb\u00bf/, "").trimStart();
}

/**
 * Decodes a feed whose stated encoding may be wrong. A byte order mark decides, then valid UTF-8, then the encoding
 * stated by the server or the XML declaration. Mostly valid UTF-8 counts as UTF-8, too, for example with a title cut
 * off within a character.
 * @param type Content-Type of the response; "" when there is none
 */
export function decodeFeed(document: Uint8Array, type: string): string {
  const utf16 = utf16Of(document);
  if (utf16 !== undefined) return new TextDecoder(utf16).decode(document);
  const charset = /charset\s*=\s*["']?([\w.:-]{1,40})/i.exec(type)?.[1];
  const head = new TextDecoder("latin1").decode(document.subarray(0, headBytes));
  const declared = /^[^>]{0,200}encoding\s*=\s*["']([\w.:-]{1,40})["']/.exec(head)?.[1];
  const encodings = [charset, declared].flatMap((label) => encodingOf(label));
  // Only this encoding has non-ASCII letters in ASCII bytes.
  const isEscaped = encodings.includes("iso-2022-jp") && document.includes(0x1b);
  const text = isEscaped ? undefined : (decodedAs("utf-8", document) ?? mostlyUtf8(document));
  if (text !== undefined) return text;
  for (const encoding of encodings) {
    const one = decodedAs(encoding, document);
    if (one !== undefined) return one;
  }
  return new TextDecoder("windows-1252").decode(document);
}

const declaration = /<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST|NOTATION)/iy;

/**
 * Whether an XML text has a document type, or a part of one, outside of comments, CDATA sections and attribute values.
 */
export function hasDocumentType(text: string): boolean {
  const after = (end: string, from: number) => (text.indexOf(end, from) + 1 || text.length) + end.length - 1;
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", at)) {
    declaration.lastIndex = at;
    if (declaration.test(text)) return true;
    if (text.startsWith("<!--", at)) at = after("-->", at + 4);
    else if (text.startsWith("<![", at)) at = after("]]>", at + 3);
    else if (text.startsWith("<?", at)) at = after("?>", at + 2);
    else if (text.startsWith("</", at)) at = after(">", at);
    else if (/[\s<=\d]/.test(text[at + 1] ?? "")) at += 1;
    else {
      const end = tagEnd(text, at + 1);
      // The text is not XML, so anything that looks like a document type may be read as one.
      if (end === undefined) return text.slice(at).search(new RegExp(declaration.source, "i")) !== -1;
      at = end;
    }
  }
  return false;
}

/** The end of a tag, outside of attribute values. @returns undefined when a value has no end */
function tagEnd(text: string, from: number): number | undefined {
  const mark = /["'>]/g;
  mark.lastIndex = from;
  for (let found = mark.exec(text); found !== null; found = mark.exec(text)) {
    if (found[0] === ">") return mark.lastIndex;
    const end = text.indexOf(found[0], mark.lastIndex);
    if (end === -1) return undefined;
    mark.lastIndex = end + 1;
  }
  return text.length;
}

/** @returns undefined when the bytes are not of that encoding, or it is unknown */
export function decodedAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** The encodings for a label, except Unicode: the bytes tell whether it is Unicode. */
function encodingOf(label = "utf-8"): string[] {
  try {
    const { encoding } = new TextDecoder(label);
    return encoding.startsWith("utf-") ? [] : [encoding];
  } catch {
    return [];
  }
}

/** Decodes bytes that are mostly UTF-8; undefined for others. */
function mostlyUtf8(document: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(document);
  const broken = text.match(/\ufffd/g)?.length ?? 0;
  return broken < (text.match(/[^\p{ASCII}\ufffd]/gu)?.length ?? 0) ? text : undefined;
}
