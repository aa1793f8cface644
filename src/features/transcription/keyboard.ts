import { selectIsPlaying, selectIsPreparing, selectWantsToPlay } from "#machines/transcription/player.ts";
import type { OpenTranscription } from "./actor.ts";
import { transcriptPreferences } from "./preferences.ts";
import { isMac, type ShortcutAction, shortcutOf, whereIs } from "./shortcuts.ts";

/** Seconds of "back" and "forward": enough to hear a word again. */
export const skipSeconds = 3;

export function playOrPause({ actor }: OpenTranscription["player"]): void {
  const snapshot = actor.getSnapshot();
  const plays = selectIsPlaying(snapshot) || (selectIsPreparing(snapshot) && selectWantsToPlay(snapshot));
  actor.send({ type: plays ? "pause.requested" : "play.requested" });
}

/**
 * Handles the shortcuts of a transcript's page, wherever the focus is, unless a dialog is open.
 * @param others actions handled by the page's parts
 * @returns a function that removes the listeners
 */
export function listenToKeys(
  { actor, player }: Pick<OpenTranscription, "actor" | "player">,
  can: { listen: boolean; edit: boolean },
  others: Record<"find" | "nextUnsure" | "previousUnsure" | "confirmWord" | "note" | "help", () => void>,
): () => void {
  const editing: Actions = {
    undo: () => actor.send({ type: "undo.requested" }),
    redo: () => actor.send({ type: "redo.requested" }),
  };
  return hearShortcuts({ ...others, ...(can.listen ? playerActions(player) : {}), ...(can.edit ? editing : {}) });
}

type Actions = Partial<Record<ShortcutAction, () => void>>;

/** Applies shortcuts to a player. */
export function playerActions(player: OpenTranscription["player"]): Actions {
  return {
    playPause: () => playOrPause(player),
    back: () => player.actor.send({ type: "skip.requested", seconds: -skipSeconds }),
    forward: () => player.actor.send({ type: "skip.requested", seconds: skipSeconds }),
    slower: () => player.actor.send({ type: "rate.stepped", steps: -1 }),
    faster: () => player.actor.send({ type: "rate.stepped", steps: 1 }),
  };
}

/** Listens for the shortcuts of these actions on the whole page, unless a dialog is open. @returns removes the listener */
export function hearShortcuts(actions: Actions): () => void {
  const hear = (event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
    const { singleKeys } = transcriptPreferences.get();
    const action = shortcutOf(event, { mac: isMac(), where: whereIs(event.target), singleKeys });
    const act = action && actions[action];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  document.addEventListener("keydown", hear);
  return () => document.removeEventListener("keydown", hear);
}
