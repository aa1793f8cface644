import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/**
 * A SenseVoice model of 2 kB for sherpa-onnx that knows one word and hears it wherever it is loud: real loading, features, decoding
 * and times, without hundreds of megabytes. Its graph: logits = concat(four marks, x) · weights + bias, where the word wins over
 * the blank when the mean of the first frame's 80 features is above zero. The four marks (language, emotion, event, style) are what
 * SenseVoice puts first and sherpa-onnx takes away. Field numbers are those of onnx.proto.
 */
export async function writeTinyModel(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "model.onnx"), tinyModel());
  await writeFile(join(folder, "tokens.txt"), "<blk> 0\n▁hey 1\n<|en|> 2\n<|mark|> 3\n");
}

const features = 560;
const vocabulary = 4;
/** log energies: above this it is loud */
const loud = 10;

function tinyModel(): Buffer {
  const weights = new Float32Array(features * vocabulary);
  for (let feature = 0; feature < 80; feature += 1) weights[feature * vocabulary + 1] = 1 / 80;
  // Sound's own features are far too small for this.
  weights[100 * vocabulary + 2] = 1e-3;
  weights[101 * vocabulary + 3] = 1e-3;
  const bias = Float32Array.of(0, 0, -1, -1);
  const marks = new Float32Array(4 * features);
  for (let mark = 0; mark < 4; mark += 1) marks[mark * features + 100 + (mark % 2)] = 1e6;
  const graph = Buffer.concat([
    bytes(1, node("Concat", ["marks", "x"], ["all"], Buffer.concat([text(1, "axis"), integer(3, 1), integer(20, 2)]))),
    bytes(1, node("MatMul", ["all", "weights"], ["product"])),
    bytes(1, node("Add", ["product", "bias"], ["logits"])),
    text(2, "tiny"),
    bytes(5, tensor("marks", [1, 4, features], marks)),
    bytes(5, tensor("weights", [features, vocabulary], weights)),
    bytes(5, tensor("bias", [vocabulary], bias)),
    bytes(11, value("x", 1, ["N", "T", features])),
    ...["x_length", "language", "text_norm"].map((name) => bytes(11, value(name, 6, ["N"]))),
    bytes(12, value("logits", 1, ["N", "T4", vocabulary])),
  ]);
  const list = (number: number) => new Array(features).fill(number).join(",");
  const metadata = {
    model_type: "sense_voice_ctc",
    vocab_size: `${vocabulary}`,
    lfr_window_size: "7",
    lfr_window_shift: "6",
    normalize_samples: "0",
    with_itn: "14",
    without_itn: "15",
    lang_auto: "0",
    lang_zh: "3",
    lang_en: "4",
    lang_yue: "7",
    lang_ja: "11",
    lang_ko: "12",
    neg_mean: list(-loud),
    inv_stddev: list(1),
  };
  return Buffer.concat([
    integer(1, 8),
    bytes(7, graph),
    bytes(8, Buffer.concat([text(1, ""), integer(2, 13)])),
    ...Object.entries(metadata).map(([key, content]) => bytes(14, Buffer.concat([text(1, key), text(2, content)]))),
  ]);
}

function node(operator: string, inputs: string[], outputs: string[], attribute?: Buffer): Buffer {
  const parts = [...inputs.map((name) => text(1, name)), ...outputs.map((name) => text(2, name)), text(4, operator)];
  return Buffer.concat(attribute === undefined ? parts : [...parts, bytes(5, attribute)]);
}

function tensor(name: string, dimensions: number[], values: Float32Array): Buffer {
  const raw = Buffer.from(values.buffer, values.byteOffset, values.byteLength);
  return Buffer.concat([...dimensions.map((size) => integer(1, size)), integer(2, 1), text(8, name), bytes(9, raw)]);
}

/** @param type 1 float, 6 int32 */
function value(name: string, type: number, dimensions: (string | number)[]): Buffer {
  const shape = dimensions.map((size) => bytes(1, typeof size === "number" ? integer(1, size) : text(2, size)));
  const tensorType = Buffer.concat([integer(1, type), bytes(2, Buffer.concat(shape))]);
  return Buffer.concat([text(1, name), bytes(2, bytes(1, tensorType))]);
}

function integer(field: number, content: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(content)]);
}

function text(field: number, content: string): Buffer {
  return bytes(field, Buffer.from(content));
}

function bytes(field: number, content: Buffer): Buffer {
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}

function varint(content: number): Buffer {
  const digits: number[] = [];
  let rest = content;
  while (rest >= 128) {
    digits.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...digits, rest]);
}
