/**
 * Keeps the screen on. The browser drops the lock when the page is hidden, so it is requested again when the page is
 * visible. @returns a function that releases it
 */
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
      // Denied because of a low battery or a policy. Recording continues without it.
    }
  };
  document.addEventListener("visibilitychange", () => void take(), { signal: stop.signal });
  void take();
  return () => {
    stop.abort();
    lock?.release().catch(() => {});
  };
}
