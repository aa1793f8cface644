import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright-core";
import * as v from "valibot";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { ModelChoices, ModelList } from "#contract/index.ts";
import { openHolds } from "#server/models/holds.ts";
import { expect, openPage, sharedBrowser, startParlance, type Visit } from "#tests/browser/harness.ts";
import type { Parlance } from "#tests/browser/harness-server.ts";
import { makeCertificate } from "#tests/fixtures/certificate.ts";
import { archiveOf, sha256Of } from "#tests/fixtures/model-archive.ts";
import { type Mirror, startModelMirror } from "#tests/fixtures/model-mirror.ts";
import { type StartedProxy, startProxy } from "#tests/fixtures/proxy.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { writeTinyHearing } from "#tests/fixtures/tiny-hearing.ts";
import { tinySegmentation } from "#tests/fixtures/tiny-speakers.ts";
import { writeTinyVoice } from "#tests/fixtures/tiny-voice.ts";
import { writeTinyMarian } from "#tests/server/translation/tiny-marian.ts";

// One page and one server. The operator's mirror has nothing; GitHub is played by a server that only a proxy can find.

const id = "sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8";
const name = "Parakeet TDT 0.6B v2";
const german = "sherpa-onnx-nemo-stt_de_fastconformer_hybrid_large_pc-int8";
const releases = "k2-fsa/sherpa-onnx/releases/download/asr-models";

let folder = "";
let archive: Buffer;
let mirror: Mirror;
let github: Mirror;
let proxy: StartedProxy;
let server: Parlance;
let visit: Visit;
let page: Page;

const listOf = (hash: string) => Buffer.from(`${id}.tar.bz2\t${hash}\n`);

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  await writeTinyHearing(join(folder, "tiny"), "nemoTransducer");
  const files = (await readdir(join(folder, "tiny"))).map(async (file) => ({
    name: `${id}/${file.replace(/^(\w+)\.onnx$/, "$1.int8.onnx")}`,
    content: await readFile(join(folder, "tiny", file)),
  }));
  archive = await archiveOf(await Promise.all(files));
  const certificate = await makeCertificate(folder, "github.com");
  mirror = await startModelMirror();
  github = await startModelMirror(certificate);
  proxy = await startProxy({ "github.com:443": Number(new URL(github.url).port) });
  const env = { HTTPS_PROXY: proxy.url, NO_PROXY: "127.0.0.1,localhost", NODE_EXTRA_CA_CERTS: certificate.path };
  server = await startParlance({ env: { MODELS_MIRROR: mirror.url, ...env } });
  visit = await openPage(await sharedBrowser());
  page = visit.page;
  const password = /password: (\S+)/.exec(server.log())?.[1] ?? "";
  await page.goto(`${server.url}/signin`);
  await page.getByLabel("E-mail").fill("superuser@parlance.local");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/dashboard");
});

beforeEach(async () => {
  visit.expectOnly([]);
  await page.goto(`${server.url}/admin/models`);
  await page.getByRole("heading", { name: "Models", level: 1 }).waitFor();
});

afterAll(async () => {
  await visit[Symbol.asyncDispose]();
  await server.stop();
  await Promise.all([mirror, github, proxy].map((one) => one.close()));
  await rm(folder, { recursive: true, force: true });
});

const models = () => join(server.dataDir, "models");
const group = (title: string): Locator => page.getByRole("region", { name: title, exact: true });
const item = (title: string, model = name): Locator => group(title).getByRole("article", { name: model, exact: true });
const press = (within: Locator, action: string, model = name) =>
  within.getByRole("button", { name: `${action}: ${model}`, exact: true }).click();

/** What is put into the folder is noticed at once, and shown at the page's next look, which is not waited for. */
const shown = (what: Locator) =>
  expect(async () => {
    await page.reload();
    await what.waitFor({ timeout: 5_000 });
  }).toPass({ timeout: timeLimit(60_000) });

/** What is chosen, as the server has it. */
const choices = async () => v.parse(ModelChoices, JSON.parse(await readFile(join(models(), "choices.json"), "utf8")));

test("a download that is not what was published is thrown away, one that is gone is said to be gone, and there is a way on", async () => {
  await page.getByRole("searchbox", { name: "Search" }).fill("parakeet 0.6b v2");
  const listed = item("All models");
  const need = group("Better English");
  await need.getByRole("button", { name: "Install: Better English" }).click();
  await need.getByText("The address has nothing any more.").waitFor();
  await listed.getByText("The address has nothing any more.").waitFor();
  await press(listed, "Discard");
  await listed.getByRole("button", { name: `Install: ${name}` }).waitFor();

  // The mirror does not have it: it comes from GitHub, and is not what GitHub's list says.
  github.put(`${releases}/${id}.tar.bz2`, archive);
  github.put(`${releases}/checksum.txt`, listOf("0".repeat(64)));
  await press(listed, "Install");
  await listed.getByText("What arrived is not what was promised").waitFor();
  await listed.getByText("What exactly happened").click();
  await listed.getByText(`${id}.tar.bz2 has another SHA-256 than was published.`).waitFor();
  expect(await readdir(models())).not.toContain(id);

  github.put(`${releases}/checksum.txt`, listOf(sha256Of(archive)));
  await press(listed, "Try again");
  const ours = item("On this server");
  await ours.getByRole("button", { name: `Remove: ${name}` }).waitFor();
  await ours
    .getByText(/^A minute of speech takes .* on this machine$/)
    .first()
    .waitFor();
  await need.getByText(`English is recognized with ${name}.`).waitFor();
  await expect(need.getByRole("button")).toHaveCount(0);
  expect(mirror.requests.filter(({ path }) => path === `${id}.tar.bz2`)).toHaveLength(3);
  expect(new Set(proxy.asked)).toEqual(new Set(["CONNECT github.com:443"]));
});

test("the built-in model is listed and has no button; a language that nothing recognizes leads to its need", async () => {
  const builtIn = item("On this server", "Moonshine tiny");
  await builtIn.getByText("Built in", { exact: true }).waitFor();
  await expect(builtIn.getByRole("button")).toHaveCount(0);
  await page.goto(`${server.url}/dashboard`);
  await page.goto(`${server.url}/admin/models#other-languages`);
  await expect(page.getByRole("heading", { name: "The other languages" })).toBeFocused();
});

test("a model in use is not removed, and is when the work has ended", async () => {
  visit.expectOnly([/409/]);
  const holds = openHolds(join(models(), ".holds"));
  const hold = await holds.take(id);
  const ours = item("On this server");
  await press(ours, "Remove");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await ours.getByText("It could not be removed.").waitFor();
  await ours.getByText("It is in use. Wait until the transcriptions that need it are done.").waitFor();
  await ours.getByText("In use", { exact: true }).waitFor();
  expect(await readdir(models())).toContain(id);

  await hold[Symbol.asyncDispose]();
  await ours.getByRole("button", { name: "OK" }).click();
  await press(ours, "Remove");
  await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
  await expect(ours).toHaveCount(0);
  await expect.poll(() => readdir(models())).not.toContain(id);
});

test("what somebody unpacked is there without a restart; each language and use has the model that is chosen for it", async () => {
  // Measured to be slower than speech.
  await mkdir(join(models(), ".speeds"), { recursive: true });
  await writeFile(
    join(models(), ".speeds", `${german}.json`),
    JSON.stringify({ factor: 2, threads: 1, at: "2026-01-01T00:00:00Z" }),
  );
  await writeTinyHearing(join(models(), german), "nemoCtc");
  await writeTinyHearing(join(models(), id), "nemoTransducer");
  const slow = group("On this server").getByRole("article").filter({ hasText: "FastConformer DE" });
  await shown(slow.getByText("Slower than speech on this machine: while somebody dictates, its words come late."));
  await slow.getByText("A minute of speech takes 2 min on this machine").first().waitFor();

  const which = group("Which one for what");
  const live = which.getByLabel("English: while you speak");
  await live.selectOption({ label: "Moonshine tiny" });
  await which.getByText("Saved", { exact: true }).waitFor();
  await which.getByLabel("English: for files").selectOption({ label: name });
  await expect.poll(choices).toMatchObject({ live: { en: "moonshine-tiny-en" }, files: { en: id } });
  await page.reload();
  await expect(live).toHaveValue("moonshine-tiny-en");
  await live.selectOption("");
  await expect.poll(choices).toMatchObject({ live: {}, files: { en: id } });

  // Whoever dictates German is told.
  await page.goto(`${server.url}/speech-to-text`);
  const warning = page.getByText("The model that listens here is slower than speech");
  const spoken = page.getByLabel("Spoken language");
  await spoken.selectOption("en");
  await expect(warning).toHaveCount(0);
  await spoken.selectOption("de-DE");
  await warning.waitFor();
  await page.getByRole("link", { name: "Choose a faster model" }).click();
  await page.getByRole("heading", { name: "Models", level: 1 }).waitFor();
});

test("the engines of a pair are asked in the order that is chosen, and a voice reads the language that it is chosen for", async () => {
  await writeTinyMarian(join(models(), "bergamot-en-es"), { source: "en", target: "es", words: { "▁house": "▁casa" } });
  await writeTinyVoice(join(models(), "vits-piper-en_US-lessac-medium"));
  const which = group("Which one for what");
  const order = which.getByRole("region", { name: "Translating" });
  await shown(order);
  await order.getByLabel("From and into").selectOption("en>es");
  const engines = order.getByRole("listitem");
  await expect(engines).toHaveText(["Bergamot", "Apertium"]);
  await order.getByRole("button", { name: "Ask Apertium earlier" }).click();
  await expect(engines).toHaveText(["Apertium", "Bergamot"]);
  await expect.poll(choices).toMatchObject({ translation: { "en>es": ["apertium", "bergamot"] } });
  await order.getByRole("button", { name: "Back to automatic" }).click();
  await expect(engines).toHaveText(["Bergamot", "Apertium"]);
  await expect.poll(choices).toMatchObject({ translation: {} });

  const voices = which.getByRole("region", { name: "Reading aloud" });
  await voices.getByLabel("English").selectOption({ label: "eSpeak NG" });
  await expect.poll(choices).toMatchObject({ voices: { en: "espeak" } });
});

test("the list is a file for another machine, and a file from elsewhere becomes a model", async () => {
  const files = group("Without internet");
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    files.getByRole("button", { name: "Export the list" }).click(),
  ]);
  expect(download.suggestedFilename()).toBe("parlance-models.json");
  const list = v.parse(ModelList, JSON.parse(await readFile(await download.path(), "utf8")));
  expect(list.models.map((model) => model.id)).toEqual(expect.arrayContaining([german, id]));
  expect(list.choices.files).toEqual({ en: id });

  // Where to fetch one elsewhere.
  const listed = item("On this server", "FastConformer DE");
  await listed.getByText("Details").click();
  const address = `https://github.com/${releases}/${german}.tar.bz2`;
  await expect(listed.getByRole("link", { name: address.replace("https://", "") })).toHaveAttribute("href", address);

  const own = join(folder, "own-segmentation.tar.gz");
  await writeFile(own, await archiveOf([{ name: "own-segmentation/model.onnx", content: tinySegmentation() }]));
  await files.getByLabel("Import a file …").setInputFiles(own);
  const imported = item("On this server", "own-segmentation");
  await imported.getByRole("button", { name: "Remove: own-segmentation" }).waitFor();
  await imported.getByText("Details").click();
  await imported.getByText("Not compared with anything").waitFor();
  await imported.getByText(/^From a file, /).waitFor();
});
