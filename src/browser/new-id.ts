import { hexOf } from "./hex.ts";

/** A random UUID (RFC 9562, version 4). `crypto.randomUUID` is missing on pages without https. */
export function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const variant = "89ab".charAt((bytes[8] ?? 0) & 3);
  return hexOf(bytes).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, `$1-$2-4$3-${variant}$4-$5`);
}
