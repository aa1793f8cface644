/** How often the browser may end the recogniser's worker, for want of memory, before this device counts as unable. */
export const maxLosses = 2;

/** The browser has ended the recogniser's worker. @param code a code of the locale files (`device-models:failure.*`) */
export const isLoss = (code: string): boolean => code === "workerLost";
