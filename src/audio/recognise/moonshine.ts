import { pcmRate } from "#speech/bytes.ts";
import { nextTask } from "#src/browser/next-task.ts";
import { RecogniserError } from "./failure.ts";
import {
  discardTensors,
  flagTensor,
  floatTensor,
  inTurn,
  loadModel,
  type Model,
  numbersOf,
  type Tensors,
  tensorOf,
  wholeTensor,
} from "./runtime.ts";
import { readTokens } from "./tokens.ts";

/** The files of the model, as in `server/speech/assets/moonshine-tiny-en`. */
export type MoonshineFile = "encoder" | "decoder" | "tokens";

const startToken = 1;
const endToken = 2;
/** Samples for each frame of the encoder, whose convolutions have strides of 64, 3 and 2. */
const samplesPerFrame = 384;
/** The encoder's convolutions need 895 samples for one frame. Less audio contains no word. */
const fewestSamples = 0.1 * pcmRate;
/**
 * Moonshine's own limit, which ends loops (core/moonshine-model.cpp in github.com/moonshine-ai/moonshine; its models
 * write at most 30 s × 6.5 tokens). The spare tokens are for short audio, such as one word in half a second.
 */
const tokensPerSecond = 6.5;
const spareTokens = 5;

/** The recognized text. */
export interface Understood {
  text: string;
  /** The same text as the model's tokens. */
  tokens: readonly number[];
}

interface RecognizeOptions {
  /** Tokens with which the text certainly begins. They are not decoded again, which saves half of the work. */
  begun?: readonly number[];
  /** Checked once, halfway. */
  signal?: AbortSignal;
}

/** Moonshine, an encoder and decoder for English that take raw audio. */
export interface Moonshine {
  /**
   * @param samples 16,000 Hz, mono, from -1 to 1; at most 20 s, for the work grows faster than the length
   * @throws the signal's reason when it is aborted
   */
  recognize(samples: Float32Array, options?: RecognizeOptions): Promise<Understood>;
  close(): Promise<void>;
}

/**
 * @param read returns a file, whose memory is transferred. Called for one file at a time, because each is large
 * @throws RecogniserError `brokenModel`
 */
export async function openMoonshine(read: (file: MoonshineFile) => Promise<Uint8Array<ArrayBuffer>>): Promise<Moonshine> {
  const tokens = readTokens(await read("tokens"));
  // Loads the larger one first, because WebAssembly's memory never shrinks, and so grows less.
  const decoder = await loadModel("The decoder", await read("decoder"));
  const encoder = await read("encoder")
    .then((file) => loadModel("The encoder", file))
    .catch(async (error: unknown) => {
      await decoder.close();
      throw error;
    });
  return {
    recognize: async (samples, { begun = [], signal } = {}) => {
      if (samples.length < fewestSamples) return { text: "", tokens: [] };
      const encoded = await encode(encoder, samples);
      let written: number[];
      try {
        // Lets messages in, because onnxruntime's calls block the thread.
        await nextTask();
        signal?.throwIfAborted();
        const most = Math.ceil((samples.length / pcmRate) * tokensPerSecond) + spareTokens;
        written = await decode(decoder, encoded, { begun, most });
      } finally {
        discardTensors(encoded);
      }
      if (written.some((token) => token >= tokens.count))
        throw new RecogniserError("brokenModel", "The tokens are of another model.");
      return { text: tokens.textOf(written), tokens: written };
    },
    close: async () => {
      await Promise.all([encoder.close(), decoder.close()]);
    },
  };
}

/** Encodes the audio for the decoder. */
async function encode(encoder: Model, samples: Float32Array): Promise<Tensors> {
  const ones = new BigInt64Array(samples.length).fill(1n);
  const inputs = { input_values: floatTensor(samples, [1, samples.length]), attention_mask: wholes(ones) };
  const outputs = await inTurn(() => encoder.run(inputs));
  const states = tensorOf(outputs, "last_hidden_state");
  const [, frames = 0] = states.dims;
  // The mask has one number for each sample of the frames, not for each frame.
  return { encoder_hidden_states: states, encoder_attention_mask: wholes(ones.subarray(0, frames * samplesPerFrame)) };
}

interface DecodeOptions {
  begun: readonly number[];
  /** The maximum number of tokens. */
  most: number;
}

/** Greedy decoding: writes the most likely token, then the most likely one after it, until the end. */
async function decode(decoder: Model, encoded: Tensors, { begun, most }: DecodeOptions): Promise<number[]> {
  // The encoder's part of the cache stays as the first step has returned it. Fetching it each time would copy 10 MB.
  const changing = decoder.outputs.filter((name) => !name.includes(".encoder."));
  const written = [...begun];
  let past = emptyCaches(decoder);
  let next = [startToken, ...begun];
  try {
    for (let isFirst = true; written.length < most; isFirst = false) {
      const input_ids = wholes(BigInt64Array.from(next, BigInt));
      const inputs = { input_ids, use_cache_branch: flagTensor(!isFirst), ...encoded, ...past };
      const outputs = await inTurn(() => decoder.run(inputs, isFirst ? decoder.outputs : changing));
      const scores = tensorOf(outputs, "logits");
      const token = likeliest(numbersOf(scores).subarray(-(scores.dims.at(-1) ?? 0)));
      const caches = cachesIn(outputs);
      const replaced = Object.entries(past).filter(([name]) => name in caches);
      discardTensors({ scores, ...Object.fromEntries(replaced) });
      past = { ...past, ...caches };
      if (token === endToken) break;
      written.push(token);
      next = [token];
    }
  } finally {
    discardTensors(past);
  }
  return written;
}

/** Empty caches for the first step, which ignores them: eight heads of 36 numbers each, for no audio. */
function emptyCaches(decoder: Model): Tensors {
  const names = decoder.inputs.filter((name) => name.startsWith("past_key_values."));
  return Object.fromEntries(names.map((name) => [name, floatTensor(new Float32Array(0), [0, 8, 1, 36])]));
}

/** A step's output caches, under the names of the next step's inputs. */
function cachesIn(outputs: Tensors): Tensors {
  const named = Object.entries(outputs).filter(([name]) => name.startsWith("present."));
  return Object.fromEntries(named.map(([name, tensor]) => [name.replace("present", "past_key_values"), tensor]));
}

const wholes = (numbers: BigInt64Array) => wholeTensor(numbers, [1, numbers.length]);

function likeliest(scores: Float32Array): number {
  let best = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let at = 0; at < scores.length; at += 1) {
    const score = scores[at] ?? 0;
    if (score > highest) [best, highest] = [at, score];
  }
  return best;
}
