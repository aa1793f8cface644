import { detachMedia } from "#src/audio/detach-media.ts";

/** Timeout in ms. An unreadable file never reports its duration. */
const timeoutMs = 5_000;

/** The duration of an audio file in seconds; null when the browser can't determine it. @throws the signal's reason */
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
    void detachMedia(element).then(() => URL.revokeObjectURL(url));
    signal.throwIfAborted();
  }
}
