import { expect, test } from "vitest";
import { page, userEvent } from "#tests/components/harness.ts";
import { focusedName, openTranscript, passage, passages, soundOfSilence, talk } from "#tests/components/harness-transcripts.ts";

/** The second word of each passage has a low confidence. */
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

test("plays, seeks and changes the speed with keys, also while the user types", async () => {
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

test("plays, seeks and shows the position with the player's controls, and offers speeds from half to double", async () => {
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

test("says that a transcript has no audio, and offers no times to play from", async () => {
  await openTranscript();
  await expect.element(page.getByText("This transcript has no audio.")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Play" })).not.toBeInTheDocument();
  await expect.element(passage(1).getByText("0:04")).toBeVisible();
});

test("shows the keyboard shortcuts on request, and lets the user turn off the keys without Alt", async () => {
  await openTranscript();
  await page.getByRole("heading", { level: 1 }).click();
  await userEvent.keyboard("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect
    .element(
      dialog.getByText(
        "The arrow keys work while a passage has the focus (press Tab until its time is framed): left and right play the previous or next word, up and down go to the previous or next passage",
      ),
    )
    .toBeVisible();
  await expect.element(dialog.getByRole("heading", { level: 2 })).toHaveFocus();
  await dialog.getByLabelText("Use keys without Alt").click();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  await userEvent.keyboard("?");
  await expect.element(dialog).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Keyboard shortcuts" }).click();
  // The browser stores this choice, so the test restores it.
  await dialog.getByLabelText("Use keys without Alt").click();
  await dialog.getByRole("button", { name: "Close" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test("moves with keys between uncertain words and between rows", async () => {
  await openTranscript({ segments: hesitant });
  await expect.element(page.getByText("have low confidence (3).")).toBeVisible();
  await userEvent.keyboard("{Alt>}u{/Alt}");
  await expect.element(status("“morning” at 0:00, 1 of 3")).toBeVisible();
  await userEvent.keyboard("{Alt>}u{/Alt}");
  await expect.element(status("“harbour” at 0:04, 2 of 3")).toBeVisible();
  await expect.poll(focusedName).toBe("Correct the text at 0:04");
  await userEvent.keyboard("{ArrowDown}");
  await expect.poll(focusedName).toBe("Correct the text at 0:07");
  await userEvent.keyboard("{Alt>}{Shift>}u{/Shift}{/Alt}");
  await expect.element(status("“harbour” at 0:04, 2 of 3")).toBeVisible();
  await page.getByRole("button", { name: "Previous uncertain word" }).click();
  await expect.element(status("“morning” at 0:00, 1 of 3")).toBeVisible();
  await page.getByRole("button", { name: "Next uncertain word" }).click();
  await expect.element(status("“harbour” at 0:04, 2 of 3")).toBeVisible();
  await expect.poll(focusedName).toBe("Correct the text at 0:04");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByRole("textbox", { name: "Text at 0:04" })).toHaveFocus();
});

// PROMISE correcting: People go from unsure word to unsure word and mark them as right
test("confirms an uncertain word with a key or a button, and shows the next one", async () => {
  const server = await openTranscript({ segments: hesitant });
  await expect.element(page.getByRole("button", { name: "Mark as correct" })).not.toBeInTheDocument();
  await passage(0).getByText("morning").click();
  await expect.element(status("“morning” at 0:00, 1 of 3")).toBeVisible();
  await page.getByRole("button", { name: "Mark as correct" }).click();
  await expect.element(status("“harbour” at 0:04, 1 of 2")).toBeVisible();
  await expect.poll(focusedName).toBe("Correct the text at 0:04");
  await userEvent.keyboard("{Alt>}o{/Alt}");
  await expect.element(page.getByText("have low confidence (1).")).toBeVisible();
  await userEvent.keyboard("{Alt>}o{/Alt}");
  await expect.element(page.getByText("have low confidence (")).not.toBeInTheDocument();
  await expect.poll(focusedName).toBe("Correct the text at 0:07");
  await expect
    .poll(() => server.kept.segments.flatMap(({ words }) => words).filter(({ confidence }) => confidence === 0.1))
    .toEqual([]);
  const undo = page.getByRole("button", { name: /^Undo/ });
  await expect.element(undo).toHaveAttribute("aria-label", "Undo: word confirmed at 0:07");
  await undo.click();
  await expect.element(page.getByText("have low confidence (1).")).toBeVisible();
  expect(passages.elements()).toHaveLength(3);
});

test("removes the marks of uncertain words from a corrected passage", async () => {
  await openTranscript({ segments: hesitant });
  await userEvent.keyboard("{Alt>}u{/Alt}{Enter}{End} Yes.{Enter}");
  await expect.element(page.getByText("have low confidence (2).")).toBeVisible();
  await expect.poll(() => passage(0).element().querySelectorAll("[data-start]").length).toBe(8);
  expect(passage(0).element().querySelectorAll("[data-unsure], [class*=looked]")).toHaveLength(0);
});
