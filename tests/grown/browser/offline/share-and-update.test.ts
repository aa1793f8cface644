import type { Page } from "playwright";
import { test } from "vitest";
import { expect, openPage, openSignedIn, type Parlance, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { fixture } from "#tests/browser/harness-files.ts";

// Files that another app shares with the installed page, and a new version of the page during a recording.

const shared = sharedParlance({ browser: { microphone: { speaks: fixture("microphone.wav") } } });
const context = { serviceWorkers: "allow" } as const;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const installed = (page: Page) => page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");

/** Posts a form that opens the page, as a phone does when an app shares a file. */
async function share(page: Page, server: Parlance, name: string): Promise<void> {
  await page.evaluate((file) => {
    const form = document.createElement("form");
    Object.assign(form, { action: "/share-target", method: "POST", enctype: "multipart/form-data" });
    const input = Object.assign(document.createElement("input"), { type: "file", name: "files" });
    const given = new DataTransfer();
    given.items.add(new File([new Uint8Array(50_000)], file, { type: "audio/mp4", lastModified: 1000 }));
    input.files = given.files;
    form.append(input);
    document.body.append(form);
    form.submit();
  }, name);
  await page.waitForURL(new URL("/file-upload-config?shared=*", server.url).href);
}

// PROMISE offline: A file that another app shares waits until its person confirms it
test("keeps a shared file over a reload until the person confirms it, and explains sharing before the first visit", async () => {
  await using visit = await openPage(shared.browser, { context });
  const { page } = visit;
  await openSignedIn(page, shared.server, "/dashboard");
  await installed(page);
  await share(page, shared.server, "Voice memo.m4a");
  const chosen = page.getByTestId("chosen");
  await chosen.getByText("Voice memo.m4a").waitFor();
  await page.getByText("Shared with Parlance. Nothing is uploaded until you start.").waitFor();
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await chosen.getByText("Voice memo.m4a").waitFor();
  await expect(page.getByTestId("upload")).toHaveCount(0);
  // Waits for the whole file: after that the test leaves the page, and the next page would send the end again.
  const arrived = page.waitForResponse((response) => response.request().method() === "PATCH" && response.ok());
  await button(page, "Start with 1 file").click();
  await page.getByTestId("upload").filter({ hasText: "Voice memo.m4a" }).waitFor();
  await arrived;
  await expect.poll(() => page.evaluate(async () => (await (await caches.open("parlance-shared")).keys()).length)).toBe(0);

  // A browser without a service worker posts to the server.
  const answer = await page.request.post(new URL("/share-target", shared.server.url).href, {
    multipart: { files: { name: "memo.m4a", mimeType: "audio/mp4", buffer: Buffer.alloc(100_000) } },
    maxRedirects: 0,
  });
  expect([answer.status(), answer.headers().location]).toEqual([303, "/file-upload-config?shared=missed"]);
  await page.goto(new URL("/file-upload-config?shared=missed", shared.server.url).href);
  await page.getByText("The shared file didn’t arrive because Parlance wasn’t ready").waitFor();
});

test("delays a new version until the end of a recording, and then offers it", async () => {
  // Without this, the page's policy would allow only one service worker address.
  await using visit = await openPage(shared.browser, { context: { ...context, bypassCSP: true } });
  const { page } = visit;
  await openSignedIn(page, shared.server, "/speech-to-text");
  await installed(page);
  await button(page, "Start recording").click();
  // A recording without words is thrown away, and an update does not wait for it.
  await page
    .getByTestId("captions")
    .getByText(/please/i)
    .waitFor();
  // Another worker for the same pages, as a new build has.
  await page.evaluate(() => navigator.serviceWorker.register("/service-worker.js?next", { scope: "/" }));
  const waiting = () => page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.waiting?.state ?? "none");
  await expect.poll(waiting).toBe("installed");
  await expect(page.getByText("A new version of Parlance is available.")).toHaveCount(0);
  await button(page, "Stop").click();
  await page.getByText("A new version of Parlance is available.").waitFor();
  expect(await violations(page)).toEqual([]);
  const loaded = page.waitForEvent("load");
  await button(page, "Update now").click();
  await loaded;
  await page.waitForURL(/\/transcription\//);
  await page.locator("[data-index]").first().waitFor();
  const controller = () => page.evaluate(() => navigator.serviceWorker.controller?.scriptURL ?? "none");
  await expect.poll(controller).toContain("?next");
});
