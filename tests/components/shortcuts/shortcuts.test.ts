import { expect, onTestFinished, test } from "vitest";
import { answer, openPage, page, recognize, refusal, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { persistTranscription, transcriptionOf } from "#tests/components/harness-transcripts.ts";

const profile = () => ({ id: crypto.randomUUID() });
const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
const heading = page.getByRole("heading", { level: 1 });
const leaveFields = () => heading.element().focus();
const focusedText = () => document.activeElement?.textContent;

/** Opens a dashboard that lists the talk below another transcript. */
async function openDashboard() {
  const { segments, ...talk } = transcriptionOf();
  persistTranscription();
  answer({
    "GET /api/v1/audio-transcriptions/transcription-history": {
      data: [{ ...talk, id: "first", title: "The first" }, talk],
      pagination: { page: 1, limit: 20, total: 2, totalPages: 1 },
    },
  });
  await openPage("/dashboard", { profile: profile() });
  await expect.element(page.getByRole("link", { name: "A talk" })).toBeVisible();
}

test("opens the upload with U, and focuses the search field with /", async () => {
  // The page searches while the user types.
  answer({ "GET /api/v1/audio-transcriptions/search": refusal(503, "internal") });
  await openPage("/feedback", { profile: profile() });
  leaveFields();
  await userEvent.keyboard("/");
  await expect.poll(() => location.pathname).toBe("/search");
  await expect.element(page.getByLabelText("Search")).toHaveFocus();
  leaveFields();
  await userEvent.keyboard("/");
  await expect.element(page.getByLabelText("Search")).toHaveFocus();
  await userEvent.keyboard("u");
  await expect.element(page.getByLabelText("Search")).toHaveValue("u");
  leaveFields();
  await userEvent.keyboard("u");
  await expect.poll(() => location.pathname).toBe("/file-upload-config");
});

test("opens the recorder with R and starts one recording", async () => {
  const realtime = recognize();
  await openPage("/feedback", { as: "premium", profile: profile() });
  leaveFields();
  await userEvent.keyboard("r");
  await expect.poll(() => location.pathname).toBe("/speech-to-text");
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
  await userEvent.keyboard("r");
  await expect.element(page.getByRole("button", { name: "Stop", exact: true })).toBeVisible();
});

test("starts a recording with one press on the dashboard", async () => {
  const realtime = recognize();
  await openDashboard();
  await page.getByRole("button", { name: "New recording" }).click();
  await expect.poll(() => location.pathname).toBe("/speech-to-text");
  await expect.poll(() => realtime.frames).toBeGreaterThan(0);
});

test("moves between the dashboard's rows with J and K, and edits the row's transcript with E", async () => {
  await openDashboard();
  leaveFields();
  await userEvent.keyboard("j");
  expect(focusedText()).toMatch(/^The first/);
  await userEvent.keyboard("j");
  expect(focusedText()).toMatch(/^A talk/);
  await userEvent.keyboard("k");
  expect(focusedText()).toMatch(/^The first/);
  await userEvent.keyboard("je");
  await expect.element(page.getByRole("textbox", { name: "Text at 0:00" })).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await userEvent.keyboard("j");
  await expect.poll(() => document.activeElement?.ariaLabel).toBe("Correct the text at 0:04");
  await userEvent.keyboard("e");
  await expect.element(page.getByRole("textbox", { name: "Text at 0:04" })).toHaveFocus();
});

test("lists the keys of the open page with ?", async () => {
  await openPage("/feedback", { profile: profile() });
  leaveFields();
  await userEvent.keyboard("?");
  await expect.poll(() => textsOf(dialog.getByRole("heading", { level: 3 }))).toEqual(["Everywhere"]);
  await userEvent.keyboard("{Escape}");
  await openDashboard();
  leaveFields();
  await userEvent.keyboard("?");
  await expect.poll(() => textsOf(dialog.getByRole("heading", { level: 3 }))).toEqual(["Everywhere", "Lists and passages"]);
});

test("ignores single keys while a dialog is open, or when the settings turn them off", async () => {
  onTestFinished(() => localStorage.removeItem("singleKeys"));
  await openPage("/settings/preferences", { profile: profile() });
  await page.getByRole("button", { name: "Show all shortcuts" }).click();
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard("u");
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  await page.getByLabelText("Use keys without Alt or Ctrl").click();
  leaveFields();
  await userEvent.keyboard("u?r/");
  await userEvent.keyboard("{Control>}k{/Control}");
  await expect.element(page.getByRole("dialog", { name: "Search and commands" })).toBeVisible();
  expect([location.pathname, dialog.elements()]).toEqual(["/settings/preferences", []]);
});
