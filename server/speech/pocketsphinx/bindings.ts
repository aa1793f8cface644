import koffi from "koffi";
import type { HeardWord } from "./heard.ts";

/**
 * libpocketsphinx 5prealpha and libsphinxbase as Debian ships them; their headers are pocketsphinx/pocketsphinx.h,
 * sphinxbase/cmd_ln.h and sphinxbase/logmath.h.
 */
export const libraryNames = { pocketsphinx: "libpocketsphinx.so.3", sphinxbase: "libsphinxbase.so.3" } as const;

/** An address in the library's memory; null is 0. */
type Pointer = unknown;

interface Library {
  args: () => Pointer;
  init: (config: Pointer) => Pointer;
  free: (decoder: Pointer) => number;
  startStream: (decoder: Pointer) => number;
  startUtterance: (decoder: Pointer) => number;
  endUtterance: (decoder: Pointer) => number;
  processRaw: (decoder: Pointer, samples: Int16Array, count: number, noSearch: number, fullUtterance: number) => number;
  hypothesis: (decoder: Pointer, score: number[]) => string | null;
  firstSegment: (decoder: Pointer) => Pointer;
  nextSegment: (segment: Pointer) => Pointer;
  segmentWord: (segment: Pointer) => string | null;
  segmentFrames: (segment: Pointer, first: number[], last: number[]) => void;
  segmentProbability: (segment: Pointer, acoustic: number[], language: number[], backoff: number[]) => number;
  logmath: (decoder: Pointer) => Pointer;
  exponent: (logmath: Pointer, value: number) => number;
  parse: (config: Pointer, definitions: Pointer, count: number, values: string[], strict: number) => Pointer;
  freeConfig: (config: Pointer) => number;
  logTo: (path: string) => number;
  features: (decoder: Pointer) => Pointer;
  setMean: (cmn: Pointer, mean: number[]) => void;
  mean: (cmn: Pointer, mean: number[]) => void;
}

/** Cepstral coefficients of a frame. */
const coefficients = 13;
/** Where `feat_t` (sphinxbase/feat.h) holds its `cmn_t`, whose first field is the mean; on machines with 64-bit addresses. */
const cmnOffset = 88;
/** Where `cmn_t` (sphinxbase/cmn.h) holds the length of a frame: behind three addresses and a count. */
const lengthOffset = 28;

/** @throws Error when the libraries are not installed */
export function loadLibrary(): Library {
  const base = koffi.load(libraryNames.sphinxbase, { global: true });
  const sphinx = koffi.load(libraryNames.pocketsphinx);
  return {
    args: sphinx.func("void *ps_args()"),
    init: sphinx.func("void *ps_init(void *config)"),
    free: sphinx.func("int ps_free(void *ps)"),
    startStream: sphinx.func("int ps_start_stream(void *ps)"),
    startUtterance: sphinx.func("int ps_start_utt(void *ps)"),
    endUtterance: sphinx.func("int ps_end_utt(void *ps)"),
    processRaw: sphinx.func("int ps_process_raw(void *ps, const int16_t *data, size_t count, int no_search, int full_utt)"),
    hypothesis: sphinx.func("const char *ps_get_hyp(void *ps, _Out_ int32_t *score)"),
    firstSegment: sphinx.func("void *ps_seg_iter(void *ps)"),
    nextSegment: sphinx.func("void *ps_seg_next(void *seg)"),
    segmentWord: sphinx.func("const char *ps_seg_word(void *seg)"),
    segmentFrames: sphinx.func("void ps_seg_frames(void *seg, _Out_ int *first, _Out_ int *last)"),
    segmentProbability: sphinx.func(
      "int32_t ps_seg_prob(void *seg, _Out_ int32_t *acoustic, _Out_ int32_t *language, _Out_ int32_t *backoff)",
    ),
    logmath: sphinx.func("void *ps_get_logmath(void *ps)"),
    exponent: base.func("double logmath_exp(void *logmath, int value)"),
    parse: base.func("void *cmd_ln_parse_r(void *config, const void *definitions, int count, const char **values, int strict)"),
    freeConfig: base.func("int cmd_ln_free_r(void *config)"),
    logTo: base.func("int err_set_logfile(const char *path)"),
    features: sphinx.func("void *ps_get_feat(void *ps)"),
    setMean: base.func("void cmn_live_set(void *cmn, const float *mean)"),
    mean: base.func("void cmn_live_get(void *cmn, _Out_ float *mean)"),
  };
}

/** The cepstral mean of the channel; null when the library's memory layout differs. */
function cmnOf(features: Pointer): Pointer {
  const cmn: Pointer = koffi.decode(features, cmnOffset, "void *");
  return !isNull(cmn) && koffi.decode(cmn, lengthOffset, "int32_t") === coefficients ? cmn : null;
}

/** A tenth of a second: enough for some frames. */
const streamedSamples = 1_600;

/** One decoder with its model; not to be shared between threads. Every method throws when the library reports a failure. */
export class Decoder {
  readonly #library: Library;
  readonly #decoder: Pointer;
  readonly #logmath: Pointer;
  readonly #cmn: Pointer;
  /** cmd_ln keeps pointers into these. */
  readonly #values: string[];

  /** @param options as on PocketSphinx's command line, without the dash: {hmm, lm, dict, ...} */
  constructor(options: Record<string, string>) {
    this.#library = loadLibrary();
    this.#library.logTo("/dev/null");
    this.#values = Object.entries(options).flatMap(([name, value]) => [`-${name}`, value]);
    const config = this.#library.parse(null, this.#library.args(), this.#values.length, this.#values, 1);
    if (isNull(config)) throw new Error("PocketSphinx refused its options.");
    this.#decoder = this.#library.init(config);
    this.#library.freeConfig(config);
    if (isNull(this.#decoder)) throw new Error("PocketSphinx could not load its model.");
    this.#logmath = this.#library.logmath(this.#decoder);
    this.#cmn = cmnOf(this.#library.features(this.#decoder));
  }

  /**
   * Sets the cepstral mean from a sample of the channel, for the next streamed utterance. (A whole utterance
   * has its own.) The model's default is that of a good microphone close by.
   */
  adjustTo(sample: Int16Array): void {
    if (isNull(this.#cmn)) return;
    const mean = this.#meanOf(sample);
    this.#library.setMean(this.#cmn, mean);
  }

  /**
   * The same from what was heard of the recording before, as if this decoder had streamed it: what follows changes the mean, and does not
   * replace it.
   */
  adaptTo(heard: Int16Array): void {
    if (isNull(this.#cmn)) return;
    const mean = this.#meanOf(heard);
    // The library computes each mean anew until it has streamed something.
    this.startStream();
    this.startUtterance();
    this.process(new Int16Array(streamedSamples));
    this.endUtterance();
    this.#library.setMean(this.#cmn, mean);
  }

  #meanOf(sample: Int16Array): number[] {
    this.startStream();
    this.startUtterance();
    this.process(sample, { full: true });
    const mean: number[] = koffi.decode(koffi.decode(this.#cmn, 0, "void *"), 0, koffi.array("float", coefficients));
    this.endUtterance();
    return [...mean];
  }

  /** Resets noise estimate and clock: times count from here. */
  startStream(): void {
    check(this.#library.startStream(this.#decoder), "ps_start_stream");
  }

  startUtterance(): void {
    check(this.#library.startUtterance(this.#decoder), "ps_start_utt");
  }

  /** @param full the samples are the whole utterance: its cepstral mean is then computed from all of it */
  process(samples: Int16Array, { full = false }: { full?: boolean } = {}): void {
    check(this.#library.processRaw(this.#decoder, samples, samples.length, 0, full ? 1 : 0), "ps_process_raw");
  }

  endUtterance(): void {
    check(this.#library.endUtterance(this.#decoder), "ps_end_utt");
  }

  /** The words of the utterance so far. */
  get hypothesis(): string {
    return this.#library.hypothesis(this.#decoder, [0]) ?? "";
  }

  /** The words of the utterance that has ended. */
  words(): HeardWord[] {
    const words: HeardWord[] = [];
    let segment = this.#library.firstSegment(this.#decoder);
    while (!isNull(segment)) {
      const first = [0];
      const last = [0];
      this.#library.segmentFrames(segment, first, last);
      const probability = this.#library.exponent(this.#logmath, this.#library.segmentProbability(segment, [0], [0], [0]));
      words.push({
        word: this.#library.segmentWord(segment) ?? "",
        firstFrame: first[0] ?? 0,
        lastFrame: last[0] ?? 0,
        probability,
      });
      segment = this.#library.nextSegment(segment);
    }
    return words;
  }

  free(): void {
    this.#library.free(this.#decoder);
  }
}

function isNull(pointer: Pointer): boolean {
  return pointer === null || pointer === undefined || pointer === 0n;
}

function check(result: number, call: string): void {
  if (result < 0) throw new Error(`${call} failed (${result}).`);
}
