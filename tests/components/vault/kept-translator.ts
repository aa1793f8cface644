import { onTestFinished, vi } from "vitest";
import type { StoredModel } from "#machines/device-models/events.ts";
import { selectIsOnDevice } from "#machines/device-models/selectors.ts";
import { createStore } from "#src/browser/store.ts";
import { deviceModels } from "#src/features/device-models/actor.ts";
import { DeviceFailure } from "#src/features/device-models/failure.ts";
import type { DeviceTranslation } from "#src/features/device-models/translations.ts";
import { answer, engines } from "#tests/components/harness.ts";
import { modelActor } from "./kept-model.ts";

/** Texts that the page translates together. */
interface AskedTexts {
  texts: readonly string[];
  signal: AbortSignal;
  done: PromiseWithResolvers<string[]>;
}

/** Offers models from English into German and Spanish for this device until the test ends. */
export function keepTranslator(kept: StoredModel["kept"] = "whole") {
  const targets = ["de", "es"];
  const asked: AskedTexts[] = [];
  const pairs = targets.map((target) => ({ source: "en", target, engine: "bergamot", deviceBytes: 17_000_000 }));
  answer({ "GET /api/v1/engines": { ...engines, translation: { ...engines.translation, pairs } } });
  const translators = targets.map((target): DeviceTranslation => {
    const translate: DeviceTranslation["translate"] = (texts, signal) => {
      const done = Promise.withResolvers<string[]>();
      asked.push({ texts, signal, done });
      return done.promise;
    };
    return { source: "en", target, actor: modelActor(kept), fraction: createStore(0), bytes: 17_000_000, translate };
  });
  const find: ReturnType<typeof deviceModels>["translation"] = (known, _, target) =>
    translators.find((one) => one.target === target && (known !== null || selectIsOnDevice(one.actor.getSnapshot())));
  const spy = vi.spyOn(deviceModels(), "translation").mockImplementation(find);
  onTestFinished(() => spy.mockRestore());
  const last = (): AskedTexts => {
    const value = asked.at(-1);
    if (value === undefined) throw new Error("Nothing was to be translated.");
    return value;
  };
  return {
    asked,
    last,
    /** Translates the last request, as "de: …". */
    give: (target = "de") => last().done.resolve(last().texts.map((text) => `${target}: ${text}`)),
    fail: (code: string) => last().done.reject(new DeviceFailure(code)),
  };
}
