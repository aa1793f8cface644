/** Keeps the screen on; the lock, lost when the page is hidden, is taken again when it is shown. @returns what releases it */
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
      // A low battery or a policy: recording goes on without it.
    }
  };
  document.addEventListener("visibilitychange", () => void take(), { signal: stop.signal });
  void take();
  return () => {
    stop.abort();
    lock?.release().catch(() => {});
  };
}
