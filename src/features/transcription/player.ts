import { type ActorRefFrom, createActor, fromPromise, sendTo } from "xstate";
import { type PlayerCommand, playerMachine, selectIsPlaying } from "#machines/transcription/player.ts";
import { apiBase } from "#src/api/http.ts";
import { audioPath } from "#src/api/transcriptions.ts";
import { createPositionStore, type PositionStore } from "#src/audio/position.ts";
import { inspected } from "#src/browser/inspection.ts";
import { transcriptionsApi } from "#src/features/session/api-resources.ts";
import { audioElement } from "./audio-element.ts";

export interface Player {
  actor: ActorRefFrom<typeof playerMachine>;
  position: PositionStore;
}

/** A player as those see it who follow what is played, and choose what is. Times are in seconds. */
export const soundOf = ({ actor, position }: Player) => ({
  position,
  isPlaying: () => selectIsPlaying(actor.getSnapshot()),
  seek: (seconds: number) => actor.send({ type: "seek.requested", seconds }),
});

/**
 * Plays one transcription's audio; the playback position is a store beside the machine. The caller stops the actor.
 * @param rewinds whether resuming after a pause starts slightly earlier
 */
export function createPlayer(id: string, rewinds: boolean): Player {
  const position = createPositionStore();
  const source = { url: apiBase + audioPath(id), withCredentials: true };
  const machine = playerMachine.provide({
    actors: {
      authorize: fromPromise<void>(async ({ signal }) => {
        source.withCredentials = (await transcriptionsApi.allowAudio(id, signal)).withCredentials;
      }),
      // The cookie that authorises the audio is only sent with credentials.
      element: audioElement(source, position),
    },
    actions: { command: sendTo("element", (_, command: PlayerCommand) => command) },
  });
  const actor = createActor(machine, inspected()).start();
  actor.send({ type: "rewinding.chosen", rewinds });
  return { actor, position };
}

/** Calls what it is given when the page with this player is left. */
export const leaving =
  ({ player }: { player: Player }) =>
  (left: () => void): void =>
    void player.actor.subscribe({ complete: left });
