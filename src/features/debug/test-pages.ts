import { is } from "valibot";
import { type ActorRefFrom, createActor, fromCallback, fromPromise } from "xstate";
import { SpeechLanguage } from "#contract/index.ts";
import { type ChunkReport, type ChunkRun, chunkedTranscriptionMachine } from "#machines/debug/chunked-transcription.ts";
import {
  type LiveRun,
  type RealtimeTranscriptionEvent,
  realtimeTranscriptionMachine,
} from "#machines/debug/realtime-transcription.ts";
import { apiBase } from "#src/api/http.ts";
import { inspected } from "#src/browser/inspection.ts";
import { loadEngines } from "#src/features/engines/actor.ts";
import { currentUserId } from "#src/features/session/actor.ts";
import { accessToken, send } from "#src/features/session/api.ts";
import { redirectTarget } from "#src/features/session/redirect-target.ts";
import { sendChunk } from "./test-chunk.ts";
import { startLiveRun } from "./test-live-run.ts";
import { createLiveLog, type LiveLog } from "./test-log.ts";
import { loadSound } from "./test-sound.ts";

/** The state of an engine test, which lives as long as its page. */
interface Bench {
  /** The chosen file; undefined: the fixture. */
  file: File | undefined;
  /** The message when nobody is signed in. */
  readonly isSignedIn: boolean;
}

export interface ChunkLab extends Bench {
  actor: ActorRefFrom<typeof chunkedTranscriptionMachine>;
}

export interface LiveLab extends Bench {
  actor: ActorRefFrom<typeof realtimeTranscriptionMachine>;
  log: LiveLog;
}

let chunks: ChunkLab | undefined;
let live: LiveLab | undefined;

/** /test/chunked-transcription; the same until the page is left. */
export function openChunkLab(): ChunkLab {
  const lab: Bench = { file: undefined, isSignedIn: currentUserId() !== null };
  let sound = new Float32Array(0);
  const machine = chunkedTranscriptionMachine.provide({
    actors: {
      cut: fromPromise<number, ChunkRun>(async ({ input, signal }) => {
        sound = await loadSound(own.file, signal);
        return Math.ceil(sound.length / (input.seconds * 16_000));
      }),
      sendChunk: fromPromise<ChunkReport, { run: ChunkRun; index: number }>(({ input, signal }) =>
        sendChunk(send, sound, input.run, input.index, signal),
      ),
    },
  });
  const own: ChunkLab = chunks ?? { ...lab, actor: createActor(machine, inspected()).start() };
  chunks = own;
  return own;
}

/** /test/realtime-transcription; the same until the page is left. */
export function openLiveLab(): LiveLab {
  const log = createLiveLog();
  const machine = realtimeTranscriptionMachine.provide({
    actors: {
      connection: fromCallback<RealtimeTranscriptionEvent, LiveRun>(({ input, sendBack, receive }) => {
        const run = startLiveRun({
          url: `${apiBase.replace(/^http/, "ws")}/api/v1/audio-transcriptions/realtime`,
          token: accessToken,
          language: is(SpeechLanguage, input.language) ? input.language : "auto",
          pace: input.pace,
          sound: input.source === "microphone" ? { kind: "microphone" } : { kind: "file", file: own.file },
          log: own.log,
          send: sendBack,
        });
        receive(() => run.stop());
        return () => run.close();
      }),
    },
  });
  const own: LiveLab = live ?? {
    file: undefined,
    isSignedIn: currentUserId() !== null,
    actor: createActor(machine, inspected()).start(),
    log,
  };
  live = own;
  return own;
}

export function closeLabs(): void {
  chunks?.actor.stop();
  live?.actor.stop();
  [chunks, live] = [undefined, undefined];
}

/** Signing in returns to the current page. */
export function comeBackHere(): void {
  redirectTarget.remember(location.pathname);
}

/** Without engines, the languages can still be chosen. */
const enginesOrNone = () => loadEngines().catch(() => undefined);

export const enterChunkLab = async () => ({ lab: openChunkLab(), engines: await enginesOrNone() });
export const enterLiveLab = async () => ({ lab: openLiveLab(), engines: await enginesOrNone() });
