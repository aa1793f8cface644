import { Worker } from "node:worker_threads";
import type { Transcription } from "../../src/api/contract/index.ts";
import { Problem } from "../problem.ts";
import type { Labels } from "./labels.ts";

const program = new URL("./docx-worker.ts", import.meta.url);
let previous: Promise<unknown> = Promise.resolve();

/**
 * The transcript as a Word document (Office Open XML). Half a second of work for three hours of speech: it is done in a thread, one
 * document after another, so that nobody's live recording waits for it.
 * @throws Problem `internal`
 */
export function asDocx(transcription: Transcription, labels: Labels): Promise<Uint8Array<ArrayBuffer>> {
  const made = previous.then(() => inThread(transcription, labels));
  previous = made.catch(() => {});
  return made;
}

function inThread(transcription: Transcription, labels: Labels): Promise<Uint8Array<ArrayBuffer>> {
  const { promise, resolve, reject } = Promise.withResolvers<Uint8Array<ArrayBuffer>>();
  const thread = new Worker(program, { workerData: { transcription, labels } });
  thread.once("message", resolve);
  thread.once("error", (cause) => reject(new Problem("internal", "The document could not be made.", { cause })));
  thread.once("exit", () => reject(new Problem("internal", "The document was not finished.")));
  return promise;
}
