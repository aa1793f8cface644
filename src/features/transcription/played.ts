import { useSyncExternalStore } from "react";
import { indexAt } from "#src/audio/position.ts";
import type { ReadableStore } from "#src/browser/store.ts";

const never = () => () => {};

/**
 * The index of the word or passage being played; -1 when none is.
 * @param items sorted by `start`
 * @param position in seconds; undefined while nothing is played
 */
export function usePlayedIndex(items: readonly { start: number }[], position: ReadableStore<number> | undefined): number {
  return useSyncExternalStore(position?.subscribe ?? never, () => (position === undefined ? -1 : indexAt(items, position.get())));
}
