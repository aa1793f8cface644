import { is } from "valibot";
import { createActor, fromCallback, fromPromise } from "xstate";
import { SpeechLanguage } from "#contract/index.ts";
import { chunkedTranscriptionMachine } from "#machines/debug/chunked-transcription.ts";
import { realtimeTranscriptionMachine } from "#machines/debug/realtime-transcription.ts";
import { apiBase } from "#src/api/http.ts";
import { inspected } from "#src/browser/inspection.ts";
import { perVisit } from "#src/browser/per-visit.ts";
import { loadEngines } from "#src/features/engines/actor.ts";
import { currentUserId } from "#src/features/session/actor.ts";
import { accessToken, send } from "#src/features/session/api.ts";
import { redirectTarget } from "#src/features/session/redirect-target.ts";
import { sendChunk } from "./test-chunk.ts";
import { startLiveRun } from "./test-live-run.ts";
import { createLiveLog } from "./test-log.ts";
import { loadSound } from "./test-sound.ts";

/** The state of an engine test. It lives as long as its page. */
export interface Bench {
  /** The chosen file; undefined: the fixture. */
  file: File | undefined;
  /** False: the page shows a message that nobody is signed in. */
  isSignedIn: boolean;
}

const newBench = (): Bench => ({ file: undefined, isSignedIn: currentUserId() !== null });

export type ChunkLab = ReturnType<typeof startChunkLab>;
export type LiveLab = ReturnType<typeof startLiveLab>;

/** Starts /test/chunked-transcription. */
function startChunkLab() {
  const bench = newBench();
  let sound = new Float32Array(0);
  const machine = chunkedTranscriptionMachine.provide({
    actors: {
      cut: fromPromise(async ({ input, signal }) => {
        sound = await loadSound(bench.file, signal);
        return Math.ceil(sound.length / (input.seconds * 16_000));
      }),
      sendChunk: fromPromise(({ input, signal }) => sendChunk(send, sound, input.run, input.index, signal)),
    },
  });
  const actor = createActor(machine, inspected()).start();
  return { bench, actor, stop: () => actor.stop() };
}

/** Starts /test/realtime-transcription. */
function startLiveLab() {
  const bench = newBench();
  const log = createLiveLog();
  const machine = realtimeTranscriptionMachine.provide({
    actors: {
      connection: fromCallback(({ input, sendBack, receive }) => {
        const run = startLiveRun({
          url: `${apiBase.replace(/^http/, "ws")}/api/v1/audio-transcriptions/realtime`,
          token: accessToken,
          language: is(SpeechLanguage, input.language) ? input.language : "auto",
          pace: input.pace,
          sound: input.source === "microphone" ? { kind: "microphone" } : { kind: "file", file: bench.file },
          log,
          send: sendBack,
        });
        receive(() => run.stop());
        return () => run.close();
      }),
    },
  });
  const actor = createActor(machine, inspected()).start();
  return { bench, actor, log, stop: () => actor.stop() };
}

const [chunkLab, liveLab] = [perVisit(startChunkLab), perVisit(startLiveLab)];

/** Called when the user leaves the page. */
export function closeLabs(): void {
  chunkLab.close();
  liveLab.close();
}

/** Makes the sign-in return to the current page. */
export function comeBackHere(): void {
  redirectTarget.remember(location.pathname);
}

/** Without the engines, the user can still choose a language. */
const enginesOrNone = () => loadEngines().catch(() => undefined);

export const enterChunkLab = async () => ({ lab: chunkLab.open(), engines: await enginesOrNone() });
export const enterLiveLab = async () => ({ lab: liveLab.open(), engines: await enginesOrNone() });
