import { type ActorRefFrom, createActor, fromCallback, fromPromise, sendTo } from "xstate";
import { type PlayerCommand, type PlayerEvent, playerMachine } from "../../machines/player.ts";
import { apiBase } from "../api/http.ts";
import { audioPath } from "../api/transcriptions.ts";
import { createPositionStore, type PositionStore } from "../audio/position.ts";
import { transcriptionsApi } from "./api-resources.ts";

export interface Player {
  actor: ActorRefFrom<typeof playerMachine>;
  position: PositionStore;
}

function obey(element: HTMLAudioElement, command: PlayerCommand, onFailure: () => void): void {
  if (command.type === "play") element.play().catch(onFailure);
  else if (command.type === "pause") element.pause();
  else if (command.type === "seek") element.currentTime = command.seconds;
  else element.playbackRate = command.rate;
}

function elementOf(id: string, position: PositionStore) {
  return fromCallback<PlayerCommand>(({ receive, sendBack }) => {
    const element = new Audio();
    const stop = new AbortController();
    const on = (name: string, event: () => PlayerEvent) =>
      element.addEventListener(name, () => sendBack(event()), { signal: stop.signal });
    on("loadedmetadata", () => ({ type: "element.ready", durationSeconds: element.duration }));
    on("playing", () => ({ type: "element.playing" }));
    on("pause", () => ({ type: "element.paused" }));
    on("error", () => ({ type: "element.failed", seconds: element.currentTime }));
    const leave = position.follow(element);
    receive((command) =>
      obey(element, command, () => {
        // Refused by the browser (no gesture yet) or cut short by a pause: it stands still, and that is shown.
        if (element.error === null) sendBack({ type: "element.paused" });
      }),
    );
    element.preload = "auto";
    // The cookie that lets this browser hear goes only with credentials.
    element.crossOrigin = "use-credentials";
    element.src = apiBase + audioPath(id);
    return () => {
      stop.abort();
      leave();
      element.pause();
      element.removeAttribute("src");
      element.load();
    };
  });
}

/** Plays one transcription's audio, and tells beside the machine where it is. The caller stops the actor. */
export function createPlayer(id: string): Player {
  const position = createPositionStore();
  const machine = playerMachine.provide({
    actors: {
      authorize: fromPromise<void>(({ signal }) => transcriptionsApi.allowAudio(id, signal)),
      element: elementOf(id, position),
    },
    actions: { command: sendTo("element", (_, command: PlayerCommand) => command) },
  });
  return { actor: createActor(machine).start(), position };
}
