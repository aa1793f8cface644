/** HTMLMediaElement.HAVE_METADATA. */
const haveMetadata = 1;

/** What of an audio element is used. */
export interface SoundElement extends EventTarget {
  readonly src: string;
  readonly error: object | null;
  readonly readyState: number;
  pause(): void;
  removeAttribute(name: string): void;
  load(): void;
}

/**
 * Resolves once the sound that an element is just opening is open, or can't be; null when it opens none. Until then it is not to be taken
 * away, nor another put in its place: WebKitGTK (seen in 2.50) stands still for ever when its main thread ends what opens the sound while
 * that waits for the main thread.
 */
export function opening(element: SoundElement): Promise<unknown> | null {
  if (element.src === "" || element.error !== null || element.readyState >= haveMetadata) return null;
  return new Promise((resolve) => {
    // "stalled": nothing comes that could be opened.
    for (const name of ["loadedmetadata", "error", "stalled"]) element.addEventListener(name, resolve, { once: true });
  });
}

/**
 * Silences an element at once, and takes its sound from it, which it would otherwise go on loading.
 * @returns resolves when it has none any more: its address can be revoked then
 */
export async function detachMedia(element: SoundElement): Promise<void> {
  element.pause();
  await opening(element);
  element.removeAttribute("src");
  element.load();
}
