import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import * as v from "valibot";
import { test } from "vitest";
import { DeviceTranslationAnswer, EnginesAnswer } from "#contract/index.ts";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import { installed, serverAway } from "#tests/browser/harness-offline.ts";
import { writeTinyMarian } from "#tests/server/translation/tiny-marian.ts";

// A translation model from the server, which the browser stores, and the worker that translates with it.

const shared = sharedParlance();
const wasmFile = createRequire(import.meta.url).resolve("@browsermt/bergamot-translator/worker/bergamot-translator-worker.wasm");
const words = { "▁house": "▁casa", "▁The": "▁La", "▁is": "▁es", "▁big": "▁grande" };
const Kept = v.pipe(v.string(), v.parseJson(), v.tuple([DeviceTranslationAnswer]));

test("downloads a translation model from the server, and translates without a network", { tags: "quick" }, async () => {
  const { server } = shared;
  await writeTinyMarian(join(server.dataDir, "models", "tiny"), { source: "en", target: "es", words });
  await expect
    .poll(async () => {
      const { translation } = v.parse(EnginesAnswer, await (await fetch(`${server.apiUrl}/api/v1/engines`)).json());
      return translation.pairs.find(({ source, target }) => source === "en" && target === "es")?.deviceBytes;
    })
    .toBeGreaterThan(1_000_000);
  await using visit = await openPage(shared.browser, { context: { serviceWorkers: "allow" }, expected: [serverAway] });
  const { page } = visit;
  await openSignedIn(page, server, "/settings/data");
  // Imitates a download that has begun.
  await page.evaluate(() => {
    localStorage.setItem("deviceTranslations", JSON.stringify([{ source: "en", target: "es", files: [] }]));
  });
  await page.reload();
  const card = page.getByRole("region", { name: "Translation on this device", exact: true });
  await expect(card.getByRole("heading", { name: "Translation from English into Spanish" })).toBeVisible();
  await card.getByRole("button", { name: /^Download model/ }).click();
  await expect(card.getByRole("status")).toHaveText("The model is on this device.");
  const [{ files }] = v.parse(Kept, await page.evaluate(() => localStorage.getItem("deviceTranslations")));
  expect(files.map(({ part }) => part)).toEqual(["model", "shortlist", "vocabulary"]);

  await installed(page);
  await page.context().setOffline(true);
  await server.kill();
  const sha256 = createHash("sha256")
    .update(await readFile(wasmFile))
    .digest("hex");
  const said = await page.evaluate(
    async ({ model, wasmHash }) => {
      const cache = "device-translation en es";
      const kept = await caches.open(cache);
      const urls = (await kept.keys()).map(({ url }) => new URL(url));
      const script = urls.find(({ search }) => search === "")?.pathname ?? "";
      const pieces = urls.filter(({ pathname }) => pathname.startsWith("/assets/bergamot"));
      const blobs = await Promise.all(pieces.map(async (url) => (await kept.match(url))?.blob()));
      const bytes = blobs.reduce((sum, blob) => sum + (blob?.size ?? 0), 0);
      const wasm = { part: "wasm", url: pieces[0]?.pathname, bytes, sha256: wasmHash, isGzipped: true };
      const policy = window.trustedTypes?.createPolicy("translator", { createScriptURL: () => script });
      const worker = new Worker(policy?.createScriptURL(script) ?? script, { type: "module" });
      const heard = new Promise<unknown>((resolve) => {
        worker.addEventListener("message", ({ data }) => {
          if (data.type === "closed" || data.type === "translated") resolve(data);
        });
        worker.addEventListener("error", () => resolve("The script could not be loaded."));
      });
      worker.postMessage({ type: "open", cache, files: [...model, wasm], lock: "test" });
      worker.postMessage({ type: "translate", id: 1, texts: ["The house is big.", "", "house"], target: "es" });
      return await heard;
    },
    { model: files.map((file) => ({ ...file, isGzipped: false })), wasmHash: sha256 },
  );
  expect(said).toEqual({ type: "translated", id: 1, texts: ["La casa es grande.", "", "casa"] });
});
