import { useSyncExternalStore } from "react";
import { indexAt } from "#src/audio/position.ts";
import type { ReadableStore } from "#src/browser/store.ts";

const never = () => () => {};

/**
 * Which of these words or passages is played; -1 when none is.
 * @param items in order of `start`
 * @param position in seconds; undefined while nothing is played
 */
export function usePlayedIndex(items: readonly { start: number }[], position: ReadableStore<number> | undefined): number {
  return useSyncExternalStore(position?.subscribe ?? never, () => (position === undefined ? -1 : indexAt(items, position.get())));
}
