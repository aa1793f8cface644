import { expect, test } from "vitest";
import { answer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { persistTranscription } from "#tests/components/harness-transcripts.ts";

const transcribing = "POST /api/v1/audio-transcriptions/transcribe-url";
const field = page.getByRole("textbox", { name: "Address", exact: true });
const start = page.getByRole("button", { name: "Start" });

test.each([
  ["", "Enter the address of a recording."],
  ["This is not a valid address", "This is not a valid address. Example: https://example.org/talk.mp3"],
  ["ftp://example.org/talk.mp3", "The address must begin with http:// or https://."],
  ["https://ada:secret@example.org/talk.mp3", "Remove the name and password from the address: they would be stored with it."],
  [`https://example.org/${"a".repeat(4080)}`, "This address is too long."],
])("rejects an invalid address without sending it (%#)", async (address, problem) => {
  await openPage("/url-transcription-config");
  await field.fill(address);
  await start.click();
  await expect.element(page.getByText(problem)).toBeVisible();
  await expect.element(field).toHaveFocus();
  await expect.element(field).toHaveAttribute("aria-invalid", "true");
  await field.fill("https://example.org/talk.mp3");
  await expect.element(field).not.toHaveAttribute("aria-invalid");
});

test("sends an address with the chosen options, and follows its transcription", async () => {
  const asked: unknown[] = [];
  persistTranscription({ status: "processing", segments: [], text: "", origin: "url", title: "A talk" });
  answer({
    [transcribing]: async ({ request }) => {
      asked.push(await request.json());
      return persistTranscription({ status: "pending", segments: [], text: "", origin: "url" }).kept;
    },
  });
  await openPage("/url-transcription-config");
  await field.fill("example.org/talk.mp3");
  await page.getByRole("textbox", { name: "Title" }).fill("  My talk ");
  await page.getByRole("combobox", { name: "Translate to" }).selectOptions("German");
  await start.click();
  await expect.element(page.getByRole("list", { name: "Steps" })).toBeVisible();
  expect(location.pathname).toBe("/file-processing/talk");
  expect(asked).toEqual([
    {
      url: "https://example.org/talk.mp3",
      title: "My talk",
      targetLanguage: "de",
      sourceLanguage: expect.any(String),
      clientId: expect.stringMatching(/^[\da-f-]{36}$/),
    },
  ]);
});

test("keeps a refused address, and retries the same address with the same id", async () => {
  const ids: unknown[] = [];
  answer({
    [transcribing]: async ({ request }) => {
      const { clientId } = await request.json();
      ids.push(clientId);
      return refusal(422, "urlRefused");
    },
  });
  await openPage("/url-transcription-config");
  await field.fill("http://127.0.0.1:9/talk.mp3");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("alert").getByText("This address can’t be used.")).toBeVisible();
  await expect.element(field).toHaveValue("http://127.0.0.1:9/talk.mp3");
  await start.click();
  await expect.poll(() => ids.length).toBe(2);
  await field.fill("http://127.0.0.1:9/other.mp3");
  await start.click();
  await expect.poll(() => ids.length).toBe(3);
  expect([ids[0] === ids[1], ids[1] === ids[2]]).toEqual([true, false]);
});

test("restores the typed address, title and words on the next visit", async () => {
  await openPage("/url-transcription-config");
  await field.fill("https://example.org/unfinished");
  await page.getByRole("textbox", { name: "Title" }).fill("My talk");
  await page.getByRole("textbox", { name: "Custom vocabulary" }).fill("zebra crossing → Zebra");
  await openPage("/about");
  await openPage("/url-transcription-config");
  await expect.element(field).toHaveValue("https://example.org/unfinished");
  await expect.element(page.getByRole("textbox", { name: "Title" })).toHaveValue("My talk");
  await expect.element(page.getByRole("textbox", { name: "Custom vocabulary" })).toHaveValue("zebra crossing → Zebra");
  await expect.element(page.getByRole("checkbox", { name: "Identify speakers" })).not.toBeInTheDocument();
  await expect.element(page.getByText("The speech engine for this language can’t use custom vocabulary.")).toBeVisible();
});

test("accepts an address on the empty dashboard, and says there what is wrong with it", async () => {
  const asked: unknown[] = [];
  answer({
    [transcribing]: async ({ request }) => {
      asked.push(await request.json());
      return persistTranscription({ status: "pending", segments: [], text: "", origin: "url" }).kept;
    },
  });
  await openPage("/dashboard");
  for (const door of ["Speak", "Upload a recording", "Have a conversation"])
    await expect.element(page.getByRole("heading", { name: door, exact: true })).toBeVisible();
  await expect.element(page.getByText("You have 10.0 minutes remaining in your free tier.")).toBeVisible();
  const address = page.getByRole("textbox", { name: "Or paste the address of a recording or a podcast" });
  await address.fill("ftp://example.org/talk.mp3");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText("The address must begin with http:// or https://.")).toBeVisible();
  await expect.element(address).toHaveFocus();
  await address.fill("https://example.org/talk.mp3");
  await page.getByRole("main").getByRole("button", { name: "Transcribe", exact: true }).click();
  await expect.element(page.getByRole("list", { name: "Steps" })).toBeVisible();
  expect(location.pathname).toBe("/file-processing/talk");
  expect(asked).toEqual([expect.objectContaining({ url: "https://example.org/talk.mp3" })]);
});
