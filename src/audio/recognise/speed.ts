/** Runs work that recognizes so many seconds of sound. */
export type Watch = <Result>(sound: { durationSeconds: number }, work: () => Promise<Result>) => Promise<Result>;

/** So much sound (seconds)... */
const enoughSound = 3;
/** ... has to be recognized within this, for live words to come in time (seconds). */
const mostWork = 2;

/** @param onSlow told once, when recognizing takes too long */
export function watchSpeed(onSlow: () => void): Watch {
  let [sound, work] = [0, 0];
  let isTold = false;
  return async ({ durationSeconds }, recognize) => {
    const begin = performance.now();
    const result = await recognize();
    sound += durationSeconds;
    work += (performance.now() - begin) / 1000;
    if (sound < enoughSound) return result;
    const isSlow = work / sound > mostWork / enoughSound;
    [sound, work] = [0, 0];
    if (isSlow && !isTold) {
      isTold = true;
      onSlow();
    }
    return result;
  };
}
