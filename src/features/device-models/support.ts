/**
 * A WebAssembly module with a function that adds vectors of bytes. Valid only if the browser supports SIMD, which the
 * runtime needs.
 */
const simd = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** The reason why this browser can't store or run a model (`device-models:failure.*`); null when it can. */
export function whyUnsupported(): string | null {
  if (!globalThis.isSecureContext) return "notSecure";
  if (!("caches" in globalThis)) return "noStorage";
  return typeof WebAssembly === "object" && WebAssembly.validate(simd) ? null : "noWasm";
}
