import { type Actor, createActor, fromCallback, fromPromise } from "xstate";
import { type SpeechLanguage, tryOutPath } from "#contract/index.ts";
import { type TryOutEvent, tryOutMachine } from "#machines/tryout/machine.ts";
import { apiBase } from "#src/api/http.ts";
import type { CaptionsState } from "#src/audio/captions.ts";
import { openMicrophone } from "#src/audio/microphone.ts";
import { createRecordingDb } from "#src/audio/recording-db.ts";
import { createRecordingLocks } from "#src/audio/recording-locks.ts";
import { createRecordings } from "#src/audio/recordings.ts";
import { Connection, type ConnectionEvent } from "#src/audio/transport.ts";
import { inspected } from "#src/browser/inspection.ts";
import { storage, storageKeys } from "#src/browser/storage.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { createCaptions } from "#src/features/dictation/captions.ts";
import { createTryRecording, type TryRecording } from "./recording.ts";

/** A try as a component needs it; values that change at audio rate are in stores. */
export interface TryOut {
  actor: Actor<typeof tryOutMachine>;
  captions: ReadableStore<CaptionsState>;
  /** The audio level from 0 to 1. */
  level: ReadableStore<number>;
  /** Seconds recorded. */
  elapsed: ReadableStore<number>;
}

let opened: TryOut | undefined;

/** One for the page: the landing page begins it, and the dashboard offers it after signing up. */
export function openTryOut(): TryOut {
  opened ??= createTryOut();
  return opened;
}

function createTryOut(): TryOut {
  const captions = createCaptions();
  const [level, elapsed] = [createStore(0), createStore(0)];
  const db = createRecordingDb();
  const recording = createTryRecording({
    db,
    // Without room in the browser the page's memory has it: it is there until the page is left.
    recordings: createRecordings({ db, locks: createRecordingLocks(navigator.locks), onTrouble: () => {} }),
    captions,
    level,
    elapsed,
    storage,
    openMicrophone: (signal) => openMicrophone(signal),
    now: Date.now,
  });
  const machine = tryOutMachine.provide({
    actors: {
      find: fromPromise(() => recording.find()),
      openMicrophone: fromPromise<void, { language: SpeechLanguage }>(({ input, signal }) =>
        recording.begin(input.language, signal),
      ),
      capture: fromCallback<TryOutEvent>(({ sendBack }) => recording.capture(() => sendBack({ type: "microphone.unplugged" }))),
      connection: fromCallback<TryOutEvent>(({ sendBack }) => connect(recording, captions, sendBack)),
      keep: fromPromise(({ input }) => recording.keep(input.isHeard)),
      adopt: fromPromise(({ input }) => recording.adopt(input.ownerId)),
      discard: fromPromise(() => recording.discard()),
    },
  });
  const mayHear = storage.read(storageKeys.token) === null;
  const actor = createActor(machine, { ...inspected(), input: { mayHear } }).start();
  return { actor, captions, level, elapsed };
}

function connect(
  recording: TryRecording,
  captions: ReturnType<typeof createCaptions>,
  sendBack: (event: TryOutEvent) => void,
): () => void {
  const frames = recording.take?.frames;
  if (frames === undefined) throw new Error("No recording is open.");
  const emit = (event: ConnectionEvent) => {
    // A page that is loaded again shows them at once.
    if (event.type === "connection.advanced") recording.writeDown(false);
    sendBack(event.type === "recording.done" ? { type: "recording.done" } : event);
  };
  const connection = new Connection({
    url: socketUrl(),
    token: async () => "",
    frames,
    captions,
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

function socketUrl(): string {
  const url = new URL(apiBase + tryOutPath, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
