import { type ActorRefFrom, createActor, fromPromise, sendTo } from "xstate";
import { type PlayerCommand, playerMachine, selectIsOpened, selectIsPlaying } from "#machines/transcription/player.ts";
import { apiBase } from "#src/api/http.ts";
import { audioPath } from "#src/api/transcriptions.ts";
import { picturePath } from "#src/api/video.ts";
import { createPositionStore, type PositionStore } from "#src/audio/position.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { createScreen, type Screen } from "#src/features/video/screen.ts";
import { audioElement, type Source } from "./audio-element.ts";

export interface Player {
  actor: ActorRefFrom<typeof playerMachine>;
  position: PositionStore;
}

/** A player whose recording may have a picture. */
export interface VideoPlayer extends Player {
  /** The chosen sound track; undefined: there is only one, or nothing is known yet. */
  track: ReadableStore<number | undefined>;
  /** Where the picture is shown. */
  screen: Screen;
  /** Switches to playback with the picture. */
  showPicture(): void;
  /** Switches to another sound track. The picture is omitted until the server has created it again. */
  playTrack(track: number | undefined): void;
}

/** A player for components that follow the playback and control it. Times are in seconds. */
export const soundOf = ({ actor, position }: Player) => ({
  position,
  isPlaying: () => selectIsPlaying(actor.getSnapshot()),
  seek: (seconds: number) => actor.send({ type: "seek.requested", seconds }),
});

/**
 * Plays one transcription's audio. The position is in a store beside the machine. The caller stops the actor.
 * @param rewinds whether resuming after a pause starts slightly earlier
 */
export function createPlayer(id: string, rewinds: boolean): VideoPlayer {
  const position = createPositionStore();
  const screen = createScreen();
  const track = createStore<number | undefined>(undefined);
  // The track is part of the URL, because browsers cache by URL.
  const addressOf = (path: string) => `${apiBase}${path}${track.get() === undefined ? "" : `?track=${track.get()}`}`;
  const sound = () => ({ url: addressOf(audioPath(id)), screen: undefined });
  const source: Source = { ...sound(), withCredentials: true };
  const machine = playerMachine.provide({
    actors: {
      authorize: fromPromise(async ({ signal }) => {
        if (source.screen === undefined) Object.assign(source, sound());
        source.withCredentials = (await transcriptionsApi.allowAudio(id, signal)).withCredentials;
      }),
      // The cookie that authorizes the audio is only sent with credentials.
      element: audioElement(source, position, () => {
        Object.assign(source, sound());
        screen.set("unplayable");
      }),
    },
    actions: { command: sendTo("element", (_, command: PlayerCommand) => command) },
  });
  const actor = createActor(machine, inspected()).start();
  actor.send({ type: "rewinding.chosen", rewinds });
  const showPicture = () => {
    if (screen.get() !== null) return;
    Object.assign(source, { url: addressOf(picturePath(id)), screen });
    actor.send({ type: "source.changed", seconds: position.get() });
  };
  const playTrack = (now: number | undefined) => {
    const before = track.get();
    track.set(now);
    if (before === undefined || before === now) return;
    source.screen = undefined;
    if (selectIsOpened(actor.getSnapshot())) actor.send({ type: "source.changed", seconds: position.get() });
  };
  return { actor, position, track, screen, showPicture, playTrack };
}

/** Registers a function to call when the user leaves the page with this player. */
export const leaving =
  ({ player }: { player: Player }) =>
  (left: () => void): void =>
    void player.actor.subscribe({ complete: left });
