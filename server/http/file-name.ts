/** A file name fit for display: the last part of a path, without control characters, at most 255 characters. */
export function cleanName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? "";
  return [...last.normalize("NFC").replace(/\p{C}+/gu, "")].slice(0, 255).join("").trim();
}
