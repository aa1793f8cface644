// A process of its own that holds PocketSphinx: native code that crashes takes only itself along. Ends with its standard input.
// Argument: the model folder.
import { join } from "node:path";
import { samplesOf } from "../vad.ts";
import { Decoder } from "./bindings.ts";
import { type Answer, type HeardWord, type Request, RequestReader } from "./protocol.ts";

const folder = process.argv[2] ?? "";

const model = {
  hmm: join(folder, "en-us"),
  lm: join(folder, "en-us.lm.bin"),
  dict: join(folder, "cmudict-en-us.dict"),
  // What is silent has been cut away before, and frames that it drops would put the words' times wrong.
  remove_silence: "no",
};

/**
 * Narrower than PocketSphinx's defaults. On 13 minutes of flite (two voices, one also with pink noise) the word errors stayed within
 * 0.2 % of theirs in three quarters of the time.
 */
const careful = { maxhmmpf: "5000", maxwpf: "10", pbeam: "1e-46", lpbeam: "1e-38" };
/** For interim text, which is replaced a moment later: one pass, a third of the time, about half as many errors again. */
const quick = { fwdflat: "no", bestpath: "no", maxhmmpf: "2000", maxwpf: "10", topn: "2", ds: "2" };

const decoder = new Decoder({ ...model, ...careful });
/** Made when interim text is first wanted: 90 MB that work on files does without. */
let interim: Decoder | undefined;
let isInterimRunning = false;

function transcribe(pcm: Buffer): HeardWord[] {
  decoder.startStream();
  decoder.startUtterance();
  decoder.process(samplesOf(pcm), { full: true });
  decoder.endUtterance();
  return decoder.words();
}

function begin(): void {
  interim ??= new Decoder({ ...model, ...quick });
  if (isInterimRunning) interim.endUtterance();
  interim.startUtterance();
  isInterimRunning = true;
}

function feed(pcm: Buffer): string {
  if (!isInterimRunning) begin();
  interim?.process(samplesOf(pcm));
  return interim?.hypothesis ?? "";
}

function handle({ kind, id, pcm }: Request): void {
  try {
    if (kind === "transcribe") answer({ id, words: transcribe(pcm) });
    else if (kind === "feed") answer({ id, text: feed(pcm) });
    else begin();
  } catch (error) {
    answer({ id, error: error instanceof Error ? error.message : String(error) });
  }
}

function answer(message: Answer): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}

const reader = new RequestReader();
process.stdin.on("data", (chunk: Buffer) => {
  for (const request of reader.push(chunk)) handle(request);
});
// The server has gone, or has no more need of this process.
process.stdin.on("end", () => process.exit(0));
process.stdout.on("error", () => process.exit(0));
answer({ ready: true });
