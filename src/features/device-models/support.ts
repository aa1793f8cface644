/** A function that adds vectors of bytes: valid where the browser has WebAssembly with SIMD, which the runtime needs. */
const simd = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/** Why this browser can't keep or run a model (`device-models:failure.*`); null when it can. */
export function whyUnsupported(): string | null {
  if (!globalThis.isSecureContext) return "notSecure";
  if (!("caches" in globalThis)) return "noStorage";
  return typeof WebAssembly === "object" && WebAssembly.validate(simd) ? null : "noWasm";
}
