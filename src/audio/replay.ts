import { detachMedia } from "./detach-media.ts";

/** The part to play, in seconds from the beginning. */
export interface Stretch {
  url: string;
  /** Whether cookies are sent, even to another origin. */
  withCredentials: boolean;
  start: number;
  end: number;
}

/** Plays a part of an audio file, with the cookies that give access. @throws Error with a code; the signal's reason */
export async function playStretch({ url, withCredentials, start, end }: Stretch, signal: AbortSignal): Promise<void> {
  signal.throwIfAborted();
  const element = new Audio();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const stop = new AbortController();
  const on = (name: string, listener: () => void) => element.addEventListener(name, listener, { signal: stop.signal });
  const fail = () => reject(Object.assign(new Error("The audio can't be played."), { code: "notPlayed" }));
  on("error", fail);
  on("ended", resolve);
  on("timeupdate", () => {
    if (element.currentTime >= end) resolve();
  });
  // The browser stops at the end time in the URL. That is more exact than `timeupdate`.
  on("pause", resolve);
  signal.addEventListener("abort", () => reject(signal.reason), { signal: stop.signal });
  if (withCredentials) element.crossOrigin = "use-credentials";
  element.src = `${url}#t=${start.toFixed(3)},${end.toFixed(3)}`;
  element.play().catch(fail);
  try {
    await promise;
  } finally {
    stop.abort();
    void detachMedia(element);
  }
}
