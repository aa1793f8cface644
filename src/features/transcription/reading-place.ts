import type { ActorRefFrom } from "xstate";
import type { Segment } from "#contract/index.ts";
import type { transcriptionMachine } from "#machines/transcription/machine.ts";
import { selectTranscription } from "#machines/transcription/selectors.ts";
import { indexAt } from "#src/audio/position.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import type { Player } from "./player.ts";

/** A place in a transcript to scroll to. */
interface Place {
  /** The segment's index. */
  index: number;
  /** The start of a word in it, in seconds. */
  word?: number;
  /** The segment's element to focus. */
  focus?: "edit" | "translation" | "time" | "note";
  /** The caret's offset in the segment's open field. */
  caret?: number;
  /** Where the segment is scrolled to if it is not visible; default: the middle. "none": does not scroll. */
  align?: "start" | "none";
}

export interface PlaceStore extends ReadableStore<(Place & { turn: number }) | null> {
  show(place: Place): void;
  /** The index of the segment with which the list begins; null: the first. The list reads this only once. */
  arrival: number | null;
  /** The index of the topmost visible segment, set by the list. */
  top: number;
}

/** Requests to scroll a transcript. The find bar, undo, and the unsure words make them; the list executes them. */
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

/** The state of a transcript that the user is reading. */
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

/** The index of the played segment, or else of the topmost visible one. */
export function readingIn({ actor, player, place }: Read): number {
  const seconds = player.position.get();
  return seconds > 0 ? indexAt(segmentsOf({ actor }), seconds) : place.top;
}

/** Plays from a time, or shows the passage if there is no audio. @param seconds in the recording */
export function playFrom({ actor, player, place }: Read, hasAudio: boolean, seconds: number): void {
  if (hasAudio) player.actor.send({ type: "seek.requested", seconds, play: true });
  else place.show({ index: indexEnding({ actor }, seconds) });
}
