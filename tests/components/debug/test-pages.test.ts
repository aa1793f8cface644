import { expect, test } from "vitest";
import { openPage, page, recognize } from "#tests/components/harness.ts";
import { chooseFiles } from "#tests/components/harness-files.ts";

const start = page.getByRole("button", { name: "Start" });

test("leads a visitor to the sign-in page, and remembers the way back", async () => {
  await openPage("/test/realtime-transcription", { as: "visitor" });
  await expect.element(start).toBeDisabled();
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await expect.poll(() => localStorage.getItem("redirectTo")).toBe("/test/realtime-transcription");
  await expect.element(page.getByRole("textbox", { name: "E-mail" })).toBeVisible();
});

test("says that a file is not audio", async () => {
  await openPage("/test/chunked-transcription");
  await page.getByRole("combobox", { name: "Audio" }).selectOptions("file");
  const file = document.querySelector<HTMLInputElement>("input[type=file]");
  if (file === null) throw new Error("There is no field for a file.");
  await chooseFiles(page.elementLocator(file), new File(["no sound"], "not-audio.mp3", { type: "audio/mpeg" }));
  await start.click();
  await expect.element(page.getByRole("alert")).toMatchTextContent(/audio/i);
});

test("shows each message of the protocol, and the reason of a refusal", async () => {
  const realtime = recognize({ onStart: (now) => now.refuse("languageUnavailable") });
  await openPage("/test/realtime-transcription");
  await page.getByRole("combobox", { name: "Pace" }).selectOptions("fast");
  await start.click();
  await expect.element(page.getByTestId("log")).toMatchTextContent("← error");
  expect(realtime.starts).toMatchObject([{ sourceLanguage: "en" }]);
  await expect.element(page.getByTestId("log")).not.toMatchTextContent("token");
});
