import { networkInterfaces } from "node:os";
import { test } from "vitest";
import { expect, openBrowser, openPage, signUp, startParlance } from "#tests/browser/harness.ts";
import { fixture, inState, openSpeech, rowOf } from "#tests/browser/harness-files.ts";

// A server reached by its IP address without https. The same at localhost: tests/browser/uploads/.

/** An address of this machine that browsers do not trust as they trust localhost. */
const address = Object.values(networkInterfaces())
  .flatMap((entries) => entries ?? [])
  .find(({ family, internal }) => family === "IPv4" && !internal)?.address;

test.skipIf(address === undefined)(
  "transcribes a file at the machine's http address, and explains what the microphone needs",
  async () => {
    await using server = await startParlance({ env: { HOST: "0.0.0.0" } });
    await using browser = await openBrowser({ microphone: "refused" });
    await using visit = await openPage(browser, { expected: [/Cross-Origin-Opener-Policy header has been ignored/] });
    const { page } = visit;
    const url = server.url.replace("localhost", address ?? "");
    await signUp(page, url);
    await openSpeech(page, url);
    expect(await page.evaluate(() => isSecureContext)).toBe(false);
    await page.locator("input[type=file]").setInputFiles(fixture("harbor.mp3"));
    await inState(rowOf(page, "harbor.mp3"), "completed").waitFor();
    await page.getByRole("button", { name: "Start recording" }).click();
    await page
      .getByRole("alert")
      .getByText(/The browser blocks the microphone because this connection isn’t secure/)
      .waitFor();
    await page.getByRole("link", { name: "Upload a recording instead" }).click();
    await page.getByRole("heading", { level: 1, name: "Upload files" }).waitFor();
  },
);
