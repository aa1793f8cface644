// A process that holds PocketSphinx: a crash of native code ends only this process.
// Argument: the model folder.
import { join } from "node:path";
import { pcmRate } from "../engine.ts";
import { serve } from "../process/serve.ts";
import { samplesOf } from "../vad.ts";
import { Decoder } from "./bindings.ts";

const folder = process.argv[2] ?? "";

const model = {
  hmm: join(folder, "en-us"),
  lm: join(folder, "en-us.lm.bin"),
  dict: join(folder, "cmudict-en-us.dict"),
  // Silence has been removed before, and frames that it drops would shift the words' times.
  remove_silence: "no",
};

/**
 * Narrower than PocketSphinx's defaults. On 13 minutes of flite (two voices, one also with pink noise) the word errors stayed within
 * 0.2 % of theirs in three quarters of the time. With maxhmmpf 3000 it is a tenth faster still, and mishears "talked about".
 */
const careful = { maxhmmpf: "5000", maxwpf: "10", pbeam: "1e-46", lpbeam: "1e-38", fwdflatsfwin: "15" };
/**
 * Audio for estimating the cepstral mean (samples): 0.8 s, more was no better, from the beginning of the voice: digital silence
 * before it makes it worse.
 */
const telling = 0.8 * pcmRate;
const quiet = 0.3 * pcmRate;

const decoder = new Decoder({ ...model, ...careful });

/**
 * Block size for the library (bytes): it adapts the cepstral mean from call to call, so the same audio in
 * other blocks would give other words.
 */
const block = 0.08 * pcmRate * 2;

/** The streamed utterance: decoding begins when there is enough audio for its cepstral mean. */
let waiting = Buffer.alloc(0);
let isRunning = false;

/** Decodes the complete blocks of the buffer, or all of it. */
function decode(end: number): void {
  let from = 0;
  for (; from + block <= end; from += block) decoder.process(samplesOf(waiting.subarray(from, from + block)));
  if (end === waiting.length && from < end) {
    decoder.process(samplesOf(waiting.subarray(from, end)));
    from = end;
  }
  waiting = waiting.subarray(from);
}

const wholeBlocks = () => waiting.length - (waiting.length % block);

function run(): void {
  const sound = samplesOf(waiting);
  decoder.adjustTo(sound.length < quiet + telling / 2 ? sound : sound.subarray(quiet, quiet + telling));
  decoder.startStream();
  decoder.startUtterance();
  isRunning = true;
}

function stop(): void {
  if (isRunning) decoder.endUtterance();
  isRunning = false;
  waiting = Buffer.alloc(0);
}

serve({
  transcribe: (pcm) => {
    stop();
    decoder.startStream();
    decoder.startUtterance();
    decoder.process(samplesOf(pcm), { full: true });
    decoder.endUtterance();
    return decoder.words();
  },
  begin: (_stream, _language, _wishes, heard) => {
    stop();
    if (heard.length > 0) decoder.adaptTo(samplesOf(heard));
  },
  feed: (_stream, pcm) => {
    waiting = Buffer.concat([waiting, pcm]);
    if (!isRunning && waiting.length / 2 < quiet + telling) return "";
    if (!isRunning) run();
    decode(wholeBlocks());
    return decoder.hypothesis;
  },
  finish: () => {
    if (!isRunning && waiting.length > 0) run();
    if (!isRunning) return [];
    decode(waiting.length);
    isRunning = false;
    decoder.endUtterance();
    return decoder.words();
  },
  // Used by one dictation at a time: the next `begin` resets it.
  discard: () => undefined,
});
