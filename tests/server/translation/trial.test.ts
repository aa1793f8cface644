import { cp, mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { translationTrial } from "#server/translation/trial.ts";
import { writeTinyMarian } from "./tiny-marian.ts";

let root: string;
const modelFile = "model.enes.intgemm.alphas.bin";
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "parlance-trial-"));
  await writeTinyMarian(join(root, "good"), { source: "en", target: "es" });
});
afterAll(() => rm(root, { recursive: true, force: true }));

const trial = translationTrial({ now: () => Date.UTC(2026, 0, 2) });
const attempt = (name: string, signal = new AbortController().signal) =>
  trial({ folder: join(root, name), kind: "bergamot", purpose: "translation", languages: ["en", "es"] }, signal);

async function copy(name: string): Promise<string> {
  await cp(join(root, "good"), join(root, name), { recursive: true });
  return join(root, name, modelFile);
}

it("measures the speed of a model that translates", async () => {
  const { speed } = await attempt("good");
  expect(speed).toEqual({ factor: expect.any(Number), threads: 1, at: "2026-01-02T00:00:00.000Z" });
  expect(speed?.factor).toBeGreaterThan(0);
});

it("reports a truncated or invalid model as unusable", async () => {
  await truncate(await copy("truncated"), 5_000_000);
  await expect(attempt("truncated")).rejects.toMatchObject({
    name: "ModelTrialError",
    failure: "unusable",
    message: expect.stringContaining("truncated"),
  });
  await writeFile(await copy("page"), "<html>");
  await expect(attempt("page")).rejects.toMatchObject({ failure: "unusable" });
});

it("reports a model with another model's vocabulary as unusable", async () => {
  const path = await copy("vocabulary");
  await writeFile(join(path, "..", "vocab.enes.spm"), "no vocabulary");
  await expect(attempt("vocabulary")).rejects.toMatchObject({ failure: "unusable" });
});

it("reports a folder of another kind as wrongKind", async () => {
  await expect(attempt("absent")).rejects.toMatchObject({ failure: "wrongKind" });
  await expect(
    trial({ folder: join(root, "good"), kind: "tts", purpose: "speaking", languages: [] }, new AbortController().signal),
  ).rejects.toMatchObject({ failure: "wrongKind" });
});

it("stops the trial and its process when it is aborted", async () => {
  const stopping = new AbortController();
  const asked = attempt("good", stopping.signal);
  stopping.abort(new Error("cancelled"));
  await expect(asked).rejects.toThrow("cancelled");
});
