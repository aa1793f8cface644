import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Locator, Page } from "playwright";
import { afterAll, beforeAll, test } from "vitest";
import { expect, openPage, sharedBrowser, startParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { drop, fixture, inState, openSpeech, rowOf } from "#tests/browser/harness-files.ts";
import type { Parlance } from "#tests/browser/harness-server.ts";
import { archiveOf, sha256Of } from "#tests/fixtures/model-archive.ts";
import { type Mirror, startModelMirror } from "#tests/fixtures/model-mirror.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { writeTinyHearing } from "#tests/fixtures/tiny-hearing.ts";

// A model is installed from a slow mirror. Its archive has a tiny model of the same kind that recognizes "hey".

const id = "sherpa-onnx-nemo-parakeet-tdt-0.6b-v2-int8";
const name = "Parakeet TDT 0.6B v2";
let folder = "";
let mirror: Mirror;
let server: Parlance;

/** Incompressible bytes, the same each time. Their number decides how long the download takes. */
function noise(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let at = 0, state = 1; at < size; at += 1) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    bytes[at] = state >>> 24;
  }
  return bytes;
}

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  await writeTinyHearing(folder, "nemoTransducer");
  const files = (await readdir(folder)).map(async (file) => ({
    name: `${id}/${file.replace(/^(\w+)\.onnx$/, "$1.int8.onnx")}`,
    content: await readFile(join(folder, file)),
  }));
  const filling = { name: `${id}/test_wavs/0.wav`, content: noise(1_500_000) };
  const archive = await archiveOf([{ name: `${id}/`, type: "directory" }, filling, ...(await Promise.all(files))]);
  mirror = await startModelMirror();
  mirror.put(`${id}.tar.bz2`, archive, { pieceMs: 200 });
  mirror.put("checksum.txt", Buffer.from(`${id}.tar.bz2\t${sha256Of(archive)}\n`));
  server = await startParlance({ env: { MODELS_MIRROR: mirror.url } });
});

afterAll(async () => {
  await server.stop();
  await mirror.close();
  await rm(folder, { recursive: true, force: true });
});

/** Signs in as the superuser of the first start. */
async function signInAsSuperuser(page: Page): Promise<void> {
  const password = /password: (\S+)/.exec(server.log())?.[1] ?? "";
  await page.goto(`${server.url}/signin`);
  await page.getByLabel("E-mail").fill("superuser@parlance.local");
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL("**/dashboard");
}

/** Checks that axe-core finds no violations in the page. */
const isAccessible = async (page: Page) => expect(await violations(page)).toEqual([]);

const group = (page: Page, title: string): Locator => page.getByRole("region", { name: title, exact: true });
const itemIn = (page: Page, title: string): Locator => group(page, title).getByRole("article", { name, exact: true });
const button = (item: Locator, action: string): Locator => item.getByRole("button", { name: `${action}: ${name}`, exact: true });

/** Downloads that resumed at the end of an earlier one. */
const resumed = () => mirror.requests.filter(({ path, range }) => path === `${id}.tar.bz2` && range !== undefined);

/** Console errors when the server is killed. */
const cutOff = [/ERR_(CONNECTION|EMPTY|SOCKET|INCOMPLETE)/];

test("installs a model despite a killed server while two administrators watch, and recognizes with it", async () => {
  const browser = await sharedBrowser();
  await using own = await openPage(browser, { expected: cutOff });
  await using theirs = await openPage(browser, { expected: cutOff });
  const { page } = own;
  const other = theirs.page;
  await signInAsSuperuser(page);

  // The administration's set-up step and the choice of language link to the models.
  await page.goto(`${server.url}/admin`);
  await expect(page.getByRole("link", { name: "Choose models" })).toHaveAttribute("href", "/admin/models");
  await page.goto(`${server.url}/speech-to-text`);
  await page.getByText(/^Why .* not available\?$/).click();
  await page.getByRole("link", { name: "Install models for more languages" }).click();
  await page.getByRole("heading", { name: "Models", level: 1 }).waitFor();
  await page.getByText("Downloads come from 127.0.0.1").waitFor();
  await isAccessible(page);
  expect(mirror.requests).toEqual([]);

  // By keyboard alone: the model is found and installed, and the focus stays on it.
  await page.getByRole("searchbox", { name: "Search" }).focus();
  await page.keyboard.type("parakeet 0.6b v2");
  await group(page, "All models").getByText("1 model", { exact: true }).waitFor();
  const listed = itemIn(page, "All models");
  await button(listed, "Install").focus();
  await page.keyboard.press("Enter");
  await expect(listed.getByRole("heading", { name })).toBeFocused();
  const progress = listed.getByRole("progressbar", { name: `Installing ${name}` });
  await expect(progress).toHaveAttribute("aria-valuetext", /%, Downloading, .* of /);
  await isAccessible(page);

  // Another administrator sees the same progress and pauses it.
  await signInAsSuperuser(other);
  await other.goto(`${server.url}/admin/models`);
  const recommended = itemIn(other, "What do you need?");
  await button(recommended, "Pause").click();
  await listed.getByText("Paused", { exact: true }).waitFor();
  await button(listed, "Resume").click();
  await listed.getByText("Downloading", { exact: true }).waitFor();
  await expect.poll(() => resumed().at(-1)?.sent ?? 0).toBeGreaterThan(50_000);

  // The server is killed during the download and continues where it was.
  await server.kill();
  await page.getByText("Couldn’t update this list.").waitFor();
  await server.restart();
  await expect(page.getByText("Couldn’t update this list.")).toHaveCount(0);
  await button(itemIn(page, "On this server"), "Remove").waitFor();
  // One resume after the pause, one after the restart: no byte was downloaded twice.
  expect(resumed()).toHaveLength(2);
  await button(itemIn(other, "On this server"), "Remove").waitFor();
  await isAccessible(page);

  // The model recognizes an uploaded file.
  await openSpeech(page, server.url);
  await drop(page, [fixture("harbor.wav")]);
  await inState(rowOf(page, "harbor.wav"), "completed").getByRole("link").first().click();
  await expect(page.getByRole("list", { name: "Transcript" })).toContainText(/hey/i);
});
