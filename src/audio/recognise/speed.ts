/** Runs work that recognizes this many seconds of audio. */
export type Watch = <Result>(sound: { durationSeconds: number }, work: () => Promise<Result>) => Promise<Result>;

/** The amount of audio to measure (seconds). */
const enoughSound = 3;
/** The time within which that audio must be recognized, so that live words come in time (seconds). */
const mostWork = 2;

/** @param onSlow called once, when recognition is too slow */
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
