import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import type { EngineInfo, VoiceOptions } from "#contract/index.ts";
import { baseLanguage } from "#server/translation/engine.ts";
import { finishedWav } from "./espeak-wav.ts";

/** Timeout (ms): eSpeak is a hundred times faster than real time, so a longer run has hung. */
const defaultTimeout = 20_000;
/** Words per minute at rate 1. */
const wordsPerMinute = 175;
/** Largest output (bytes). 2,000 characters at half speed are about 11 MB; far more is an error. */
const maxBytes = 64 * 1024 * 1024;

export interface Speaking {
  text: string;
  /** The page's language code: "es-ES", "pt-br", "zh-TW". */
  language: string;
  /** 1 is the voice's normal speed. */
  rate: number;
  /** The account that requests the speech. */
  person: string;
  signal?: AbortSignal | undefined;
}

/** Text-to-speech. */
export interface SpeechSynthesizer {
  /** Two-letter codes, sorted; undefined when no engine is available. */
  readonly languages: readonly string[] | undefined;
  supports(language: string): boolean;
  /**
   * @returns a WAV file
   * @throws SpeakingError; the signal's reason when it is aborted
   */
  speak(speaking: Speaking): Promise<Buffer>;
  /**
   * Like `speak`, but yields each sentence as it is ready: a WAV file whose header has no length. Absent: no streaming.
   * @throws SpeakingError; the signal's reason when it is aborted
   */
  stream?(speaking: Speaking): AsyncIterable<Buffer>;
  /** Languages with more than one voice. Absent: there is no choice. */
  options?(): VoiceOptions[];
  /** The available engines, and those that could be installed. Absent: only eSpeak NG. */
  infos?(): EngineInfo[];
}

/** The entry for eSpeak NG in the administration. */
export function espeakInfo({ languages }: SpeechSynthesizer): EngineInfo {
  const info: EngineInfo = { id: "espeak", name: "eSpeak NG", offline: true, available: languages !== undefined };
  return info.available ? info : { ...info, detail: "espeak-ng is not installed." };
}

/** The synthesis timed out, or failed. */
export class SpeakingError extends Error {
  override readonly name = "SpeakingError";
  readonly late: boolean;
  constructor(message: string, options: ErrorOptions & { late?: boolean } = {}) {
    super(message, options);
    this.late = options.late ?? false;
  }
}

export interface EspeakConfig {
  /** Default "espeak-ng", looked up in PATH. */
  program?: string;
  /** Timeout of one text, in milliseconds. */
  timeoutMs?: number;
}

/** eSpeak NG, one process per text; works offline. */
export async function openEspeak({
  program = "espeak-ng",
  timeoutMs = defaultTimeout,
}: EspeakConfig = {}): Promise<SpeechSynthesizer> {
  const voices = await listVoices(program);
  const codes = new Set([...voices.keys()].map(baseLanguage).filter((code) => code.length === 2));
  const voiceFor = (language: string) => voices.get(language.toLowerCase()) ?? voices.get(baseLanguage(language));
  return {
    languages: voices.size === 0 ? undefined : [...codes].sort(),
    supports: (language) => voiceFor(language) !== undefined,
    speak: async ({ text, language, rate, signal }) => {
      const voice = voiceFor(language);
      if (voice === undefined) throw new SpeakingError(`No voice speaks "${language}".`);
      const speed = Math.round(wordsPerMinute * rate);
      const limit = AbortSignal.timeout(timeoutMs);
      const either = signal === undefined ? limit : AbortSignal.any([signal, limit]);
      const args = ["-v", voice.name, "-s", String(speed), "-b", "1", "--stdin", "--stdout"];
      try {
        return finishedWav(await run(program, args, plain(text), either));
      } catch (error) {
        signal?.throwIfAborted();
        throw limit.aborted ? new SpeakingError("eSpeak took too long.", { late: true }) : error;
      }
    },
  };
}

interface Voice {
  name: string;
  /** The lowest value is preferred within a language. */
  priority: number;
}

/** The voice of each language code, lower case; empty when the program is missing. */
async function listVoices(program: string): Promise<Map<string, Voice>> {
  const listing = await new Promise<string>((resolve) => {
    execFile(program, ["--voices"], { timeout: 10_000, killSignal: "SIGKILL" }, (error, output) =>
      resolve(error === null ? output : ""),
    );
  });
  const voices = new Map<string, Voice>();
  for (const line of listing.split("\n").slice(1)) {
    const [, priority, name = ""] = /^\s*(\d+)\s+(\S+)\s/.exec(line) ?? [];
    if (priority === undefined) continue;
    const others = [...line.matchAll(/\(([\w-]+) (\d+)\)/g)].map(([, code = "", rank]) => [code, Number(rank)] as const);
    for (const [code, rank] of [[name, Number(priority)] as const, ...others]) {
      const known = voices.get(code.toLowerCase());
      if (known === undefined || rank < known.priority) voices.set(code.toLowerCase(), { name, priority: rank });
    }
  }
  return voices;
}

/** Removes double brackets, which would be read as phonemes, and control characters, which end the input. */
export function plain(text: string): string {
  return text
    .replace(/[\p{Cc}\u2028\u2029]+/gu, " ")
    .replaceAll("[[", "[ [")
    .trim();
}

async function run(program: string, args: string[], input: string, signal: AbortSignal): Promise<Buffer> {
  const env = { PATH: process.env.PATH, LC_ALL: "C.UTF-8" };
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "ignore"], env, signal, killSignal: "SIGKILL" });
  // An early exit is reported by the exit code.
  child.stdin.on("error", () => undefined);
  const chunks: Buffer[] = [];
  let bytes = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes <= maxBytes) chunks.push(chunk);
    else child.kill("SIGKILL");
  });
  child.stdin.end(input);
  const [code] = await once(child, "close");
  if (bytes > maxBytes) throw new SpeakingError("eSpeak does not stop speaking.");
  if (code !== 0) throw new SpeakingError(`eSpeak ended with code ${code}.`);
  return Buffer.concat(chunks);
}
