// A process of its own that holds PocketSphinx: native code that crashes takes only itself along.
// Argument: the model folder.
import { join } from "node:path";
import { serve } from "../process/serve.ts";
import { samplesOf } from "../vad.ts";
import { Decoder } from "./bindings.ts";

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
 * 0.2 % of theirs in three quarters of the time. With maxhmmpf 3000 it is a tenth faster still, and mishears "talked about".
 */
const careful = { maxhmmpf: "5000", maxwpf: "10", pbeam: "1e-46", lpbeam: "1e-38", fwdflatsfwin: "15" };
/** For interim text, which is replaced a moment later: one pass, a third of the time, about half as many errors again. */
const quick = { fwdflat: "no", bestpath: "no", maxhmmpf: "2000", maxwpf: "10", topn: "2", ds: "2" };

const decoder = new Decoder({ ...model, ...careful });
/** Made when interim text is first wanted: 90 MB that work on files does without. */
let interim: Decoder | undefined;
let isInterimRunning = false;

function begin(): Decoder {
  interim ??= new Decoder({ ...model, ...quick });
  if (isInterimRunning) interim.endUtterance();
  interim.startUtterance();
  isInterimRunning = true;
  return interim;
}

serve({
  transcribe: (pcm) => {
    decoder.startStream();
    decoder.startUtterance();
    decoder.process(samplesOf(pcm), { full: true });
    decoder.endUtterance();
    return decoder.words();
  },
  begin: () => {
    begin();
  },
  feed: (_stream, pcm) => {
    const running = isInterimRunning && interim !== undefined ? interim : begin();
    running.process(samplesOf(pcm));
    return running.hypothesis;
  },
  // Lent to one dictation at a time: the next `begin` clears up.
  forget: () => undefined,
});
