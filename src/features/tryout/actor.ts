import { type Actor, createActor, fromCallback, fromPromise, waitFor } from "xstate";
import { tryOutPath } from "#contract/index.ts";
import { type TryLanguages, type TryOutEvent, tryOutMachine } from "#machines/tryout/machine.ts";
import { apiBase } from "#src/api/http.ts";
import type { Captions, CaptionsState } from "#src/audio/captions.ts";
import type { FrameLog } from "#src/audio/frame-log.ts";
import { openMicrophone } from "#src/audio/microphone.ts";
import { createRecordingDb } from "#src/audio/recording-db.ts";
import { createRecordingLocks } from "#src/audio/recording-locks.ts";
import { createRecordings } from "#src/audio/recordings.ts";
import { Connection, type ConnectionEvent } from "#src/audio/transport.ts";
import { inspected } from "#src/browser/inspection.ts";
import { storage, storageKeys } from "#src/browser/storage.ts";
import { createStore, type ReadableStore, type Store } from "#src/browser/store.ts";
import { clearClaim, noteSaid } from "#src/browser/try-claim.ts";
import { tryOutKey } from "#src/browser/try-left.ts";
import { createCaptions } from "#src/features/dictation/captions.ts";
import { createTryRecording, type TryRecording } from "./recording.ts";

/** A try for components. Values that change at audio rate are in stores. */
export interface TryOut {
  actor: Actor<typeof tryOutMachine>;
  captions: ReadableStore<CaptionsState>;
  /** The audio level from 0 to 1. */
  level: ReadableStore<number>;
  /** Seconds recorded. */
  elapsed: ReadableStore<number>;
  /** The URL that plays the persisted audio; null while there is none. */
  sound: ReadableStore<string | null>;
}

let opened: TryOut | undefined;

/** The page's single try. The landing page starts it, and the dashboard offers its recording after the sign-up. */
export function openTryOut(): TryOut {
  opened ??= createTryOut();
  return opened;
}

/** Starts a try, unless a recording is persisted or running. */
export async function startTry(languages: TryLanguages): Promise<void> {
  const { actor } = openTryOut();
  await waitFor(actor, (snapshot) => !snapshot.matches("checking"));
  actor.send({ type: "start.requested", languages });
}

function createTryOut(): TryOut {
  const captions = createCaptions();
  const [level, elapsed, sound] = [createStore(0), createStore(0), createStore<string | null>(null)];
  const db = createRecordingDb();
  const recording = createTryRecording({
    db,
    // Without room in the browser's storage, memory holds the recording until the page is left.
    recordings: createRecordings({ db, locks: createRecordingLocks(navigator.locks), onTrouble: () => {} }),
    captions,
    level,
    elapsed,
    mark: {
      set: () => {
        storage.write(tryOutKey, "1");
        noteSaid();
      },
      remove: clearClaim,
    },
    openMicrophone: (signal) => openMicrophone(signal),
    now: Date.now,
  });
  const machine = tryOutMachine.provide({
    actors: {
      find: fromPromise(() => recording.find()),
      openMicrophone: fromPromise(({ input, signal }) => recording.begin(input, signal)),
      capture: fromCallback(({ sendBack }) => recording.capture(() => sendBack({ type: "microphone.unplugged" }))),
      connection: fromCallback(({ input, sendBack }) => connect(recording, recording.recognizeIn(input), captions, sendBack)),
      sound: fromCallback(() => offerSound(recording, sound)),
      keep: fromPromise(({ input }) => recording.keep(input.isRecognized)),
      adopt: fromPromise(({ input }) => recording.adopt(input.ownerId)),
      discard: fromPromise(() => recording.discard()),
    },
  });
  const mayRecognize = storage.read(storageKeys.token) === null;
  const actor = createActor(machine, { ...inspected(), input: { mayRecognize } }).start();
  return { actor, captions, level, elapsed, sound };
}

/** @returns a function that revokes the URL */
function offerSound(recording: TryRecording, sound: Store<string | null>): () => void {
  let isOver = false;
  const offer = (blob: Blob) => {
    if (!isOver) sound.set(URL.createObjectURL(blob));
  };
  recording.sound().then(offer, () => {});
  return () => {
    isOver = true;
    const address = sound.get();
    sound.set(null);
    if (address !== null) URL.revokeObjectURL(address);
  };
}

function connect(
  recording: TryRecording,
  frames: FrameLog,
  captions: Captions,
  sendBack: (event: TryOutEvent) => void,
): () => void {
  const emit = (event: ConnectionEvent) => {
    // Persists the words, so that a reloaded page shows them at once.
    if (event.type === "connection.advanced") recording.writeDown(false);
    sendBack(event.type === "recording.done" ? { type: "recording.done" } : event);
  };
  const connection = new Connection({
    url: socketUrl(),
    token: async () => "",
    frames,
    captions: withTranslations(captions),
    emit,
    now: () => performance.now(),
  });
  const cut = () => {
    connection.close();
    sendBack({ type: "connection.lost", code: null });
  };
  // A socket may take minutes to notice a lost connection.
  addEventListener("offline", cut);
  return () => {
    removeEventListener("offline", cut);
    connection.close();
  };
}

/**
 * A final text arrives again with its translation (contract/dictation.ts). The later texts and the interim text must
 * stay.
 */
function withTranslations(captions: Captions): Captions {
  return {
    ...captions,
    addFinal: (index, segment) => {
      const { lines, partial } = captions.get();
      if (index >= lines.length) return captions.addFinal(index, segment);
      captions.replace(lines.with(index, { ...segment, translating: "done" }));
      if (partial !== null) captions.setPartial(partial);
    },
  };
}

function socketUrl(): string {
  const url = new URL(apiBase + tryOutPath, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
