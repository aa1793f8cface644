import type { Player } from "../../app/player.ts";
import { transcriptPreferences } from "../../app/transcript-preferences.ts";
import { playOrPause, skipSeconds } from "../transcript/keyboard.ts";
import { isMac, type ShortcutAction, shortcutOf, whereIs } from "../transcript/shortcuts.ts";

/** A ref: while the element is there, the player hears the keys that it hears on a transcript's page. */
export function hearKeys(player: Player) {
  const actions: Partial<Record<ShortcutAction, () => void>> = {
    playPause: () => playOrPause(player),
    back: () => player.actor.send({ type: "skip.requested", seconds: -skipSeconds }),
    forward: () => player.actor.send({ type: "skip.requested", seconds: skipSeconds }),
    slower: () => player.actor.send({ type: "rate.stepped", steps: -1 }),
    faster: () => player.actor.send({ type: "rate.stepped", steps: 1 }),
  };
  const hear = (event: KeyboardEvent) => {
    if (event.defaultPrevented || document.querySelector("dialog[open]") !== null) return;
    const { singleKeys } = transcriptPreferences.get();
    const action = shortcutOf(event, { mac: isMac(), where: whereIs(event.target), singleKeys });
    const act = action && actions[action];
    if (act === undefined) return;
    event.preventDefault();
    act();
  };
  return (element: HTMLElement | null) => {
    if (element === null) return;
    document.addEventListener("keydown", hear);
    // What was pressed is gone: the player takes its place.
    if (document.activeElement === document.body) element.querySelector<HTMLElement>("section button")?.focus();
    return () => document.removeEventListener("keydown", hear);
  };
}
