/** HTMLMediaElement.HAVE_METADATA. */
const haveMetadata = 1;

/** The used part of an audio element. */
export interface SoundElement extends EventTarget {
  readonly src: string;
  readonly error: object | null;
  readonly readyState: number;
  pause(): void;
  removeAttribute(name: string): void;
  load(): void;
}

/**
 * Resolves when the element has opened its source or failed to; null when it opens none. Until then, its source must
 * not be removed or replaced: WebKitGTK (seen in 2.50) deadlocks when its main thread stops the opening while that
 * waits for the main thread.
 */
export function opening(element: SoundElement): Promise<unknown> | null {
  if (element.src === "" || element.error !== null || element.readyState >= haveMetadata) return null;
  return new Promise((resolve) => {
    // "stalled": no data arrives.
    for (const name of ["loadedmetadata", "error", "stalled"]) element.addEventListener(name, resolve, { once: true });
  });
}

/**
 * Silences an element at once and removes its source, which it would otherwise continue to load.
 * @returns resolves when the element has no source any more; then its URL can be revoked
 */
export async function detachMedia(element: SoundElement): Promise<void> {
  element.pause();
  await opening(element);
  element.removeAttribute("src");
  element.load();
}
