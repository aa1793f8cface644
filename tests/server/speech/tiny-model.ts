import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { node, onnxModel, tensor, value } from "#tests/fixtures/onnx.ts";

/**
 * Writes a SenseVoice model of 2 kB for sherpa-onnx. The model recognizes its one word wherever the sound is loud: real
 * loading, features, decoding and times without hundreds of megabytes. The graph: logits = concat(four marks, x) ·
 * weights + bias. The word beats the blank when the mean of the first frame's 80 features is above zero. SenseVoice
 * puts the four marks (language, emotion, event, style) first, and sherpa-onnx removes them.
 */
export async function writeTinyModel(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "model.onnx"), tinyModel());
  await writeFile(join(folder, "tokens.txt"), "<blk> 0\n▁hey 1\n<|en|> 2\n<|mark|> 3\n");
}

const features = 560;
const vocabulary = 4;
/** Log energies above this count as loud. */
const loud = 10;

function tinyModel(): Buffer {
  const weights = new Float32Array(features * vocabulary);
  for (let feature = 0; feature < 80; feature += 1) weights[feature * vocabulary + 1] = 1 / 80;
  // Real sound's features are far too small for this.
  weights[100 * vocabulary + 2] = 1e-3;
  weights[101 * vocabulary + 3] = 1e-3;
  const bias = Float32Array.of(0, 0, -1, -1);
  const marks = new Float32Array(4 * features);
  for (let mark = 0; mark < 4; mark += 1) marks[mark * features + 100 + (mark % 2)] = 1e6;
  const nodes = [
    node("Concat", ["marks", "x"], ["all"], [{ name: "axis", int: 1 }]),
    node("MatMul", ["all", "weights"], ["product"]),
    node("Add", ["product", "bias"], ["logits"]),
  ];
  const tensors = [
    tensor("marks", [1, 4, features], marks),
    tensor("weights", [features, vocabulary], weights),
    tensor("bias", [vocabulary], bias),
  ];
  const inputs = [
    value("x", 1, ["N", "T", features]),
    ...["x_length", "language", "text_norm"].map((name) => value(name, 6, ["N"])),
  ];
  const outputs = [value("logits", 1, ["N", "T4", vocabulary])];
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
  return onnxModel({ nodes, tensors, inputs, outputs, metadata });
}
