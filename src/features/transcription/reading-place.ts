import type { ActorRefFrom } from "xstate";
import type { Segment } from "#contract/index.ts";
import type { transcriptionMachine } from "#machines/transcription/machine.ts";
import { selectTranscription } from "#machines/transcription/selectors.ts";
import { indexAt } from "#src/audio/position.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import type { Player } from "./player.ts";

/** A place in a transcript to scroll to. */
interface Place {
  /** Of the segment. */
  index: number;
  /** The start of a word in it, in seconds. */
  word?: number;
  /** The segment's element to focus. */
  focus?: "edit" | "translation" | "time" | "note";
  /** Where the caret is to be in its open field. */
  caret?: number;
  /**
   * Where in the window it is brought when it is not in sight; by default to the middle. "none": it stays where it is.
   */
  align?: "start" | "none";
}

export interface PlaceStore extends ReadableStore<(Place & { turn: number }) | null> {
  show(place: Place): void;
  /** The index of the segment that the list begins with when it is shown; null: with the first. It takes it once. */
  arrival: number | null;
  /** The index of the topmost visible segment, set by the list. */
  top: number;
}

/** Requests to scroll a transcript: made by the find bar, undo, and the next word of low confidence; executed by the list. */
export function createPlaceStore(): PlaceStore {
  const store = createStore<(Place & { turn: number }) | null>(null);
  let turn = 0;
  return {
    get: store.get,
    subscribe: store.subscribe,
    show: (place) => {
      turn += 1;
      store.set({ ...place, turn });
    },
    arrival: null,
    top: 0,
  };
}

/** A transcript that is read. */
interface Read {
  actor: ActorRefFrom<typeof transcriptionMachine>;
  player: Player;
  place: PlaceStore;
}

const none: readonly Segment[] = [];

export const segmentsOf = ({ actor }: Pick<Read, "actor">): readonly Segment[] =>
  selectTranscription(actor.getSnapshot())?.segments ?? none;

/** The index of the first segment that ends after a time; 0 for none. @param seconds in the recording */
export const indexEnding = (read: Pick<Read, "actor">, seconds: number): number =>
  Math.max(
    0,
    segmentsOf(read).findIndex(({ end }) => end > seconds),
  );

/** The index of the segment that is heard, or else of the topmost visible one. */
export function readingIn({ actor, player, place }: Read): number {
  const seconds = player.position.get();
  return seconds > 0 ? indexAt(segmentsOf({ actor }), seconds) : place.top;
}

/** Plays from there, or shows the passage where there is no sound. @param seconds in the recording */
export function playFrom({ actor, player, place }: Read, hasAudio: boolean, seconds: number): void {
  if (hasAudio) player.actor.send({ type: "seek.requested", seconds, play: true });
  else place.show({ index: indexEnding({ actor }, seconds) });
}
