import { fromCallback } from "xstate";
import type { PlayerCommand, PlayerEvent } from "#machines/transcription/player.ts";
import { letGo } from "#src/audio/let-go.ts";
import type { PositionStore } from "#src/audio/position.ts";

function obey(element: HTMLAudioElement, command: PlayerCommand, onFailure: () => void): void {
  if (command.type === "play.requested") element.play().catch(onFailure);
  else if (command.type === "pause.requested") element.pause();
  else if (command.type === "seek.requested") element.currentTime = command.seconds;
  // The element clamps to its end by itself.
  else if (command.type === "skip.requested") element.currentTime = Math.max(0, element.currentTime + command.seconds);
  else element.playbackRate = command.rate;
}

/**
 * The browser's audio element as the player's actor `element`.
 * @param source the audio's address; `withCredentials` sends cookies, also to another origin
 * @param position follows it
 */
export function audioElement(source: { url: string; withCredentials: boolean }, position: PositionStore) {
  return fromCallback<PlayerCommand>(({ receive, sendBack }) => {
    const element = new Audio();
    const stop = new AbortController();
    const on = (name: string, event: () => PlayerEvent) =>
      element.addEventListener(name, () => sendBack(event()), { signal: stop.signal });
    on("loadedmetadata", () => ({ type: "element.ready", durationSeconds: element.duration }));
    on("playing", () => ({ type: "element.playing" }));
    on("pause", () => ({ type: "element.paused", ended: element.ended }));
    on("error", () => ({ type: "element.failed", seconds: element.currentTime }));
    const leave = position.follow(element);
    receive((command) =>
      obey(element, command, () => {
        // Blocked by the browser (no user gesture yet) or interrupted by a pause: it is shown as paused.
        if (element.error === null) sendBack({ type: "element.paused" });
      }),
    );
    element.preload = "auto";
    if (source.withCredentials) element.crossOrigin = "use-credentials";
    element.src = source.url;
    return () => {
      stop.abort();
      leave();
      void letGo(element);
    };
  });
}
