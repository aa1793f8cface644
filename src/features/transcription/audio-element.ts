import { fromCallback } from "xstate";
import type { PlayerCommand, PlayerEvent } from "#machines/transcription/player.ts";
import { detachMedia } from "#src/audio/detach-media.ts";
import type { PositionStore } from "#src/audio/position.ts";
import type { Screen } from "#src/features/video/screen.ts";

function obey(element: HTMLMediaElement, command: PlayerCommand, onFailure: () => void): void {
  if (command.type === "play.requested") element.play().catch(onFailure);
  else if (command.type === "pause.requested") element.pause();
  else if (command.type === "seek.requested") element.currentTime = command.seconds;
  // The element itself limits this to its end.
  else if (command.type === "skip.requested") element.currentTime = Math.max(0, element.currentTime + command.seconds);
  else element.playbackRate = command.rate;
}

export interface Source {
  url: string;
  /** Whether cookies are sent, even to another origin. */
  withCredentials: boolean;
  /** Where the picture is shown; undefined: no picture. */
  screen?: Screen | undefined;
}

/** MediaError.MEDIA_ERR_DECODE and MEDIA_ERR_SRC_NOT_SUPPORTED. */
const unplayable: readonly (number | undefined)[] = [3, 4];

/**
 * The player's actor `element`: the browser's audio or video element.
 * @param source what to play, read when the source is opened
 * @param position follows the playback
 * @param onUnplayable called when this browser can't show the picture; changes the source
 */
export function audioElement(source: Source, position: PositionStore, onUnplayable: () => void = () => {}) {
  return fromCallback<PlayerCommand>(({ receive, sendBack }) => {
    const { screen } = source;
    const element = screen === undefined ? new Audio() : document.createElement("video");
    const stop = new AbortController();
    const on = (name: string, event: () => PlayerEvent) =>
      element.addEventListener(name, () => sendBack(event()), { signal: stop.signal });
    on("loadedmetadata", () => ({ type: "element.ready", durationSeconds: element.duration }));
    on("playing", () => ({ type: "element.playing" }));
    on("pause", () => ({ type: "element.paused", ended: element.ended }));
    on("error", () => {
      const seconds = element.currentTime;
      if (screen === undefined || !unplayable.includes(element.error?.code)) return { type: "element.failed", seconds };
      onUnplayable();
      return { type: "source.changed", seconds };
    });
    const leave = position.follow(element);
    receive((command) =>
      obey(element, command, () => {
        // The browser blocked playback (no user gesture yet), or a pause interrupted it. It is shown as paused.
        if (element.error === null) sendBack({ type: "element.paused" });
      }),
    );
    // A video loads only its first picture before it is played.
    element.preload = screen === undefined ? "auto" : "metadata";
    if (source.withCredentials) element.crossOrigin = "use-credentials";
    element.src = source.url;
    if (element instanceof HTMLVideoElement) {
      // Otherwise phones would play it in a window of its own.
      element.playsInline = true;
      screen?.set(element);
    }
    return () => {
      stop.abort();
      if (screen?.get() === element) screen.set(null);
      leave();
      void detachMedia(element);
    };
  });
}
