import { fileURLToPath } from "node:url";
import { EngineChild } from "../process/child.ts";
import type { SherpaModel } from "./model.ts";

const program = fileURLToPath(new URL("./worker.ts", import.meta.url));
export const name = "sherpa-onnx";
/** Generous, because large models on a small machine are slower than real time (ms). */
const timeoutMs = 300_000;

/**
 * Starts a process with a model. @param options of worker.ts @throws SpeechError `engineUnavailable` when it can't be
 * loaded
 */
export function startWorker(
  model: SherpaModel,
  threads: number,
  options: readonly string[] = [],
  memory: number | "left" = "left",
): Promise<EngineChild> {
  return EngineChild.start({ name, program, args: [JSON.stringify(model), String(threads), ...options], timeoutMs, memory });
}
