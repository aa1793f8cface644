/** Why the sound of a tab or of the computer can't be heard; texts `dictation:source.problem.*`. */
export const displayProblems = ["displayRefused", "displayWithoutSound", "displayBusy", "displayUnsupported"] as const;
export type DisplayProblem = (typeof displayProblems)[number];

export const isDisplayProblem = (code: string): code is DisplayProblem => displayProblems.some((problem) => problem === code);

class DisplayError extends Error {
  readonly code: DisplayProblem;
  constructor(code: DisplayProblem) {
    super(`What is shared can't be heard: ${code}`);
    this.code = code;
  }
}

/** By the names of getDisplayMedia's exceptions (Screen Capture, section 5.1). */
const byName: Readonly<Record<string, DisplayProblem>> = {
  NotAllowedError: "displayRefused",
  InvalidStateError: "displayRefused",
  AbortError: "displayRefused",
  TypeError: "displayUnsupported",
  NotSupportedError: "displayUnsupported",
};

/**
 * Whether this browser gives pages the sound of a tab. Firefox and Safari share pictures alone, and phones nothing; none says so but by the
 * constraints it knows: this one means nothing without sound.
 */
export function canCaptureDisplay(): boolean {
  const devices = globalThis.navigator.mediaDevices;
  if (!devices || !("getDisplayMedia" in devices)) return false;
  return "suppressLocalAudioPlayback" in devices.getSupportedConstraints();
}

/** What TypeScript's library lacks of the specification. */
interface Wish extends DisplayMediaStreamOptions {
  systemAudio: "include";
  selfBrowserSurface: "exclude";
  surfaceSwitching: "include";
}

/** No voice processing, which harms recognition; the person goes on hearing what is shared. No browser shares sound without a picture. */
const wish: Wish = {
  audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
  video: { displaySurface: "browser", frameRate: { max: 1 } },
  systemAudio: "include",
  selfBrowserSurface: "exclude",
  surfaceSwitching: "include",
};

/**
 * Asks the person for a tab, or for the screen, with its sound. The picture is ended at once: nobody looks at it, and nothing of it is kept.
 * @returns a stream of sound alone
 * @throws DisplayError
 */
export async function requestDisplaySound(): Promise<MediaStream> {
  if (!canCaptureDisplay()) throw new DisplayError("displayUnsupported");
  const stream = await navigator.mediaDevices.getDisplayMedia(wish).catch((error: unknown) => {
    throw new DisplayError(byName[error instanceof Error ? error.name : ""] ?? "displayBusy");
  });
  for (const picture of stream.getVideoTracks()) {
    picture.stop();
    stream.removeTrack(picture);
  }
  // A window was chosen, or the browser's box for the sound was not ticked.
  if (stream.getAudioTracks().length === 0) throw new DisplayError("displayWithoutSound");
  return stream;
}
