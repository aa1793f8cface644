import { createActor, fromCallback } from "xstate";
import type { HeardBy } from "#contract/index.ts";
import type { RecognitionCommand, RecorderEvent } from "#machines/dictation/events.ts";
import { type RecognitionEvent, recognitionMachine } from "#machines/dictation/recognition/machine.ts";
import { problemOf } from "#machines/dictation/recognition/rules.ts";
import { listenWithBrowser } from "#src/audio/browser-listening.ts";
import { browserRecognizer, recognizerTag } from "#src/audio/browser-recognizer.ts";
import type { Dictation } from "#src/audio/dictation.ts";
import { addRecognizedText, hasWords } from "#src/audio/recognized-words.ts";
import { inspected } from "#src/browser/inspection.ts";
import { createWakeUps } from "#src/browser/page-events.ts";
import type { ReadableStore } from "#src/browser/store.ts";
import { isRecognizedOnDevice, mayListen, onConsentChange } from "./browser-speech.ts";
import { recognizeOnDevice } from "./device-recognition-actor.ts";

/** Runs the recording's recognizer in the browser: the browser's own, or the model on this device. */
export const createRecognition = (dictation: Dictation, elapsed: ReadableStore<number>) =>
  fromCallback<RecognitionCommand, { by: HeardBy | null }>(({ input, receive, sendBack }) => {
    if (input.by === "device") return recognizeOnDevice(dictation, { receive, report: sendBack });
    if (input.by === null) return undefined;
    const finish = dictation.awaitWords();
    const actor = createActor(provide(dictation, elapsed), inspected());
    actor.on("*", (event) => {
      if (event.type !== "recognition.finished") return sendBack(event satisfies RecorderEvent);
      finish();
      sendBack({ ...event, hasWords: hasWords(dictation.owned?.frames.row) } satisfies RecorderEvent);
    });
    actor.start();
    receive((command) => actor.send(command));
    return () => {
      actor.stop();
      finish();
    };
  });

const provide = (dictation: Dictation, elapsed: ReadableStore<number>) =>
  recognitionMachine.provide({
    actors: {
      listen: fromCallback(({ sendBack, receive }) => {
        const report = (event: RecognitionEvent) => sendBack(event);
        const [Recognizer, log] = [browserRecognizer(), dictation.owned?.frames];
        if (Recognizer === undefined || log === undefined) {
          report({ type: "listening.failed", problem: "unsupported" });
          return undefined;
        }
        const { sourceLanguage } = log.row;
        const withdraw = () => {
          if (!mayListen(sourceLanguage)) report({ type: "listening.failed", problem: "consentWithdrawn" });
        };
        if (!mayListen(sourceLanguage)) {
          withdraw();
          return undefined;
        }
        const listening = listenWithBrowser({
          Recognizer,
          tag: recognizerTag(sourceLanguage),
          onDevice: isRecognizedOnDevice(sourceLanguage),
          track: dictation.microphone?.track,
          elapsed: elapsed.get,
          recognizedUntil: () => log.row.heard?.at(-1)?.end ?? 0,
          onPartial: (text, start) => dictation.shown.setPartial({ text, start }),
          onFinal: (recognized) => {
            addRecognizedText(log, [{ ...recognized, words: [] }]);
            dictation.shown.refresh();
          },
          onRecognized: () => report({ type: "words.recognized" }),
          onProblem: (code) => report({ type: "listening.failed", problem: problemOf(code) }),
          onEnd: () => report({ type: "listening.ended" }),
        });
        receive(() => listening.stop());
        const leave = onConsentChange(withdraw);
        return () => {
          leave();
          listening.close();
        };
      }),
      wakeUps: createWakeUps<RecognitionEvent>(),
    },
  });
