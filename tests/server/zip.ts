import { inflateRawSync } from "node:zlib";

/** The files of a ZIP archive as texts, by name. @throws Error when the bytes aren't a ZIP archive */
export function unzipped(archive: Buffer): Map<string, string> {
  const end = archive.lastIndexOf("PK\u0005\u0006");
  if (end < 0) throw new Error("This is no zip archive.");
  const files = new Map<string, string>();
  let at = archive.readUInt32LE(end + 16);
  for (let count = archive.readUInt16LE(end + 10); count > 0; count--) {
    const [method, size] = [archive.readUInt16LE(at + 10), archive.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((offset) => archive.readUInt16LE(at + offset));
    const local = archive.readUInt32LE(at + 42);
    const from = local + 30 + archive.readUInt16LE(local + 26) + archive.readUInt16LE(local + 28);
    const packed = archive.subarray(from, from + size);
    const nameEnd = at + 46 + (name ?? 0);
    files.set(archive.toString("utf8", at + 46, nameEnd), (method === 8 ? inflateRawSync(packed) : packed).toString("utf8"));
    at = nameEnd + (extra ?? 0) + (comment ?? 0);
  }
  return files;
}

/** Errors that prevent well-formed XML: an unclosed tag, a bare ampersand, or a character outside of XML's range. */
export function xmlProblems(text: string): string[] {
  const problems = [...text.matchAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu)].map(
    ([letter]) => `U+${letter.codePointAt(0)?.toString(16)}`,
  );
  const open: string[] = [];
  let rest = text.replace(/^<\?xml[^>]*\?>/, "");
  for (; rest !== ""; ) {
    const [all, close, name, , self] = /^<(\/?)([\w:.-]+)((?:\s+[\w:.-]+="[^<"]*")*)\s*(\/?)>/.exec(rest) ?? [];
    const words = /^[^<]+/.exec(rest)?.[0];
    if (all === undefined && words === undefined) return [...problems, `no tag: ${rest.slice(0, 80)}`];
    if (words !== undefined && /&(?!(?:amp|lt|gt|quot|apos|#\d+|#x[\da-f]+);)/i.test(words)) problems.push(`bare &: ${words}`);
    if (close === "/" && open.pop() !== name) return [...problems, `</${name}> closes another`];
    if (close === "" && self === "" && name !== undefined) open.push(name);
    rest = rest.slice((all ?? words ?? "").length);
  }
  return [...problems, ...open.map((name) => `<${name}> is not closed`)];
}
