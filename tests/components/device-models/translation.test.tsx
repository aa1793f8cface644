import { createRoot } from "react-dom/client";
import { expect, onTestFinished, test, vi } from "vitest";
import type { DeviceTranslationFile, EnginesAnswer } from "#contract/index.ts";
import { selectPhase } from "#machines/device-models/selectors.ts";
import { hexOf } from "#src/browser/hex.ts";
import { deviceModels } from "#src/features/device-models/actor.ts";
import { DeviceModelOffer } from "#src/features/device-models/offer.tsx";
import { answer, engines, openPage, page, refusal } from "#tests/components/harness.ts";

// A translation model in the browser: offered, downloaded, listed and deleted.

const card = page.getByRole("region", { name: "Translation on this device", exact: true });
const path = "/api/v1/device-translations/en/de";
const offering: EnginesAnswer = {
  ...engines,
  translation: { ...engines.translation, pairs: [{ source: "en", target: "de", engine: "bergamot", deviceBytes: 3_000 }] },
};

async function makeFile(part: DeviceTranslationFile["part"], byte: number) {
  const content = new Uint8Array(1_000).fill(byte);
  const sha256 = hexOf(new Uint8Array(await crypto.subtle.digest("SHA-256", content)));
  return { content, about: { part, url: `${path}/${sha256}`, bytes: content.length, sha256 } };
}

test("downloads and deletes a translation model, and keeps it when the server no longer offers it", async () => {
  const { translation } = deviceModels();
  expect([translation(null, "en", "de"), translation(engines, "en", "de")]).toEqual([undefined, undefined]);
  const model = translation(offering, "en-US", "de-DE");
  if (model === undefined) throw new Error("It is not offered.");
  expect(translation(offering, "en", "de")).toBe(model);

  const all = await Promise.all([makeFile("model", 1), makeFile("shortlist", 2), makeFile("vocabulary", 3)]);
  const files = all.map(({ about }) => about);
  answer({
    [`GET ${path}`]: { files },
    [`GET ${path}/:sha256`]: ({ params }) => new Response(all.find(({ about }) => about.sha256 === params.sha256)?.content),
  });
  await openPage("/settings/data");
  await expect.element(card).not.toBeInTheDocument();
  const place = document.createElement("div");
  document.body.append(place);
  const root = createRoot(place);
  root.render(<DeviceModelOffer model={model} />);
  onTestFinished(() => {
    root.unmount();
    place.remove();
  });
  const offer = page.getByRole("region", { name: "Translation from English into German" });
  await offer.getByRole("button", { name: "Download model (1.9 MB)" }).click();
  await vi.waitUntil(() => selectPhase(model.actor.getSnapshot()) === "ready", { timeout: 10_000 });
  await expect.element(card.getByRole("heading", { name: "Translation from English into German" })).toBeVisible();
  await expect.element(card.getByText("1.9 MB", { exact: true })).toBeVisible();
  expect(translation(null, "en", "de")).toBe(model);
  expect(deviceModels().storedTranslations.get()).toEqual([model]);

  await card.getByRole("button", { name: "Delete model" }).click();
  await expect.element(card).not.toBeInTheDocument();
  expect([translation(null, "en", "de"), deviceModels().storedTranslations.get()]).toEqual([undefined, []]);
  await expect.poll(() => caches.has("device-translation en de")).toBe(false);
});

test("reports that the server no longer offers the translation model", async () => {
  const model = deviceModels().translation(offering, "en", "de");
  if (model === undefined) throw new Error("It is not offered.");
  answer({ [`GET ${path}`]: refusal(404, "notFound") });
  await openPage("/settings/data");
  await vi.waitUntil(() => selectPhase(model.actor.getSnapshot()) === "absent");
  model.actor.send({ type: "download.requested" });
  await vi.waitUntil(() => selectPhase(model.actor.getSnapshot()) === "failed");
  expect(model.actor.getSnapshot().context.code).toBe("withdrawn");
  model.actor.send({ type: "delete.requested" });
});
