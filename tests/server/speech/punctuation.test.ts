import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ModelKind } from "#contract/index.ts";
import { createLog } from "#server/log/log.ts";
import { onlyBuiltIn } from "#server/models/built-in.ts";
import type { InstalledModels } from "#server/models/model.ts";
import { answerFor, openPunctuator } from "#server/speech/punctuation/punctuator.ts";
import { tryPunctuation } from "#server/speech/punctuation/trial.ts";
import { prepareReplacements } from "#speech/written/replacements.ts";
import { write } from "#speech/written/write.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { writeTinyPunctuation } from "#tests/fixtures/tiny-punctuation.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { segment } from "#tests/server/jobs/scripted.ts";
import { inMemoryModels, installed } from "#tests/server/models/in-memory.ts";

const model = (folder: string) => installed({ id: "punct", folder, purpose: "punctuation", kind: "punctuation" });

function opened(models: InstalledModels, now = () => 0) {
  const lines: string[] = [];
  const log = createLog(
    "warn",
    () => 0,
    (line) => lines.push(line),
  );
  const punctuator = openPunctuator({ models, log, now, timeoutMs: timeLimit(60_000) });
  onTestFinished(() => punctuator.close());
  return { punctuator, lines };
}

async function folderWithModel(): Promise<string> {
  const folder = await temporaryFolder();
  await writeTinyPunctuation(folder);
  return folder;
}

describe("the punctuator with a tiny model", () => {
  test("corrects the case of words and ends sentences in a process started on demand", async () => {
    const models = inMemoryModels([model(await folderWithModel())]);
    const { punctuator } = opened(models);
    expect(await punctuator.punctuate("how are you", "en", { person: "ann" })).toBe("how, are you?");
    expect(await punctuator.punctuate("from nasa to paris i'm", "en-GB", { person: "ann" })).toBe("from NASA to. Paris i'm");
    const long = Array.from({ length: 20 }, () => "are nasa").join(" ");
    expect(await punctuator.punctuate(long, "en", { person: "ann" })).toBe(long.replaceAll("nasa", "NASA"));
    const wording = { replace: prepareReplacements([]), language: "en", punctuator, person: "ann" };
    const [one] = await write([segment("I are nasa how twenty two are you", 0, 8)], wording);
    expect(one?.text).toBe("I are NASA how, 22. Are you?");
  });

  test("returns nothing without a model, for other languages, and after the model is removed", async () => {
    const models = inMemoryModels([model(await folderWithModel())]);
    const { punctuator } = opened(models);
    expect(await punctuator.punctuate("how", "de-DE", { person: "ann" })).toBeUndefined();
    expect(await punctuator.punctuate("how", "en", { person: "ann" })).toBe("how,");
    models.replace([]);
    expect(await punctuator.punctuate("how", "en", { person: "ann" })).toBeUndefined();
    expect(await opened(onlyBuiltIn).punctuator.punctuate("how", "en", { person: "ann" })).toBeUndefined();
  });

  test("logs a failed model once, leaves the text, and retries a minute later", async () => {
    const folder = await folderWithModel();
    await writeFile(join(folder, "model.onnx"), "no model");
    const models = inMemoryModels([model(folder)]);
    let time = 0;
    const { punctuator, lines } = opened(models, () => time);
    expect(await punctuator.punctuate("how", "en", { person: "ann" })).toBeUndefined();
    expect(lines).toHaveLength(1);
    await writeTinyPunctuation(folder);
    expect(await punctuator.punctuate("how", "en", { person: "ann" })).toBeUndefined();
    time = 60_000;
    expect(await punctuator.punctuate("how", "en", { person: "ann" })).toBe("how,");
    expect(lines).toHaveLength(1);
  });
});

describe("tryPunctuation", () => {
  const tried = (folder: string, kind: ModelKind = "punctuation") =>
    tryPunctuation({ folder, kind, purpose: "punctuation", languages: ["en"] }, AbortSignal.timeout(timeLimit(60_000)));

  test("accepts a working model and refuses others with the reason", async () => {
    const folder = await folderWithModel();
    expect(await tried(folder)).toEqual({});
    await expect(tried(folder, "tts")).rejects.toMatchObject({ failure: "wrongKind" });
    await expect(tried(await temporaryFolder())).rejects.toMatchObject({ failure: "wrongKind" });
    await writeFile(join(folder, "model.onnx"), "no model");
    await expect(tried(folder)).rejects.toMatchObject({ failure: "unusable" });
  });
});

test.each([
  ["how are you", "How, are YOU?", true],
  ["how are you", "how are", false],
  ["how are you", "how are you too", false],
  ["how are you", 5, false],
])("checks the answer to %j: %j is accepted: %s", (text, answer, isTaken) => {
  if (isTaken) expect(answerFor(text, answer)).toBe(answer);
  else expect(() => answerFor(text, answer)).toThrow("changed the words");
});
