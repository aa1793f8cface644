import { fromCallback } from "xstate";
import type { VaultEvent } from "#machines/vault/events.ts";
import { listenForWaking } from "#src/browser/page-events.ts";

/** Throttles activity events, in milliseconds. */
const noteEvery = 5_000;
const signs = ["pointerdown", "keydown", "wheel", "touchstart"] as const;

/** Messages between the tabs of one user. */
type Word = { ownerId: string; said: "present" | "lock" };

export type Presence = ReturnType<typeof createPresence>;

/** @param ownerId the vault's owner */
export function createPresence(ownerId: string, now: () => number) {
  const channel = new BroadcastChannel("parlance-vault");
  let noted = 0;
  let send: ((event: VaultEvent) => void) | undefined;
  const say = (said: Word["said"]) => channel.postMessage({ ownerId, said } satisfies Word);
  /** Notes activity without input, such as playback. */
  const note = () => {
    if (send === undefined || now() - noted < noteEvery) return;
    noted = now();
    send({ type: "presence.noted" });
    say("present");
  };
  /** The vault's actor `presence`. Activity in any tab keeps all tabs unlocked, and locking one tab locks all. */
  const actor = fromCallback<VaultEvent>(({ sendBack }) => {
    const stop = new AbortController();
    const { signal } = stop;
    send = sendBack;
    noted = 0;
    note();
    for (const sign of signs) addEventListener(sign, note, { signal, capture: true, passive: true });
    channel.addEventListener(
      "message",
      ({ data }: MessageEvent<Word>) => {
        if (data.ownerId !== ownerId) return;
        sendBack(data.said === "lock" ? { type: "vault.lockedElsewhere" } : { type: "presence.noted" });
      },
      { signal },
    );
    const sleep = listenForWaking(() => sendBack({ type: "page.resumed" }));
    return () => {
      send = undefined;
      stop.abort();
      sleep();
    };
  });
  return { actor, note, lockOthers: () => say("lock"), stop: () => channel.close() };
}
