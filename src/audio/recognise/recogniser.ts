import type { Segment } from "#contract/index.ts";
import { floatsOf } from "#speech/bytes.ts";
import { recognizeWithRetry } from "#speech/recognize-with-retry.ts";
import { segmentsFromText } from "#speech/text.ts";
import { type Voice, voiceOfUtterance } from "#speech/voice.ts";
import { decodeSound } from "./decode.ts";
import { interimWords } from "./interim.ts";
import { LiveRecognition, type RecogniserStream, type StreamListener } from "./live.ts";
import { type MoonshineFile, openMoonshine } from "./moonshine.ts";
import { withoutMusic } from "./music.ts";
import { type RecordingOptions, transcribeRecording } from "./recording.ts";
import { discard, prepareRuntime } from "./runtime.ts";
import { openSilero } from "./silero.ts";
import { watchSpeed } from "./speed.ts";

/** Moonshine's files, silero_vad.onnx, and ort-wasm-simd-threaded.wasm of the installed onnxruntime-web. */
export type RecogniserFile = MoonshineFile | "silero" | "wasm";

/** Recognizes English with Moonshine. It blocks its thread for up to a second at a time, so it must run in a worker. */
export interface Recogniser {
  openStream(listener: StreamListener): RecogniserStream;
  /**
   * Transcribes a whole recording in any format that this browser can decode. Its memory use does not grow with the
   * length.
   * @returns all segments; times in seconds from the beginning
   * @throws RecogniserError `cantDecode`; the signal's reason when it is aborted
   */
  transcribe(sound: Blob, options: RecordingOptions): Promise<Segment[]>;
  /** Frees the models. WebAssembly's memory is freed with the worker. */
  close(): Promise<void>;
}

/**
 * Loads the models, which takes one or two seconds.
 * @param read returns a file, whose memory is transferred. Called for one file at a time, because together they take
 *   a fifth of the allowed memory
 * @throws RecogniserError `brokenModel`
 */
export async function openRecogniser(read: (file: RecogniserFile) => Promise<Uint8Array<ArrayBuffer>>): Promise<Recogniser> {
  const wasm = await read("wasm");
  prepareRuntime(wasm);
  const activity = await openSilero(await read("silero"));
  discard(wasm);
  const moonshine = await openMoonshine(read).catch(async (error: unknown) => {
    await activity.close();
    throw error;
  });
  const recognizeOnce = async (voice: Voice) => segmentsFromText((await moonshine.recognize(floatsOf(voice.pcm))).text, voice);
  const recognize = async (voice: Voice) => withoutMusic(await recognizeWithRetry(voice, recognizeOnce, { mayLoop: true }));
  return {
    openStream: (listener) => {
      const watch = watchSpeed(() => listener.onSlow());
      const interim = interimWords((voice, options) => watch(voice, () => moonshine.recognize(floatsOf(voice.pcm), options)));
      const transcribe = (pcm: Uint8Array, _: AbortSignal, isVoice?: (frame: number) => boolean) => {
        const voice = voiceOfUtterance(pcm, isVoice);
        return watch(voice, () => recognize(voice));
      };
      return new LiveRecognition(listener, { transcribe, interim, activity });
    },
    transcribe: (sound, options) => transcribeRecording(decodeSound(sound), options, { activity, recognize }),
    close: async () => {
      await Promise.all([moonshine.close(), activity.close()]);
    },
  };
}
