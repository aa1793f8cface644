import { createActor, fromPromise, sendTo } from "xstate";
import { type PlayerCommand, playerMachine } from "#machines/transcription/player.ts";
import { createPositionStore } from "#src/audio/position.ts";
import { inspected } from "#src/browser/inspection.ts";
import { offerKeys } from "#src/features/shortcuts/actor.ts";
import { audioElement } from "#src/features/transcription/audio-element.ts";
import { playerActions } from "#src/features/transcription/keyboard.ts";
import type { Player } from "#src/features/transcription/player.ts";

/**
 * Plays decrypted audio. Its object URL is revoked with the player.
 * @param notePresence called during playback
 * @param from start in seconds
 */
export function createBlobPlayer(sound: Blob, notePresence: () => void, from = 0): Player {
  const position = createPositionStore();
  const leave = position.subscribe(notePresence);
  const url = URL.createObjectURL(sound);
  const machine = playerMachine.provide({
    actors: { authorize: fromPromise(async () => {}), element: audioElement({ url, withCredentials: false }, position) },
    actions: { command: sendTo("element", (_, command: PlayerCommand) => command) },
  });
  const actor = createActor(machine, { ...inspected(), input: { rewinds: false } });
  actor.subscribe({
    complete: () => {
      leave();
      URL.revokeObjectURL(url);
    },
  });
  actor.start();
  actor.send({ type: "seek.requested", seconds: from, play: true });
  return { actor, position };
}

/** A ref that handles the shortcuts of a transcript's page while the element is mounted. */
export function hearKeys(player: Player) {
  return (element: HTMLElement | null) => {
    if (element === null) return;
    const stop = offerKeys(playerActions(player));
    // The pressed button disappears, so the player takes the focus.
    if (document.activeElement === document.body) element.querySelector<HTMLElement>("section button")?.focus();
    return stop;
  };
}
