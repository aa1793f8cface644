import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { expect, openPage, sharedBrowser, startParlance, type Visit } from "#tests/browser/harness.ts";
import type { Parlance } from "#tests/browser/harness-server.ts";
import { makeCertificate } from "#tests/fixtures/certificate.ts";
import { archiveOf, sha256Of } from "#tests/fixtures/model-archive.ts";
import { type Mirror, startModelMirror } from "#tests/fixtures/model-mirror.ts";
import { type StartedProxy, startProxy } from "#tests/fixtures/proxy.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { writeTinyHearing } from "#tests/fixtures/tiny-hearing.ts";

// One page and one server. The operator's mirror is empty. A local server replaces GitHub, and only the proxy leads to
// it.

const id = "sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8";
const name = "Parakeet TDT 0.6B v2";
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

test("discards a model with a wrong checksum, reports a missing one, and installs it on retry", async () => {
  await page.getByRole("searchbox", { name: "Search" }).fill("parakeet 0.6b v2");
  const listed = item("All models");
  const need = group("Better English");
  await need.getByRole("button", { name: "Install: Better English" }).click();
  await need.getByText("There is nothing at this address anymore.").waitFor();
  await listed.getByText("There is nothing at this address anymore.").waitFor();
  await press(listed, "Discard");
  await listed.getByRole("button", { name: `Install: ${name}` }).waitFor();

  // The mirror lacks the model, so it comes from GitHub, but does not match GitHub's checksum list.
  github.put(`${releases}/${id}.tar.bz2`, archive);
  github.put(`${releases}/checksum.txt`, listOf("0".repeat(64)));
  await press(listed, "Install");
  await listed.getByText("The downloaded file isn’t what we expected: its size or fingerprint differs").waitFor();
  await listed.getByText("Technical details").click();
  await listed.getByText(`The SHA-256 of ${id}.tar.bz2 differs from the published one.`).waitFor();
  expect(await readdir(models())).not.toContain(id);

  github.put(`${releases}/checksum.txt`, listOf(sha256Of(archive)));
  await press(listed, "Try again");
  const ours = item("On this server");
  await ours.getByRole("button", { name: `Remove: ${name}` }).waitFor();
  await ours
    .getByText(/^A minute of speech takes .* on this machine$/)
    .first()
    .waitFor();
  await need.getByText(`${name} recognizes English.`).waitFor();
  await expect(need.getByRole("button")).toHaveCount(0);
  expect(mirror.requests.filter(({ path }) => path === `${id}.tar.bz2`)).toHaveLength(3);
  expect(new Set(proxy.asked)).toEqual(new Set(["CONNECT github.com:443"]));
});
