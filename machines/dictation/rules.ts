import type { RecorderContext, RecorderSource } from "./events.ts";

/** Nothing of what is shared has been heard for this long (seconds): speakers pause, but nobody waits for so long without a word. */
export const silentSeconds = 15;

/** The browser's own recogniser is given the microphone, whatever is chosen: no browser lets it recognize anything else. */
export const sourceOf = ({ source, languages }: Pick<RecorderContext, "source" | "languages">): RecorderSource =>
  languages.heardBy === "browser" ? "microphone" : source;
