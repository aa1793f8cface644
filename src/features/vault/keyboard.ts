import { offerKeys } from "#src/features/shortcuts/actor.ts";
import { playerActions } from "#src/features/transcription/keyboard.ts";
import type { Player } from "#src/features/transcription/player.ts";

/** A ref: while the element is mounted, the player handles the same shortcuts as on a transcript's page. */
export function hearKeys(player: Player) {
  return (element: HTMLElement | null) => {
    if (element === null) return;
    const stop = offerKeys(playerActions(player));
    // The pressed button disappears: the player takes the focus.
    if (document.activeElement === document.body) element.querySelector<HTMLElement>("section button")?.focus();
    return stop;
  };
}
