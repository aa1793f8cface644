import { type Segment, speechLanguages } from "#contract/index.ts";
import { isLoopbackHost } from "#server/http/loopback.ts";
import { below, callRemote, RemoteError } from "#server/http/remote.ts";
import { joinBytes } from "#speech/bytes.ts";
import { type NotUnderstood, recognizeWithRetry } from "#speech/recognize-with-retry.ts";
import { repeatedRecognition } from "#speech/repeated-recognition.ts";
import type { SpeechStream } from "#speech/stream.ts";
import { openUtteranceStream } from "#speech/utterance-stream.ts";
import { findVoice, type Voice, voiceIn, voiceOfUtterance } from "#speech/voice.ts";
import type { VoiceActivity } from "#speech/voice-activity.ts";
import { shifted } from "#speech/words.ts";
import { isoOf, type SpeechEngine, SpeechError, type StreamOptions, type TranscribeOptions } from "./engine.ts";
import { promptOf } from "./prompt.ts";
import { segmentsFromVerbose, Verbose } from "./verbose.ts";
import { wavHeader } from "./wav.ts";

export interface OpenAiConfig {
  /** "https://api.openai.com/v1" */
  apiUrl: string;
  apiKey?: string | undefined;
  /** Default "whisper-1". */
  apiModel?: string | undefined;
  /** Timeout of one piece of audio, in milliseconds. Default 120,000. */
  apiTimeoutMs?: number | undefined;
  /** Who tells voices from noise. Default: energy does. */
  activity?: VoiceActivity | undefined;
  /** Told of a voice that has no text. */
  onNotUnderstood?: NotUnderstood | undefined;
}

/** Concurrent requests: the work is done elsewhere, and four keep the connection busy. */
const parallel = 4;

/** Any server with OpenAI's transcription API: OpenAI, Groq, speaches, whisper.cpp, LocalAI, vLLM. */
export function openOpenAi(config: OpenAiConfig): SpeechEngine {
  return new OpenAiEngine(config);
}

class OpenAiEngine implements SpeechEngine {
  readonly id = "openai";
  readonly name: string;
  readonly offline: boolean;
  readonly unavailable = undefined;
  readonly languages = speechLanguages;
  readonly parallel = parallel;
  readonly speakers: boolean;
  readonly vocabulary: boolean;
  readonly #config: OpenAiConfig;
  /** Some models (gpt-4o-transcribe) reject `verbose_json`: it is not requested again. */
  #isVerbose = true;

  constructor(config: OpenAiConfig) {
    this.#config = config;
    const { hostname } = new URL(config.apiUrl);
    this.name = `${config.apiModel ?? "whisper-1"} (${hostname})`;
    this.offline = isLoopbackHost(hostname);
    // OpenAI's diarising model takes no prompt.
    this.speakers = (config.apiModel ?? "").includes("diarize");
    this.vocabulary = !this.speakers;
  }

  async transcribe(pcm: Uint8Array, options: TranscribeOptions): Promise<Segment[]> {
    const { activity, onNotUnderstood } = this.#config;
    const voice = await findVoice(pcm, activity);
    return voice === undefined
      ? []
      : recognizeWithRetry(voice, (part) => this.#recognize(part, options), { mayLoop: true, onNotUnderstood });
  }

  async openStream({ language, vocabulary = [], onEvent, onError }: StreamOptions): Promise<SpeechStream> {
    const { activity, onNotUnderstood } = this.#config;
    const find = activity === undefined ? voiceIn : voiceOfUtterance;
    const recognize = (voice: Voice, signal: AbortSignal) => this.#recognize(voice, { language, signal, vocabulary });
    const transcribe = async (pcm: Uint8Array, signal: AbortSignal) => {
      const voice = find(pcm);
      return voice === undefined
        ? []
        : recognizeWithRetry(voice, (part) => recognize(part, signal), { mayLoop: true, onNotUnderstood });
    };
    const interim = repeatedRecognition(find, recognize);
    return openUtteranceStream({ activity, transcribe, interim, onEvent, onError });
  }

  async close(): Promise<void> {}

  async #recognize(voice: Voice, options: TranscribeOptions): Promise<Segment[]> {
    const answer = await this.#ask(voice.pcm, options);
    return segmentsFromVerbose(answer, voice.durationSeconds).map((segment) => shifted(segment, voice.offset));
  }

  async #ask(pcm: Uint8Array, options: TranscribeOptions): Promise<Verbose> {
    try {
      return await this.#call(pcm, options);
    } catch (error) {
      const isRefused =
        error instanceof RemoteError && error.status === 400 && /response_format|verbose_json|diarized_json/.test(error.message);
      if (!isRefused || !this.#isVerbose) throw speechError(error);
    }
    this.#isVerbose = false;
    try {
      return await this.#call(pcm, options);
    } catch (error) {
      throw speechError(error);
    }
  }

  #call(pcm: Uint8Array, { language, signal, vocabulary = [], speakers = [] }: TranscribeOptions): Promise<Verbose> {
    const { apiUrl, apiKey, apiModel = "whisper-1", apiTimeoutMs = 120_000 } = this.#config;
    const body = new FormData();
    body.append("file", new File([wavOf(pcm)], "audio.wav", { type: "audio/wav" }));
    body.append("model", apiModel);
    const iso = isoOf(language);
    if (iso !== undefined) body.append("language", iso);
    const prompt = this.vocabulary ? promptOf(vocabulary) : undefined;
    if (prompt !== undefined) body.append("prompt", prompt);
    body.append("response_format", this.#format());
    if (this.speakers) {
      // Without it, anything longer than 30 s is rejected.
      body.append("chunking_strategy", "auto");
      for (const { name, pcm: sample } of speakers.slice(0, maxVoices)) {
        body.append("known_speaker_names[]", name);
        body.append("known_speaker_references[]", `data:audio/wav;base64,${Buffer.from(wavOf(sample)).toString("base64")}`);
      }
    } else if (this.#isVerbose) {
      body.append("timestamp_granularities[]", "word");
      body.append("timestamp_granularities[]", "segment");
    }
    const url = below(apiUrl, "audio/transcriptions");
    return callRemote({ url, body, key: apiKey, schema: Verbose, timeoutMs: apiTimeoutMs, signal });
  }

  #format(): string {
    if (!this.#isVerbose) return "json";
    return this.speakers ? "diarized_json" : "verbose_json";
  }
}

/** Maximum number of known voices per request. */
const maxVoices = 4;

function wavOf(pcm: Uint8Array): Uint8Array<ArrayBuffer> {
  return joinBytes([wavHeader(pcm.length / 2), pcm]);
}

function speechError(error: unknown): unknown {
  if (!(error instanceof RemoteError)) return error;
  const codes = {
    timeout: "engineTimeout",
    unreachable: "engineUnavailable",
    status: "engineFailed",
    garbage: "engineFailed",
  } as const;
  return new SpeechError(codes[error.kind], `Speech recognition: ${error.message}`, { cause: error });
}
