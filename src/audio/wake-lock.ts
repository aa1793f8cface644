/** Keeps the screen on; the browser takes it back when the page is hidden, and gives it again when it is seen. @returns what ends it */
export function keepAwake(): () => void {
  const stop = new AbortController();
  let lock: WakeLockSentinel | undefined;
  const take = async () => {
    if (!("wakeLock" in navigator) || document.visibilityState !== "visible") return;
    try {
      const taken = await navigator.wakeLock.request("screen");
      if (stop.signal.aborted) await taken.release();
      else lock = taken;
    } catch {
      // A low battery or a policy: the recording does without.
    }
  };
  document.addEventListener("visibilitychange", () => void take(), { signal: stop.signal });
  void take();
  return () => {
    stop.abort();
    lock?.release().catch(() => {});
  };
}
