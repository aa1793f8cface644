import { test } from "vitest";
import { expect, openPage, screenshots, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";

const shared = sharedParlance({ acrossFiles: true });

test("shows visitors the API's calls from the server's description in their language", {
  tags: "quick",
}, async () => {
  await using visit = await openPage(shared.browser, { context: { locale: "de-DE" }, expected: [/503/] });
  const { page } = visit;
  await page.route("**/openapi.json", (route) => route.fulfill({ status: 503, json: { message: "no" } }));
  await page.goto(shared.at("/api"));
  await page.getByText("konnte nicht geladen werden").waitFor();
  await page.unroute("**/openapi.json");
  await page.getByRole("button", { name: "Erneut versuchen" }).click();
  const call = page.getByRole("group").filter({ hasText: "/api/v1/audio-transcriptions/transcription/{id}/export" });
  await call.locator("summary").focus();
  await page.keyboard.press("Enter");
  await expect(call).toContainText("Transkription als Datei exportieren");
  await expect(call).toContainText("Braucht die Berechtigung transcriptions:read.");
  await expect(call).toContainText(`${shared.server.apiUrl}/api/v1/audio-transcriptions/transcription/{id}/export`);
  await screenshots(page, "api-reference");
  expect(await violations(page)).toEqual([]);
  // The name of a type links to the type.
  const reading = page
    .locator("#readTranscription, details")
    .filter({ hasText: "GET /api/v1/audio-transcriptions/transcription/{id}" })
    .first();
  await reading.locator("summary").click();
  await reading.getByRole("link", { name: "Transcription", exact: true }).first().click();
  await expect(page.getByRole("heading", { name: "Transcription", exact: true })).toBeInViewport();
  expect(new URL(page.url()).hash).toBe("#type-Transcription");
});
