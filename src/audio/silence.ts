/** Below this level (0 to 1, of 60 dB) there is silence: what a tab that plays nothing gives is exactly 0. */
const quiet = 0.02;

/** Says when nothing has been heard for long, and when something is again. */
export interface SilenceWatch {
  /** @param level from 0 to 1; @param at seconds, of a clock that only runs while something is recorded */
  hear(level: number, at: number): void;
}

/** @param afterSeconds how long nothing may be heard. @param onChange called at the beginning and at the end of each silence */
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
