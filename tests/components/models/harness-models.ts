import type { AdminModel, ModelsAnswer } from "#contract/index.ts";
import { answer, openPage, page } from "#tests/components/harness.ts";
import { answerWith, model } from "#tests/machines/models/harness.ts";

/** The model that is part of the product. */
export const builtIn = model({
  id: "moonshine-tiny-en",
  name: "Moonshine tiny",
  languages: ["en"],
  detects: false,
  wordErrors: { percent: 12.7, on: "a test" },
  installed: { at: null, source: "builtIn", isInUse: false, fault: null },
});

/** A better model than the built-in one. */
export const parakeet = model({
  id: "parakeet",
  name: "Parakeet TDT 0.6B v2",
  languages: ["en"],
  detects: false,
  recommendedFor: ["en"],
  downloadBytes: 482_468_385,
  diskBytes: 661_190_513,
  memoryBytes: 1_000_000_000,
  wordErrors: { percent: 6.05, on: "LibriSpeech" },
});

/** A model that speaks English. */
export const voice = model({ id: "lessac", name: "Lessac", purpose: "speaking", kind: "tts", languages: ["en"], detects: false });

export const here: NonNullable<AdminModel["installed"]> = {
  at: "2026-11-20T12:00:00.000Z",
  source: "catalogue",
  isInUse: false,
  fault: null,
};
export { answerWith, installation, pair } from "#tests/machines/models/harness.ts";
export { model };

/** Opens the page of models. Change the returned answer to change the page's next response. */
export async function openModels(models: readonly AdminModel[], parts: Partial<ModelsAnswer> = {}): Promise<ModelsAnswer> {
  const served: ModelsAnswer = { ...answerWith(...models), ...parts };
  answer({ "GET /admin/models": () => served });
  await openPage("/admin/models", { as: "superuser" });
  return served;
}

export const group = (title: string) => page.getByRole("region", { name: title, exact: true });
export const item = (title: string, name: string) => group(title).getByRole("article", { name, exact: true });
