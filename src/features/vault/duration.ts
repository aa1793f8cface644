/** Milliseconds: what no browser can read has no length. */
const timeoutMs = 5_000;

/** How long a sound is, in seconds; null when the browser can't tell. @throws the signal's reason */
export async function durationOf(file: Blob, signal: AbortSignal): Promise<number | null> {
  const url = URL.createObjectURL(file);
  const element = new Audio();
  const known = Promise.withResolvers<number | null>();
  const over = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  over.addEventListener("abort", () => known.resolve(null), { once: true });
  element.addEventListener("loadedmetadata", () => known.resolve(Number.isFinite(element.duration) ? element.duration : null));
  element.addEventListener("error", () => known.resolve(null));
  element.preload = "metadata";
  element.src = url;
  try {
    return await known.promise;
  } finally {
    element.removeAttribute("src");
    URL.revokeObjectURL(url);
    signal.throwIfAborted();
  }
}
