import { createActor, fromCallback, fromPromise, waitFor } from "xstate";
import { type DeviceRecognitionEvent, deviceRecognitionMachine } from "#machines/dictation/device-recognition/machine.ts";
import type { RecognitionCommand, RecorderEvent } from "#machines/dictation/events.ts";
import type { ListenCommand } from "#machines/dictation/recognition/machine.ts";
import { joinBytes } from "#speech/bytes.ts";
import { shifted } from "#speech/words.ts";
import type { Dictation } from "#src/audio/dictation.ts";
import { batchFrames, type FrameLog } from "#src/audio/frame-log.ts";
import { addRecognizedText, firstUnrecognized, hasWords } from "#src/audio/recognized-words.ts";
import { frameSeconds } from "#src/audio/recordings.ts";
import { wavOf } from "#src/audio/wav.ts";
import { inspected } from "#src/browser/inspection.ts";
import { deviceModels } from "#src/features/device-models/actor.ts";

interface Recorder {
  receive(listener: (command: RecognitionCommand) => void): void;
  report(event: RecorderEvent): void;
}

/** Recognizes the open recording with the model on this device. @returns a function that ends it */
export function recognizeOnDevice(dictation: Dictation, { receive, report }: Recorder): () => void {
  const log = dictation.owned?.frames;
  if (log === undefined) throw new Error("No recording is open.");
  const actor = createActor(provide(dictation, log), inspected());
  const finish = () => report({ type: "recognition.finished", hasWords: hasWords(log.row) });
  actor.on("recognition.troubled", report);
  actor.on("recognition.finished", () => {
    log.endWords();
    finish();
  });
  actor.on("recognition.failed", () => {
    if (log.row.staysHere === true) return finish();
    dictation.leaveToServer();
    report({ type: "recognition.failed" });
    // The server waits for words on this connection. The next connection tells it that none will come.
    report({ type: "connection.lost", code: null });
  });
  actor.start();
  if (log.row.frames === null) actor.send({ type: "capture.began" });
  receive((command) => actor.send(command));
  return () => actor.stop();
}

function provide(dictation: Dictation, log: FrameLog) {
  const { recogniser, actor: model } = deviceModels().english;
  const showInterim = (text: string) => dictation.shown.setPartial({ text, start: log.row.heard?.at(-1)?.end ?? 0 });
  return deviceRecognitionMachine.provide({
    actors: {
      listen: fromCallback<ListenCommand>(({ sendBack, receive }) => {
        const report = (event: DeviceRecognitionEvent) => sendBack(event);
        const stream = recogniser.listen({
          onInterim: showInterim,
          onFinal: (segment) => {
            addRecognizedText(log, [segment]);
            showInterim("");
            dictation.shown.refresh();
          },
          onFailed: (code) => report({ type: "listening.failed", code }),
        });
        const feed = feedFrames(log, stream.write);
        const end = async () => {
          await feed.flush();
          await stream.end();
          report({ type: "listening.ended" });
        };
        // The stream has already reported a failure.
        receive(() => void end().catch(() => {}));
        return () => {
          feed.stop();
          stream.cancel();
          showInterim("");
        };
      }),
      recognizeRest: fromPromise(async ({ signal }) => {
        const from = firstUnrecognized(log.row);
        if (log.row.heardToEnd === true || from >= log.written) return;
        // Just after the page loads, the model's state is not known yet.
        await waitFor(model, (snapshot) => !snapshot.hasTag("checking"), { signal });
        const segments = await recogniser.transcribe(await wavOf(log, from), { onProgress: () => {}, signal });
        addRecognizedText(
          log,
          segments.map((segment) => shifted(segment, from * frameSeconds)),
        );
        dictation.shown.refresh();
      }),
    },
  });
}

/** Passes on every readable frame, old and new. @param write gets its own copy of the memory */
function feedFrames(log: FrameLog, write: (pcm: Uint8Array<ArrayBuffer>) => void) {
  let [cursor, isStopped] = [0, false];
  let reading = Promise.resolve();
  const read = async () => {
    for (;;) {
      const batch = await log.read(cursor, batchFrames);
      if (isStopped || batch.length === 0) return;
      cursor += batch.length;
      write(joinBytes(batch));
    }
  };
  const flush = () => {
    reading = reading.then(read);
    return reading;
  };
  const leave = log.subscribe(() => void flush());
  void flush();
  return {
    /** Resolves when all audio captured so far is passed on. */
    flush,
    stop: () => {
      isStopped = true;
      leave();
    },
  };
}
