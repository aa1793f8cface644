import { type Segment, speechLanguages } from "#contract/index.ts";
import { isLoopbackHost } from "#server/http/loopback.ts";
import { type OptionalField, refusalOf, rememberRefusals } from "#server/http/optional-fields.ts";
import { below, callRemote, RemoteError, withAdvice } from "#server/http/remote.ts";
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
import { parseSpoken, SpokenAnswer } from "./spoken-answer.ts";
import { segmentsFromAnswer } from "./spoken-segments.ts";
import { wavHeader } from "./wav.ts";

export interface OpenAiConfig {
  /** "https://api.openai.com/v1" */
  apiUrl: string;
  apiKey?: string | undefined;
  /** Default "whisper-1". */
  apiModel?: string | undefined;
  /** Timeout of one piece of audio, in milliseconds. Default 120,000. */
  apiTimeoutMs?: number | undefined;
  /** Detects voices in noise. Default: by energy. */
  activity?: VoiceActivity | undefined;
  /** Called when a voice got no text. */
  onNotUnderstood?: NotUnderstood | undefined;
}

/** Concurrent requests: another machine does the processing, and four keep the connection busy. */
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
  readonly #askWithout = rememberRefusals();

  constructor(config: OpenAiConfig) {
    this.#config = config;
    const { hostname } = new URL(config.apiUrl);
    this.name = `${config.apiModel ?? "whisper-1"} (${hostname})`;
    this.offline = isLoopbackHost(hostname);
    // OpenAI's diarizing model takes no prompt.
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
    return segmentsFromAnswer(answer, voice.durationSeconds).map((segment) => shifted(segment, voice.offset));
  }

  async #ask(pcm: Uint8Array, options: TranscribeOptions): Promise<SpokenAnswer> {
    const iso = isoOf(options.language);
    const prompt = this.vocabulary ? promptOf(options.vocabulary ?? []) : undefined;
    const fields = [
      ...(this.speakers ? [] : [times]),
      detailed,
      plain,
      ...(prompt === undefined ? [] : [promptField]),
      ...(iso === undefined ? [] : [languageField(iso)]),
    ];
    try {
      return await this.#askWithout(fields, (leftOut) => this.#call(pcm, options, { iso, prompt, leftOut }));
    } catch (error) {
      throw speechError(error);
    }
  }

  #call(
    pcm: Uint8Array,
    { signal, speakers = [] }: TranscribeOptions,
    { iso, prompt, leftOut }: { iso: string | undefined; prompt: string | undefined; leftOut: ReadonlySet<string> },
  ): Promise<SpokenAnswer> {
    const { apiUrl, apiKey, apiModel = "whisper-1", apiTimeoutMs = 120_000 } = this.#config;
    const body = new FormData();
    body.append("file", new File([wavOf(pcm)], "audio.wav", { type: "audio/wav" }));
    body.append("model", apiModel);
    if (iso !== undefined && !leftOut.has(languageField(iso).key)) body.append("language", iso);
    if (prompt !== undefined && !leftOut.has(promptField.key)) body.append("prompt", prompt);
    const isDetailed = !leftOut.has(detailed.key);
    if (isDetailed) body.append("response_format", this.speakers ? "diarized_json" : "verbose_json");
    else if (!leftOut.has(plain.key)) body.append("response_format", "json");
    if (this.speakers) {
      // Without this field, OpenAI rejects anything longer than 30 s.
      body.append("chunking_strategy", "auto");
      for (const { name, pcm: sample } of speakers.slice(0, maxVoices)) {
        body.append("known_speaker_names[]", name);
        body.append("known_speaker_references[]", `data:audio/wav;base64,${Buffer.from(wavOf(sample)).toString("base64")}`);
      }
    } else if (isDetailed && !leftOut.has(times.key)) {
      body.append("timestamp_granularities[]", "word");
      body.append("timestamp_granularities[]", "segment");
    }
    const call = { url: below(apiUrl, "audio/transcriptions"), body, key: apiKey, timeoutMs: apiTimeoutMs, signal };
    return callRemote({ ...call, schema: SpokenAnswer, wanted: "a transcription", parse: parseSpoken });
  }
}

/** Some servers give no word times, or no times at all (gpt-4o-transcribe), or offer no choice of formats. */
const times: OptionalField = { key: "timestamp_granularities", pattern: /timestamp_granularit/ };
const formats = /response_format|verbose_json|diarized_json/;
const detailed: OptionalField = { key: "verbose_json", pattern: formats };
const plain: OptionalField = { key: "json", pattern: formats };
const promptField: OptionalField = { key: "prompt", pattern: refusalOf("prompt") };
/** The server may know other languages, so only this one is left out. */
const languageField = (iso: string): OptionalField => ({ key: `language=${iso}`, pattern: refusalOf("language") });

const variables = ["SPEECH_API_URL", "SPEECH_API_KEY", "SPEECH_API_MODEL"];

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
  return new SpeechError(codes[error.kind], `Speech recognition: ${withAdvice(error, variables)}`, { cause: error });
}
