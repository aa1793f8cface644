import { normalForm } from "#contract/normal-form.ts";
/** A file name fit for display: the last part of a path, without control characters, at most 255 characters. */
export function cleanName(name: string): string {
  const last = name.split(/[\\/]/).at(-1) ?? "";
  return [...normalForm(last, "NFC").replace(/\p{C}+/gu, "")].slice(0, 255).join("").trim();
}

/** A file name that is valid everywhere and can't escape the folder; possibly empty. */
export function fileNameOf(text: string, maxLength: number): string {
  const cleaned = [...normalForm(text, "NFC").replace(/[\p{C}/\\:*?"<>|]+/gu, " ")].slice(0, maxLength).join("");
  return cleaned.replace(/\s+/g, " ").replace(/^[. ]+|[. ]+$/g, "");
}

/**
 * The Content-Disposition of a download: the title as the file's name, in RFC 5987's encoding, with an ASCII form
 * beside it. Characters that file systems reject are omitted; a time of day ("10:00") gets a period.
 */
export function attachment(title: string, extension: string): string {
  const sayable = title.replace(/(?<=\d):(?=\d)/g, ".");
  const name = `${fileNameOf(sayable, 100) || "transcription"}.${extension}`;
  const ascii = name.replace(/[^\x20-\x7e]|%/g, "_");
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
