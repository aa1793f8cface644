/** Levels below this count as silence (0 to 1, on a scale of 60 dB). A tab that plays nothing has exactly 0. */
const quiet = 0.02;

/** Detects long silence, and its end. */
export interface SilenceWatch {
  /** @param level from 0 to 1; @param at seconds of a clock that runs only during recording */
  hear(level: number, at: number): void;
}

/**
 * @param afterSeconds the minimum length of a silence. @param onChange called at the start and the end of each
 *   silence
 */
export function createSilenceWatch(afterSeconds: number, onChange: (isSilent: boolean) => void): SilenceWatch {
  let heardAt = 0;
  let isSilent = false;
  return {
    hear: (level, at) => {
      if (level > quiet) heardAt = at;
      const isSilentNow = at - heardAt >= afterSeconds;
      if (isSilentNow === isSilent) return;
      isSilent = isSilentNow;
      onChange(isSilent);
    },
  };
}
