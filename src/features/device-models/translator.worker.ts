import script from "virtual:bergamot";
import { nextTask } from "#src/browser/next-task.ts";
import { Bergamot } from "#translation/bergamot.ts";
import { translateInPieces } from "#translation/pieces.ts";
import { withTidyBlanks } from "#translation/tidy-blanks.ts";
import { DeviceFailure } from "./failure.ts";
import type { TranslatorFile } from "./files.ts";
import { openStored, readStored } from "./kept.ts";
import type { TranslatorAnswer, TranslatorQuestion } from "./messages.ts";
import { beginLife } from "./worker-life.ts";

// Translation uses a whole processor, so it runs in a worker and does not block the page. The worker reads the model
// itself; terminating the worker frees the memory.

type Translate = (texts: readonly string[]) => string[];

const say = (answer: TranslatorAnswer) => postMessage(answer);
const whyClosed = (error: unknown): string => (error instanceof DeviceFailure ? error.code : "cantOpen");

/** @throws DeviceFailure `damaged`, `noStorage`; Error when the model can't be loaded */
async function open(cache: string, files: readonly TranslatorFile[]): Promise<Translate> {
  const kept = await openStored(cache);
  const find = async (part: TranslatorFile["part"]) => {
    const file = files.find((one) => one.part === part);
    return file === undefined ? undefined : readStored(kept, file);
  };
  const [wasm, model, vocabulary] = [await find("wasm"), await find("model"), await find("vocabulary")];
  if (wasm === undefined || model === undefined || vocabulary === undefined) throw new DeviceFailure("damaged");
  const targetVocabulary = await find("targetVocabulary");
  const bergamot = await Bergamot.start(wasm, script);
  const loaded = bergamot.load({
    model,
    shortlist: await find("shortlist"),
    vocabularies: targetVocabulary === undefined ? [vocabulary] : [vocabulary, targetVocabulary],
  });
  return (texts) => bergamot.translate(texts, loaded);
}

const cancelled = new Set<number>();

async function translate(translatePieces: Translate, id: number, texts: readonly string[], target: string): Promise<void> {
  const translated = await translateInPieces(texts, async (pieces) => {
    // Between two batches, receives posted messages, such as a cancellation or a shorter text.
    await nextTask();
    return cancelled.has(id) ? [] : translatePieces(pieces);
  });
  if (!cancelled.delete(id)) say({ type: "translated", id, texts: translated.map((text) => withTidyBlanks(text, target)) });
}

/** Tasks that arrive before the model is open wait for it. */
const { promise: opened, resolve: ready } = Promise.withResolvers<Translate>();

addEventListener("message", async ({ data }: MessageEvent<TranslatorQuestion>) => {
  if (data.type === "open") return beginLife(data.lock, async () => ready(await open(data.cache, data.files)), whyClosed);
  if (data.type === "cancel") cancelled.add(data.id);
  // After an engine error its memory can't be trusted, so the next text gets another worker.
  if (data.type === "translate")
    translate(await opened, data.id, data.texts, data.target).catch(() => say({ type: "closed", code: "internal" }));
});
