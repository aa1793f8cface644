// The cost of transcribing a 10-minute file, against one pocketsphinx_continuous over the same audio in the same run.
// Run: node_modules/.bin/node tests/bench/transcribe.ts [minutes]. Ends with code 1 when it breaks a limit.
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { decodeToPcm, openEngines, type Piece, PieceCutter, pcmRate } from "#server/speech/index.ts";
import { report } from "./figures.ts";
import { align, run, sentences, speak, wordsOf } from "./spoken.ts";

/** At most this share of pocketsphinx_continuous's wall time, on two cores. */
const limit = 0.6;
/** What is compared on both sides of a cut, in seconds. */
const nearCut = 2;

interface TimedWord {
  text: string;
  start: number;
  end: number;
}

interface Run {
  seconds: number;
  words: TimedWord[];
}

const minutes = Number(process.argv[2] ?? 10);
const folder = await mkdtemp(join(tmpdir(), "parlance-bench-"));
try {
  await bench(join(folder, "speech.wav"));
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function bench(path: string): Promise<void> {
  // Sentences are 4.1 s long on average, with the pause behind them.
  const text = sentences(Math.ceil((minutes * 60) / 4.1)).join("\n");
  await speak(text, path);
  const reference = await runReference(path);
  const { ours, pieces, audioSeconds } = await runOurs(path);

  const said = wordsOf(text);
  const ratio = ours.seconds / reference.seconds;
  const errors = (heard: Run) => (100 * align(textOf(heard), said).errors) / said.length;
  const lost = lostAtCuts(reference, ours, said, pieces);
  const summary = (run: Run) => `${run.seconds.toFixed(1)} s, ${run.words.length} words`;
  const percent = (run: Run) => `${errors(run).toFixed(1)} %`;
  const where = lost.map((word) => `${word.text} (${word.start.toFixed(2)} s)`).join(", ");
  report([
    { name: "audio", value: `${audioSeconds.toFixed(1)} s, ${said.length} words, on ${availableParallelism()} cores` },
    { name: "pocketsphinx_continuous", value: summary(reference) },
    { name: "ours", value: `${summary(ours)}, ${pieces.length} pieces` },
    {
      name: "transcribing, as a share of pocketsphinx_continuous's time",
      value: ratio.toFixed(2),
      limit: `${limit}`,
      ok: ratio <= limit,
    },
    { name: "word errors", value: percent(ours), limit: percent(reference), ok: errors(ours) <= errors(reference) },
    { name: "words lost at cuts", value: where === "" ? "0" : where, limit: "0", ok: lost.length === 0 },
  ]);
}

async function runReference(path: string): Promise<Run> {
  const begin = performance.now();
  const output = await run("pocketsphinx_continuous", ["-infile", path, "-time", "yes", "-logfn", "/dev/null"]);
  const seconds = (performance.now() - begin) / 1000;
  // "word start end probability" per line, beside the line of the whole utterance.
  const words = [...output.matchAll(/^(\S+) (\d+\.\d+) (\d+\.\d+) (\d+\.\d+)$/gm)].flatMap(([, word = "", start, end]) =>
    /^[<[+]/.test(word) ? [] : [{ text: word.replace(/\(\d+\)$/, ""), start: Number(start), end: Number(end) }],
  );
  return { seconds, words };
}

/** What a job does: decode, cut, and recognise two pieces in parallel while the rest is still being decoded. */
async function runOurs(path: string): Promise<{ ours: Run; pieces: Piece[]; audioSeconds: number }> {
  const begin = performance.now();
  const engines = await openEngines({ dataDir: folder, parallel: 2 });
  const choice = engines.forLanguage("en", "files");
  if (choice === undefined) throw new Error("No engine hears English here.");
  const cutter = new PieceCutter();
  const pieces: Piece[] = [];
  const chunks: Buffer[] = [];
  const heard: Promise<TimedWord[]>[] = [];
  const recognise = async (piece: Piece): Promise<TimedWord[]> => {
    const pcm = Buffer.concat(chunks).subarray(piece.startSample * 2, piece.endSample * 2);
    const offset = piece.startSample / pcmRate;
    const segments = await choice.engine.transcribe(pcm, { language: choice.language });
    return segments
      .flatMap((segment) => segment.words)
      .map((word) => ({ text: word.text, start: word.start + offset, end: word.end + offset }));
  };
  const take = (cut: Piece[]) => {
    pieces.push(...cut);
    heard.push(...cut.filter((piece) => piece.speech).map(recognise));
  };
  const { durationSeconds } = await decodeToPcm(path, {
    onPcm: (pcm) => {
      chunks.push(Buffer.from(pcm));
      take(cutter.push(pcm));
    },
  });
  take(cutter.finish());
  const words = (await Promise.all(heard)).flat();
  const seconds = (performance.now() - begin) / 1000;
  await engines.close();
  return { ours: { seconds, words }, pieces, audioSeconds: durationSeconds };
}

function textOf({ words }: Run): string[] {
  return words.map((word) => word.text.toLowerCase());
}

/** Words near a cut that the run without cuts has recognised and the one with cuts has not. */
function lostAtCuts(reference: Run, ours: Run, said: readonly string[], pieces: readonly Piece[]): TimedWord[] {
  const cuts = pieces.slice(1).map((piece) => piece.startSample / pcmRate);
  const uncut = align(textOf(reference), said).counterparts;
  const cut = align(textOf(ours), said).counterparts;
  return said.flatMap((_, at) => {
    const word = reference.words[uncut[at] ?? -1];
    if (word === undefined || cut[at] !== undefined) return [];
    return cuts.some((time) => word.end > time - nearCut && word.start < time + nearCut) ? [word] : [];
  });
}
