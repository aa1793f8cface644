import type { ShortcutAction } from "#machines/shortcuts/events.ts";
import { selectIsPlaying, selectIsPreparing, selectWantsToPlay } from "#machines/transcription/player.ts";
import { offerKeys } from "#src/features/shortcuts/actor.ts";
import type { OpenTranscription } from "./actor.ts";
import { readingIn, segmentsOf } from "./reading-place.ts";

/** The distance of "back" and "forward" in seconds, long enough to repeat a word. */
export const skipSeconds = 3;

export function playOrPause({ actor }: OpenTranscription["player"]): void {
  const snapshot = actor.getSnapshot();
  const plays = selectIsPlaying(snapshot) || (selectIsPreparing(snapshot) && selectWantsToPlay(snapshot));
  actor.send({ type: plays ? "pause.requested" : "play.requested" });
}

type Actions = Partial<Record<ShortcutAction, () => void>>;

/**
 * Handles the shortcuts of a transcript's page, wherever the focus is.
 * @param others actions that the page's parts handle
 * @returns a function that ends it
 */
export function listenToKeys(
  open: OpenTranscription,
  can: { listen: boolean; edit: boolean },
  others: Record<"find" | "nextUnsure" | "previousUnsure" | "confirmWord" | "note", () => void>,
): () => void {
  const { actor, player } = open;
  const editing: Actions = {
    undo: () => actor.send({ type: "undo.requested" }),
    redo: () => actor.send({ type: "redo.requested" }),
    edit: () => editPassage(open),
  };
  const focus = can.edit ? "edit" : "time";
  return offerKeys({
    ...others,
    next: () => showPassage(open, 1, focus),
    previous: () => showPassage(open, -1, focus),
    ...(can.listen ? playerActions(player) : {}),
    ...(can.edit ? editing : {}),
  });
}

/** The index of the focused passage; undefined if none has the focus. */
function focusedPassage(): number | undefined {
  const index = document.activeElement?.closest<HTMLElement>("main li[data-index]")?.dataset.index;
  return index === undefined ? undefined : Number(index);
}

/** Moves from the focused passage to the next or previous one. Without a focus, shows the played or read one. */
function showPassage(open: OpenTranscription, step: 1 | -1, focus: "edit" | "time"): void {
  const focused = focusedPassage();
  const index = focused === undefined ? readingIn(open) : focused + step;
  if (segmentsOf(open)[index] !== undefined) open.place.show({ index, focus });
}

/** Opens the field of the focused passage, or else of the played or read one. */
function editPassage(open: OpenTranscription): void {
  const index = focusedPassage() ?? readingIn(open);
  const segment = segmentsOf(open)[index];
  if (segment === undefined) return;
  open.actor.send({ type: "typing.changed", key: String(index), text: segment.text });
  open.place.show({ index, focus: "edit" });
}

/** The actions of shortcuts on a player. */
export function playerActions(player: OpenTranscription["player"]): Actions {
  return {
    playPause: () => playOrPause(player),
    back: () => player.actor.send({ type: "skip.requested", seconds: -skipSeconds }),
    forward: () => player.actor.send({ type: "skip.requested", seconds: skipSeconds }),
    slower: () => player.actor.send({ type: "rate.stepped", steps: -1 }),
    faster: () => player.actor.send({ type: "rate.stepped", steps: 1 }),
  };
}
