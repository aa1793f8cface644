import { DeviceFailure } from "./failure.ts";
import type { ModelFiles, ModelPart } from "./files.ts";
import { openKept, readKept } from "./kept.ts";
import type { Answer, Question } from "./messages.ts";

// A worker: recognizing takes all of a processor, and must not block the page. It reads the model by itself, and gives the memory back when it is
// terminated.

const say = (answer: Answer) => postMessage(answer);

/** The model's files, compared with the hashes of the build. @throws DeviceFailure `damaged`, `noStorage` */
async function readFiles(files: ModelFiles): Promise<Record<ModelPart, Uint8Array<ArrayBuffer>>> {
  const kept = await openKept();
  const [encoder, decoder, tokens, voice, runtime] = await Promise.all(
    [files.encoder, files.decoder, files.tokens, files.voice, files.runtime].map((file) => readKept(kept, file)),
  );
  if (!encoder || !decoder || !tokens || !voice || !runtime) throw new DeviceFailure("damaged");
  return { encoder, decoder, tokens, voice, runtime };
}

async function open({ files, lock }: Extract<Question, { type: "open" }>): Promise<void> {
  // Held for as long as the worker lives.
  navigator.locks.request(lock, () => new Promise(() => say({ type: "begun" })));
  try {
    await readFiles(files);
    say({ type: "opened" });
  } catch (error) {
    say({ type: "closed", code: error instanceof DeviceFailure ? error.code : "cantOpen" });
  }
}

addEventListener("message", ({ data }: MessageEvent<Question>) => {
  if (data.type === "open") void open(data);
  if (data.type === "listen" || data.type === "transcribe") say({ type: "failed", id: data.id, code: "internal" });
});
