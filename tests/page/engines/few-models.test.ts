import { expect, it, vi } from "vitest";
import type { EnginesAnswer } from "#contract/index.ts";
import { createFewModels, hasFewModels } from "#src/features/engines/few-models.ts";

const enginesWith = (...ids: [id: string, available: boolean][]): EnginesAnswer => ({
  speech: { engines: ids.map(([id, available]) => ({ id, name: id, offline: true, available })), languages: [] },
  translation: { engines: [], pairs: [] },
  limits: { maxUploadBytes: 0 },
});

it.each([
  ["nothing hears", enginesWith(), true],
  ["only what comes with the product hears", enginesWith(["pocketsphinx", true], ["openai", false]), true],
  ["a model hears, too", enginesWith(["pocketsphinx", true], ["sherpa-onnx", true]), false],
])("%s", (_, engines, isFew) => {
  expect(hasFewModels(engines)).toBe(isFew);
});

it("a superuser hears of it, once it is known", async () => {
  const load = vi.fn(async () => enginesWith(["pocketsphinx", true]));
  const store = createFewModels(load, () => true);
  expect([store.get(), load.mock.calls.length]).toEqual([false, 0]);
  const changed = Promise.withResolvers<void>();
  store.subscribe(changed.resolve);
  await changed.promise;
  expect(store.get()).toBe(true);
});

it("nobody else does, and the server is not even asked", () => {
  const load = vi.fn(async () => enginesWith());
  createFewModels(load, () => false).subscribe(() => {});
  expect(load).not.toHaveBeenCalled();
});

it("a failure is not said", async () => {
  const store = createFewModels(
    () => Promise.reject(new Error("no answer")),
    () => true,
  );
  store.subscribe(() => {});
  await Promise.resolve();
  expect(store.get()).toBe(false);
});
