import { expect, test } from "vitest";
import { page, userEvent } from "#tests/components/harness.ts";
import { focusedName, openTranscript, passage, passages, soundOfSilence, talk } from "#tests/components/harness-transcripts.ts";

/** The second word of each is not heard clearly. */
const hesitant = talk.map((segment) => ({
  ...segment,
  words: segment.words.map((word, i) => (i === 1 ? { ...word, confidence: 0.1 } : word)),
}));
const position = page.getByRole("slider", { name: "Position" });
const at = () => {
  const { value } = Object(position.element());
  return Number(value);
};
const status = (text: string) => page.getByText(text, { exact: true });

test("keys play, go back and forward and change the speed, also while a text is typed", async () => {
  soundOfSilence(60);
  await openTranscript({ hasAudio: true, durationSeconds: 60 });
  page.getByRole("heading", { level: 1 }).element().focus();
  await userEvent.keyboard(" ");
  await expect.element(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await passage(0).getByRole("button", { name: "Correct the text" }).click();
  await userEvent.keyboard("{Control>} {/Control}");
  await expect.element(page.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  const start = at();
  await userEvent.keyboard("{Alt>}ll{/Alt}");
  await expect.poll(at).toBeCloseTo(start + 6, 0);
  await userEvent.keyboard("{Alt>}j{/Alt}");
  await expect.poll(at).toBeCloseTo(start + 3, 0);
  await userEvent.keyboard("{Alt>}..,{/Alt}");
  await expect.element(page.getByRole("combobox", { name: "Speed" })).toHaveValue("1.1");
  await expect.element(page.getByRole("textbox", { name: "Text at 0:00" })).toHaveValue(talk[0]?.text ?? "");
});

test("the player's buttons do the same, speeds go from half to twice, and where it is, is said", async () => {
  soundOfSilence(60);
  await openTranscript({ hasAudio: true, durationSeconds: 60 });
  await expect.element(position).toHaveAttribute("aria-valuetext", "0:00 of 1:00");
  await page.getByRole("button", { name: "Forward 3 seconds" }).click();
  await page.getByRole("button", { name: "Forward 3 seconds" }).click();
  await page.getByRole("button", { name: "Back 3 seconds" }).click();
  await expect.element(page.getByText("0:03 / 1:00")).toBeVisible();
  await position.fill("42");
  await expect.element(page.getByText("0:42 / 1:00")).toBeVisible();
  await page.getByRole("button", { name: "Play from 0:07" }).click();
  await expect.element(page.getByRole("button", { name: "Pause" })).toBeVisible();
  await expect.poll(() => document.querySelector("[class*=spoken]")?.textContent).toBe("May");
  await page.getByRole("button", { name: "Pause" }).click();
  const speeds = [...document.querySelectorAll<HTMLOptionElement>("select[aria-label=Speed] option")].map(({ value }) => value);
  expect([speeds[0], speeds.at(-1), speeds.length]).toEqual(["0.5", "2", 16]);
});

test("a transcript without audio says so, and has no times to play from", async () => {
  await openTranscript();
  await expect.element(page.getByText("There is no audio for this transcript.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Play" })).not.toBeInTheDocument();
  await expect.element(passage(1).getByText("0:04")).toBeVisible();
});

test("keys are explained on request, and those without Alt can be switched off", async () => {
  await openTranscript();
  await page.getByRole("heading", { level: 1 }).click();
  await userEvent.keyboard("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect.element(dialog.getByText("left and right play the word before or after")).toBeVisible();
  await expect.element(dialog.getByRole("heading", { level: 2 })).toHaveFocus();
  await dialog.getByLabelText("Use keys without Alt").click();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  await userEvent.keyboard("?");
  await expect.element(dialog).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  // A choice of this browser, which the next test finds as it was.
  await dialog.getByLabelText("Use keys without Alt").click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test("keys go from unsure word to unsure word, and from row to row", async () => {
  await openTranscript({ segments: hesitant });
  await expect.element(page.getByText("were not heard clearly (3).")).toBeVisible();
  await userEvent.keyboard("{Alt>}u{/Alt}");
  await expect.element(status("“morning” at 0:00, 1 of 3")).toBeVisible();
  await userEvent.keyboard("{Alt>}u{/Alt}");
  await expect.element(status("“harbour” at 0:04, 2 of 3")).toBeVisible();
  await expect.poll(focusedName).toBe("Correct the text at 0:04");
  await userEvent.keyboard("{ArrowDown}");
  await expect.poll(focusedName).toBe("Correct the text at 0:07");
  await userEvent.keyboard("{Alt>}{Shift>}u{/Shift}{/Alt}");
  await expect.element(status("“harbour” at 0:04, 2 of 3")).toBeVisible();
  await page.getByRole("button", { name: "Previous unsure word" }).click();
  await expect.element(status("“morning” at 0:00, 1 of 3")).toBeVisible();
  await page.getByRole("button", { name: "Next unsure word" }).click();
  await expect.element(status("“harbour” at 0:04, 2 of 3")).toBeVisible();
  await expect.poll(focusedName).toBe("Correct the text at 0:04");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("textbox", { name: "Text at 0:04" })).toHaveFocus();
});

// PROMISE correcting: People go from unsure word to unsure word and mark them as right
test("a word that was not heard clearly is marked as right, by key and by button, and the next one is shown", async () => {
  const server = await openTranscript({ segments: hesitant });
  await expect.element(page.getByRole("button", { name: "This word is right" })).not.toBeInTheDocument();
  await passage(0).getByText("morning").click();
  await expect.element(status("“morning” at 0:00, 1 of 3")).toBeVisible();
  await page.getByRole("button", { name: "This word is right" }).click();
  await expect.element(status("“harbour” at 0:04, 1 of 2")).toBeVisible();
  await expect.poll(focusedName).toBe("Correct the text at 0:04");
  await userEvent.keyboard("{Alt>}o{/Alt}");
  await expect.element(page.getByText("were not heard clearly (1).")).toBeVisible();
  await userEvent.keyboard("{Alt>}o{/Alt}");
  await expect.element(page.getByText("were not heard clearly")).not.toBeInTheDocument();
  await expect.poll(focusedName).toBe("Correct the text at 0:07");
  await expect
    .poll(() => server.kept.segments.flatMap(({ words }) => words).filter(({ confidence }) => confidence === 0.1))
    .toEqual([]);
  const undo = page.getByRole("button", { name: /^Undo/ });
  await expect.element(undo).toHaveAttribute("aria-label", "Undo: word marked as right at 0:07");
  await undo.click();
  await expect.element(page.getByText("were not heard clearly (1).")).toBeVisible();
  expect(passages.elements()).toHaveLength(3);
});

test("a passage that is corrected has no unsure mark any more, and none of its words is the one to look at", async () => {
  await openTranscript({ segments: hesitant });
  await userEvent.keyboard("{Alt>}u{/Alt}{Enter}{End} Yes.{Enter}");
  await expect.element(page.getByText("were not heard clearly (2).")).toBeVisible();
  await expect.poll(() => passage(0).element().querySelectorAll("[data-start]").length).toBe(8);
  expect(passage(0).element().querySelectorAll("[data-unsure], [class*=looked]")).toHaveLength(0);
});
