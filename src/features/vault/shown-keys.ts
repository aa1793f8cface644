import { hearShortcuts, playerActions } from "#src/features/transcription/keyboard.ts";
import type { Player } from "#src/features/transcription/player.ts";

/** A ref: while the element is there, the player hears the keys that it hears on a transcript's page. */
export function hearKeys(player: Player) {
  return (element: HTMLElement | null) => {
    if (element === null) return;
    const stop = hearShortcuts(playerActions(player));
    // What was pressed is gone: the player takes its place.
    if (document.activeElement === document.body) element.querySelector<HTMLElement>("section button")?.focus();
    return stop;
  };
}
