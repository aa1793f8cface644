import { expect, test } from "vitest";
import type { RetentionRule } from "#contract/index.ts";
import { answer, holdAnswer, openPage, page, refusal } from "#tests/components/harness.ts";
import { optionsOf } from "#tests/components/harness-texts.ts";
import {
  openActions,
  openAgain,
  openTranscript,
  persistTranscription,
  transcriptionOf,
} from "#tests/components/harness-transcripts.ts";

// The retention of transcripts: chosen per folder, and shown on the transcript.

const base = "/api/v1/audio-transcriptions";
const dialog = page.getByRole("dialog");
const heading = (name: string) => dialog.getByRole("heading", { name, exact: true });
const said = dialog.getByRole("status");
const sound = dialog.getByLabelText("Recording", { exact: true });
const whole = dialog.getByLabelText("Transcript and recording");
const button = (name: string) => dialog.getByRole("button", { name, exact: true });
const nothing = { soon: 0, next: null };

async function open(name: string): Promise<void> {
  persistTranscription();
  const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 };
  answer({ [`GET ${base}/transcription-history`]: { data: [transcriptionOf()], pagination, next: null } });
  await openPage("/dashboard");
  await page.getByRole("button", { name: "Edit folders and tags" }).click();
  await button(`How long “${name}” is kept`).click();
}

test("shows what the chosen days would delete and when, and saves them only after that preview", async () => {
  const looked: RetentionRule[] = [];
  const saved: unknown[] = [];
  const previews = [
    { audio: { soon: 1, next: null }, text: nothing },
    { audio: nothing, text: nothing },
    { audio: nothing, text: { soon: 2, next: "2027-01-07T11:00:00.000Z" } },
  ];
  const held = holdAnswer();
  answer({
    [`GET ${base}/filing`]: { folders: [{ id: "calls", name: "Calls", colour: "green", count: 2 }], tags: [] },
    [`GET ${base}/retention`]: {
      rules: [
        { folderId: null, audioDays: 1, textDays: 1 },
        { folderId: "calls", audioDays: 45, textDays: null },
      ],
    },
    [`POST ${base}/retention/preview`]: async ({ request }) => {
      looked.push(await request.json());
      return previews[looked.length - 1] ?? held.answer();
    },
    [`PUT ${base}/retention`]: async ({ request }) => {
      const rule = await request.json();
      saved.push(rule);
      return saved.length === 1 ? refusal(500, "internal") : rule;
    },
  });
  await open("Calls");
  await expect.element(heading("How long “Calls” is kept")).toHaveFocus();
  await expect.element(sound).toHaveValue("45");
  await expect.element(whole).toHaveValue("");
  const usual = ["Deleted after 1 day", "Deleted after 7 days", "Deleted after 30 days"];
  const long = ["Deleted after 90 days", "Deleted after 180 days", "Deleted after 365 days", "Deleted after 730 days"];
  expect(optionsOf("Recording")).toEqual(["Kept forever", ...usual, "Deleted after 45 days", ...long]);
  expect(optionsOf("Transcript and recording")).toEqual(["Kept forever", ...usual, ...long]);
  await expect.element(said).toHaveTextContent("The recording of 1 transcript will be deleted tomorrow.");
  await sound.selectOptions("Deleted after 7 days");
  await expect.element(said).toHaveTextContent("No recording is due to be deleted.");
  await sound.selectOptions("Kept forever");
  await expect.element(said).toHaveTextContent("Nothing is deleted automatically.");
  await whole.selectOptions("Deleted after 30 days");
  await expect.element(button("Save")).toHaveAttribute("aria-disabled", "true");
  await expect.element(said).toHaveTextContent("");
  await button("Save").click({ force: true });
  expect(saved).toEqual([]);
  held.give({ audio: nothing, text: { soon: 2, next: "2027-01-07T11:00:00.000Z" } });
  const soon = "2 transcripts will move to the trash tomorrow. The next transcript will move to the trash on 7 January 2027.";
  await expect.element(said).toHaveTextContent(`${soon} You can restore transcripts from the trash for 30 days.`);
  await button("Save").click();
  await expect.element(dialog.getByRole("alert").filter({ hasText: /./ })).toBeVisible();
  await expect.element(button("Try again")).not.toBeInTheDocument();
  await button("Save").click();
  await expect.element(page.getByRole("status").getByText("Saved.").first()).toBeVisible();
  await expect.element(heading("Folders and tags")).toBeVisible();
  const rule = { folderId: "calls", audioDays: null, textDays: 30 };
  expect([looked.at(-1), saved]).toEqual([rule, [rule, rule]]);
  expect(looked[0]).toEqual({ folderId: "calls", audioDays: 45, textDays: null });
});

test("keeps transcripts outside of folders for ever by default, and retries failed requests", async () => {
  let isBroken = true;
  answer({
    [`GET ${base}/retention`]: () =>
      isBroken ? refusal(500, "internal") : { rules: [{ folderId: "calls", audioDays: 7, textDays: 7 }] },
    [`POST ${base}/retention/preview`]: () => (isBroken ? refusal(500, "internal") : { audio: nothing, text: nothing }),
  });
  await open("No folder");
  await expect.element(heading("How long transcripts without a folder are kept")).toHaveFocus();
  await expect.element(dialog.getByRole("alert").filter({ hasText: /./ })).toBeVisible();
  await expect.element(sound).not.toBeInTheDocument();
  isBroken = false;
  await button("Try again").click();
  await expect.element(said).toHaveTextContent("Nothing is deleted automatically.");
  await expect.element(sound).toHaveValue("");
  isBroken = true;
  await whole.selectOptions("Deleted after 7 days");
  await expect.element(button("Try again")).toBeVisible();
  await expect.element(button("Save")).toHaveAttribute("aria-disabled", "true");
  isBroken = false;
  await button("Try again").click();
  await expect.element(said).toMatchTextContent(/^No transcript is due to be deleted\./);
  // Cancel discards the choice.
  await button("Cancel").click();
  await button("How long “No folder” is kept").click();
  await expect.element(whole).toHaveValue("");
});

test("shows on a transcript when its sound and its text are deleted", async () => {
  const dates = (audioAt: string | null, textAt: string | null) => ({
    [`GET ${base}/transcription/:id/retention`]: { audioAt, textAt },
  });
  const server = await openTranscript();
  await expect.element(page.getByText(/^Moves to the trash on/)).not.toBeInTheDocument();
  answer(dates("2027-01-07T11:00:00.000Z", "2027-02-08T11:00:00.000Z"));
  await openAgain(server);
  await openActions();
  await expect.element(page.getByText("Recording will be deleted on 7 January 2027", { exact: true })).toBeVisible();
  await expect.element(page.getByText("Moves to the trash on 8 February 2027", { exact: true })).toBeVisible();
});
