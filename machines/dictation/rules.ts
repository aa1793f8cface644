import type { RecorderContext, RecorderSource } from "./events.ts";

/** Shared audio without sound for this long counts as silent (seconds). Speakers pause, but not for so long. */
export const silentSeconds = 15;

/** The browser's own recognizer always gets the microphone: no browser lets it recognize anything else. */
export const sourceOf = ({ source, languages }: Pick<RecorderContext, "source" | "languages">): RecorderSource =>
  languages.heardBy === "browser" ? "microphone" : source;
