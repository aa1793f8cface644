/** Why the sound of a tab or of the computer can't be recorded. Keys of the texts `dictation:source.problem.*`. */
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
 * Whether this browser shares a tab's sound with pages. Firefox and Safari share only pictures, and phones nothing. No
 * browser reports this directly, so it is derived from a supported constraint that makes no sense without sound.
 */
export function canCaptureDisplay(): boolean {
  const devices = globalThis.navigator.mediaDevices;
  if (!devices || !("getDisplayMedia" in devices)) return false;
  return "suppressLocalAudioPlayback" in devices.getSupportedConstraints();
}

/** Options of the specification that TypeScript's library lacks. */
interface Wish extends DisplayMediaStreamOptions {
  systemAudio: "include";
  selfBrowserSurface: "exclude";
  surfaceSwitching: "include";
}

/**
 * Without voice processing, which harms recognition. The user continues to hear the shared sound. No browser shares
 * sound without a picture.
 */
const wish: Wish = {
  audio: { echoCancellation: false, noiseSuppression: false, autoGainControl: false },
  video: { displaySurface: "browser", frameRate: { max: 1 } },
  systemAudio: "include",
  selfBrowserSurface: "exclude",
  surfaceSwitching: "include",
};

/**
 * Asks the user for a tab or the screen, with its sound. Ends the picture at once, and keeps nothing of it.
 * @returns a stream with only sound
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
  // The user has chosen a window, or not ticked the browser's checkbox for the sound.
  if (stream.getAudioTracks().length === 0) throw new DisplayError("displayWithoutSound");
  return stream;
}
