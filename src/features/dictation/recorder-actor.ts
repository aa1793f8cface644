import { createActor, fromCallback, fromPromise } from "xstate";
import { selectMayListen } from "#machines/device-models/selectors.ts";
import type { RecorderEvent } from "#machines/dictation/events.ts";
import { recorderMachine } from "#machines/dictation/machine.ts";
import { silentSeconds } from "#machines/dictation/rules.ts";
import { type RecorderActor, selectPhase } from "#machines/dictation/selectors.ts";
import { apiBase } from "#src/api/http.ts";
import type { CaptionsState } from "#src/audio/captions.ts";
import { createDictation, type Dictation, type DictationParts, type Saving } from "#src/audio/dictation.ts";
import { openMicrophone } from "#src/audio/microphone.ts";
import { createRecordingDb } from "#src/audio/recording-db.ts";
import { createRecordingLocks } from "#src/audio/recording-locks.ts";
import { createRecordings, type Leftover } from "#src/audio/recordings.ts";
import { Connection, type ConnectionEvent } from "#src/audio/transport.ts";
import { keepAwake } from "#src/audio/wake-lock.ts";
import { inspected } from "#src/browser/inspection.ts";
import { isAway } from "#src/browser/network.ts";
import { createWakeUps, holdPage } from "#src/browser/page-events.ts";
import { createStore, type ReadableStore } from "#src/browser/store.ts";
import { deviceModels } from "#src/features/device-models/actor.ts";
import { currentUserId } from "#src/features/session/actor.ts";
import { accessToken, send } from "#src/features/session/api.ts";
import { enginesApi } from "#src/features/session/api-resources.ts";
import { askUsage, askUsageWhileDictating } from "#src/features/subscription/usage.ts";
import { mayListen } from "./browser-speech.ts";
import { createCaptions } from "./captions.ts";
import { type CaptionsWindow, createCaptionsWindow } from "./captions-window-actor.ts";
import { isForDevice } from "./device-choice.ts";
import { microphones } from "./microphones.ts";
import { createRecognition } from "./recognition-actor.ts";

/** Dictation for components. Values that change at audio rate are in stores. */
export interface Recorder {
  actor: RecorderActor;
  captions: ReadableStore<CaptionsState>;
  /** The window in which the captions stay visible while the user works in other windows. */
  captionsWindow: CaptionsWindow;
  /** Retries failed translations. */
  translateAgain(): void;
  /** The audio level from 0 to 1. */
  level: ReadableStore<number>;
  /** Seconds recorded. */
  elapsed: ReadableStore<number>;
  /** The number of this user's texts that wait in this browser to be saved. */
  unsaved: ReadableStore<number>;
  /**
   * Called when the user leaves the page. Stops the recording, because nobody is recorded unseen. Hides a saved one.
   */
  leave(): void;
  /** Stops the recorder and releases the microphone. The next recorder finds the captured audio. */
  stop(): void;
}

/** How the recorder handles its recordings. */
export interface RecorderAdapter<Final extends { clientId: string }> extends Pick<DictationParts<Final>, "conversation"> {
  /**
   * Called each time with the recordings that wait for a network and finish by themselves. Absent: recordings may not
   * wait.
   */
  noteWaiting?(leftovers: readonly Leftover[]): void;
  /** Shows a recording's transcript in place of its page. @returns whether it did. Absent: it never does */
  openTranscript?(id: string, signal: AbortSignal): Promise<boolean>;
  saving: Saving<Final>;
  /** The number of this user's texts that wait in this browser to be saved. */
  unsaved: ReadableStore<number>;
  /** The database's name. One for each user, so that a recorder finds only leftovers of its own user. */
  database: string;
}

/** Starts a recorder. The caller stops it. */
export function createRecorder<Final extends { clientId: string }>(adapter: RecorderAdapter<Final>): Recorder {
  const captions = createCaptions();
  const [level, elapsed] = [createStore(0), createStore(0)];
  const onTrouble = () => actor.send({ type: "storage.troubled" });
  const dictation = createDictation({
    captions,
    level,
    elapsed,
    saving: adapter.saving,
    conversation: adapter.conversation ?? (() => undefined),
    openMicrophone: (signal, source) => openMicrophone(signal, microphones.chosen(), source),
    recordings: createRecordings({
      db: createRecordingDb(adapter.database),
      locks: createRecordingLocks(navigator.locks),
      onTrouble,
    }),
    ownerId: currentUserId,
    now: Date.now,
    translate: async (text, languages, signal) => (await enginesApi.translate({ text, ...languages }, signal)).text,
    translateHere: async (text, { source, target }, signal) => {
      const [translation] = (await deviceModels().translation(null, source, target)?.translate([text], signal)) ?? [];
      if (translation === undefined) throw failure("translationFailed");
      return translation;
    },
  });
  const clear = () => {
    captions.begin(undefined);
    elapsed.set(0);
  };
  const openTranscript = async (id: string, signal: AbortSignal) => {
    const isOpened = (await adapter.openTranscript?.(id, signal)) ?? false;
    if (isOpened) clear();
    return isOpened;
  };
  const discard = async (signal: AbortSignal) => {
    await dictation.discard(undefined, signal);
    clear();
  };
  // Starts the check early whether the model is on this device.
  if (adapter.noteWaiting !== undefined) deviceModels();
  const actor = createActor(provide(dictation, elapsed, { ...adapter, openTranscript, discard }), inspected()).start();
  const captionsWindow = createCaptionsWindow();
  return {
    actor,
    captions,
    captionsWindow,
    translateAgain: captions.retry,
    level,
    elapsed,
    unsaved: adapter.unsaved,
    leave: () => {
      captionsWindow.actor.send({ type: "close.requested" });
      actor.send({ type: "stop.requested" });
      if (selectPhase(actor.getSnapshot()) !== "saved") return;
      actor.send({ type: "reset.requested" });
      clear();
    },
    stop: () => {
      captionsWindow.actor.stop();
      actor.stop();
      dictation.stop();
    },
  };
}

interface Provided {
  noteWaiting?(leftovers: readonly Leftover[]): void;
  openTranscript(id: string, signal: AbortSignal): Promise<boolean>;
  /** Discards the open recording and its captions. */
  discard(signal: AbortSignal): Promise<void>;
}

function provide(dictation: Dictation, elapsed: ReadableStore<number>, { noteWaiting, openTranscript, discard }: Provided) {
  let refused = false;
  /** @throws ApiError 401 when signed out */
  const token = async (signal: AbortSignal): Promise<string> => {
    const held = await accessToken(signal);
    if (!refused) return held;
    // The server has rejected a token that seems valid here. An HTTP call refreshes the session; a socket does not.
    await send("/users/me", { signal });
    refused = false;
    return accessToken(signal);
  };
  return recorderMachine.provide({
    guards: {
      isAway: () => noteWaiting !== undefined && isAway(),
      isForDevice: (_, languages) =>
        noteWaiting !== undefined &&
        isForDevice(languages, { isAway: isAway(), mayListen: selectMayListen(deviceModels().english.actor.getSnapshot()) }),
    },
    actions: { allowSending: () => dictation.allowSending() },
    actors: {
      findLeftovers: fromPromise(async ({ signal }) => {
        const found = await dictation.leftovers(signal);
        noteWaiting?.(found);
        return found;
      }),
      setAside: fromPromise(() => dictation.setAside()),
      openMicrophone: fromPromise(async ({ input, signal }) => {
        // Checked before the microphone opens. The page does not offer this state, but no speech may leave by mistake.
        if (input.heardBy === "browser" && !mayListen(input.sourceLanguage)) throw failure("noConsent");
        await dictation.begin(input, signal);
      }),
      openLeftover: fromPromise(({ input, signal }) => dictation.resume(input.id, signal)),
      discardLeftover: fromPromise(({ input, signal }) => dictation.discard(input.id, signal)),
      saveUnsaved: fromPromise(({ signal }) => dictation.saveUnsaved(signal)),
      save: fromPromise(({ signal }) => dictation.save(signal)),
      openTranscript: fromPromise(({ input, signal }) => openTranscript(input.id, signal)),
      discard: fromPromise(({ signal }) => discard(signal)),
      capture: fromCallback(({ receive, sendBack }) => {
        receive(({ type }) => dictation.mute(type === "mute.requested"));
        const sleep = keepAwake();
        const report = (event: RecorderEvent) => sendBack(event);
        const stop = dictation.capture({
          onLost: (what) => report({ type: what === "display" ? "display.ended" : "microphone.unplugged" }),
          silentSeconds,
          onSilence: (isSilent) => report({ type: isSilent ? "silence.began" : "silence.ended" }),
        });
        return () => {
          stop();
          sleep();
        };
      }),
      recognition: createRecognition(dictation, elapsed),
      connection: fromCallback(({ sendBack, receive }) => {
        const frames = dictation.owned?.frames;
        if (frames === undefined) throw new Error("No recording is open.");
        // Fails at once without a network, instead of asking for an address of the connection.
        if (isAway()) return sendBack({ type: "connection.lost", code: null } satisfies RecorderEvent);
        const emit = (event: ConnectionEvent) => {
          if (event.type === "connection.lost" && event.code === "unauthorized") refused = true;
          if (event.type === "connection.advanced") askUsageWhileDictating();
          if (event.type === "limit.reached" || (event.type === "connection.lost" && event.code === "limitReached")) askUsage();
          sendBack(event);
        };
        const { shown: captions } = dictation;
        const opened = new Connection({ url: realtimeUrl(), token, frames, captions, emit, now: () => performance.now() });
        const cut = () => {
          opened.close();
          sendBack({ type: "connection.lost", code: null } satisfies RecorderEvent);
        };
        receive(() => {
          if (opened.isUnresponsive()) cut();
        });
        // A socket may take minutes to notice a lost connection, so it is closed at once. If the connection was fine (a
        // local server), the socket reconnects within a second.
        addEventListener("offline", cut);
        return () => {
          removeEventListener("offline", cut);
          opened.close();
        };
      }),
      wakeUps: createWakeUps<RecorderEvent>(),
      leaving: fromCallback(({ input }) => (input.isAtRisk ? holdPage() : undefined)),
    },
  });
}

const failure = (code: string): Error => Object.assign(new Error(code), { code });

function realtimeUrl(): string {
  const url = new URL(`${apiBase}/api/v1/audio-transcriptions/realtime`, location.href);
  url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
  return url.href;
}
