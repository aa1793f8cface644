import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { piecesOf } from "./sentence-pieces.ts";

/** A real vocabulary of 32,000 pieces from Mozilla's Spanish-English model (MPL-2.0; see LICENCE.md beside it). */
const vocabularyFile = new URL("../../fixtures/translation/vocab.esen.spm.gz", import.meta.url);

/** Length of a word's vector; a multiple of 64, for the kernels. */
const width = 192;
/**
 * Marian's position signal has this many frequencies: the first half of the vector holds their sines, the second their
 * cosines.
 */
const frequencies = width / 2;
/** The fast frequencies tell positions apart. The slow ones are free, so the words are encoded there. */
const slow = 24;

export interface TinyModel {
  /** "en" or "es", as in the files' names. */
  source: string;
  target: string;
  /** Pieces of the vocabulary that are swapped ("▁house": "▁casa"). Every other piece is translated as itself. */
  words?: Record<string, string>;
}

/**
 * Writes a model that Firefox's real engine loads: a transformer with one decoder layer in Marian's binary format,
 * quantized to 8 bits like Mozilla's models. The weights are computed, not trained, so that the model translates word
 * by word. The decoder's attention looks at the word in its own place (by the position signal). The output is that
 * word's vector with its two halves exchanged. A word with equal halves is translated as itself; two words with each
 * other's halves are swapped.
 */
export async function writeTinyMarian(folder: string, { source, target, words = {} }: TinyModel): Promise<void> {
  await mkdir(folder, { recursive: true });
  const key = JSON.stringify(words);
  const { vocabulary, model, list } = computed.get(key) ?? (await compute(words));
  computed.set(key, { vocabulary, model, list });
  const name = `${source}${target}`;
  await writeFile(join(folder, `vocab.${name}.spm`), vocabulary);
  await writeFile(join(folder, `model.${name}.intgemm.alphas.bin`), model);
  await writeFile(join(folder, `lex.50.50.${name}.s2t.bin`), list);
}

/** By the swapped words: only the file names depend on the languages. */
const computed = new Map<string, Awaited<ReturnType<typeof compute>>>();

async function compute(words: Record<string, string>) {
  const vocabulary = gunzipSync(await readFile(vocabularyFile));
  const pieces = piecesOf(vocabulary);
  return { vocabulary, model: marianFile(tensors(pieces, words)), list: shortlist(pieces, words) };
}

interface Item {
  name: string;
  /** Marian's type number: 0x101 int8, 0x404 float32, 0x4101 int8 with a factor at the end. */
  type: 0x101 | 0x404 | 0x4101;
  shape: [number, number];
  data: Buffer;
}

function tensors(pieces: readonly string[], words: Record<string, string>): Item[] {
  const zeros = new Float32Array(width * width);
  const attention = "decoder_l1_context";
  return [
    quantised("Wemb", [pieces.length, width], embeddings(pieces, words), { isTransposed: false }),
    plain("decoder_ff_logit_out_b", new Float32Array(pieces.length)),
    // The decoder's memory of its own output is empty.
    ...dense("decoder_l1_rnn", "_W", "_none", zeros, 16).slice(0, 2),
    ...dense("decoder_l1_rnn", "_Wf", "_bf", zeros, 16),
    ...dense(
      attention,
      "_Wq",
      "_bq",
      diagonal((at) => (isPosition(at) ? 8 : 0)),
      16,
    ),
    ...dense(
      attention,
      "_Wk",
      "_bk",
      diagonal((at) => (isPosition(at) ? 8 : 0)),
      16,
    ),
    ...dense(
      attention,
      "_Wv",
      "_bv",
      diagonal((at) => (isPosition(at) ? 0 : 1)),
      16,
    ),
    ...dense(attention, "_Wo", "_bo", exchange(4), 16),
    ...dense("decoder_l1_ffn", "_W1", "_b1", zeros, 64),
    ...dense("decoder_l1_ffn", "_W2", "_b2", zeros, 64),
    alpha("none", 64),
    alpha("Wemb", 64),
    { name: "special:model.yml", type: 0x101, shape: [1, configuration.length + 1], data: Buffer.from(`${configuration}\0`) },
  ];
}

function isPosition(at: number): boolean {
  return at % frequencies < slow;
}

/** Random signs, equal in both halves; the words of a pair have each other's halves. */
function embeddings(pieces: readonly string[], words: Record<string, string>): Float32Array {
  const vectors = new Float32Array(pieces.length * width);
  const random = randomNumbers(7);
  const size = frequencies - slow;
  const signs = () => Float32Array.from({ length: size }, () => (random() < 0.5 ? -1 : 1));
  const put = (piece: number, first: Float32Array, second: Float32Array) => {
    vectors.set(first, piece * width + slow);
    vectors.set(second, piece * width + frequencies + slow);
  };
  for (let piece = 0; piece < pieces.length; piece += 1) {
    const same = signs();
    put(piece, same, same);
  }
  for (const [one, other] of Object.entries(words)) {
    const [first, second] = [signs(), signs()];
    put(pieceAt(pieces, one), first, second);
    put(pieceAt(pieces, other), second, first);
  }
  return vectors;
}

function pieceAt(pieces: readonly string[], piece: string): number {
  const at = pieces.indexOf(piece);
  if (at < 0) throw new Error(`"${piece}" is no piece of the vocabulary.`);
  return at;
}

function diagonal(value: (at: number) => number): Float32Array {
  const matrix = new Float32Array(width * width);
  for (let at = 0; at < width; at += 1) matrix[at * width + at] = value(at);
  return matrix;
}

/**
 * Swaps a word's halves and amplifies the result, so that the word before it, which is still present, doesn't matter.
 */
function exchange(strength: number): Float32Array {
  const matrix = new Float32Array(width * width);
  for (let at = 0; at < width; at += 1) if (!isPosition(at)) matrix[at * width + ((at + frequencies) % width)] = strength;
  return matrix;
}

/** A layer: weights, the largest expected input (its "alpha"), and a bias of zero. */
function dense(prefix: string, weights: string, bias: string, values: Float32Array, largest: number): Item[] {
  return [
    quantised(`${prefix}${weights}`, [width, width], values, { isTransposed: true }),
    alpha(`${prefix}${weights}`, largest),
    plain(`${prefix}${bias}`, new Float32Array(width)),
  ];
}

function alpha(name: string, largest: number): Item {
  return plain(`${name}_QuantMultA`, Float32Array.of(127 / largest));
}

function plain(name: string, values: Float32Array): Item {
  return { name, type: 0x404, shape: [1, values.length], data: Buffer.from(values.buffer) };
}

/** 8-bit weights followed by their factor. Weights of layers are transposed. */
function quantised(
  name: string,
  shape: [number, number],
  values: Float32Array,
  { isTransposed }: { isTransposed: boolean },
): Item {
  const [rows, columns] = shape;
  let largest = 0;
  for (const value of values) largest = Math.max(largest, Math.abs(value));
  const factor = 127 / (largest || 1);
  const data = Buffer.alloc(values.length + 4);
  const bytes = new Int8Array(data.buffer, data.byteOffset, values.length);
  for (let row = 0; row < rows; row += 1) {
    for (let column = 0; column < columns; column += 1) {
      const value = Math.round((values[row * columns + column] ?? 0) * factor);
      bytes[isTransposed ? column * rows + row : row * columns + column] = value;
    }
  }
  data.writeFloatLE(factor, values.length);
  return { name, type: 0x4101, shape, data };
}

/**
 * Marian's binary format: the headers of all items, their names and shapes, and from a multiple of 256 bytes on their
 * data.
 */
function marianFile(items: readonly Item[]): Buffer {
  const padded = items.map(({ data }) => Buffer.concat([data, Buffer.alloc(-data.length & 255)]));
  const headers = items.map(({ name, type, shape }, at) => longs(name.length + 1, type, shape.length, padded[at]?.length ?? 0));
  const names = items.map(({ name }) => Buffer.from(`${name}\0`));
  const shapes = items.map(({ shape }) => Buffer.from(Int32Array.from(shape).buffer));
  const head = Buffer.concat([longs(1, items.length), ...headers, ...names, ...shapes]);
  const gap = -(head.length + 8) & 255;
  return Buffer.concat([head, longs(gap), Buffer.alloc(gap), ...padded]);
}

/** A binary shortlist: the suggested target words of each source word. The 96 most common words are always included. */
function shortlist(pieces: readonly string[], words: Record<string, string>): Buffer {
  const other = new Map<number, number>();
  for (const [one, another] of Object.entries(words)) {
    const [first, second] = [pieceAt(pieces, one), pieceAt(pieces, another)];
    other.set(first, second).set(second, first);
  }
  const lists = pieces.map((_, at) => other.get(at) ?? at);
  const offsets = BigUint64Array.from({ length: pieces.length + 1 }, (_, at) => BigInt(at));
  const body = Buffer.concat([
    longs(96, 50, offsets.length, lists.length),
    Buffer.from(offsets.buffer),
    Buffer.from(Uint32Array.from(lists).buffer),
  ]);
  return Buffer.concat([Buffer.from(BigUint64Array.of(0xf11a48d5013417f5n, hashOf(body)).buffer), body]);
}

/** Marian's checksum over 64-bit numbers (boost's hash_combine). */
function hashOf(body: Buffer): bigint {
  let seed = 0n;
  const mask = 0xffff_ffff_ffff_ffffn;
  for (let at = 0; at + 8 <= body.length; at += 8) {
    const value = body.readBigUInt64LE(at);
    seed ^= (value + 0x9e3779b9n + ((seed << 6n) & mask) + (seed >> 2n)) & mask;
  }
  return seed;
}

function longs(...numbers: number[]): Buffer {
  return Buffer.from(BigUint64Array.from(numbers, BigInt).buffer);
}

/** The same numbers from 0 to 1 in every run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** As in a trained Marian model, without the settings for training. */
const configuration = `type: transformer
dim-vocabs: [32000, 32000]
dim-emb: ${width}
dim-rnn: 1024
enc-depth: 0
dec-depth: 1
enc-cell: gru
dec-cell: ssru
enc-type: bidirectional
enc-cell-depth: 1
dec-cell-base-depth: 2
dec-cell-high-depth: 1
input-types: []
layer-normalization: false
lemma-dim-emb: 0
output-omit-bias: false
right-left: false
skip: false
special-vocab: []
tied-embeddings: false
tied-embeddings-all: true
tied-embeddings-src: false
transformer-aan-activation: swish
transformer-aan-depth: 2
transformer-aan-nogate: false
transformer-decoder-autoreg: rnn
transformer-dim-aan: 2048
transformer-dim-ffn: ${width}
transformer-ffn-activation: relu
transformer-ffn-depth: 2
transformer-guided-alignment-layer: last
transformer-heads: 1
transformer-no-projection: false
transformer-pool: false
transformer-postprocess: a
transformer-postprocess-emb: d
transformer-postprocess-top: ""
transformer-preprocess: ""
transformer-tied-layers: []
transformer-train-position-embeddings: false
ulr: false
ulr-dim-emb: 0
ulr-trainable-transformation: false
`;
