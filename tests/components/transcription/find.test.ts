import { expect, onTestFinished, test, vi } from "vitest";
import { pageRouter } from "#src/browser/page-router.ts";
import { openPage, page, userEvent } from "#tests/components/harness.ts";
import {
  openTranscript,
  passages,
  persistTranscription,
  shownTexts,
  translatedTalk,
  undo,
} from "#tests/components/harness-transcripts.ts";
import { longTalk, spokenSegment } from "#tests/fixtures/spoken.ts";

const term = page.getByRole("searchbox", { name: "Find" });
const marks = () => [...document.querySelectorAll("li[data-index] mark")].map((mark) => mark.textContent);
const current = () => document.querySelector("mark[class*=current]");

test("moves between the hits, and replaces one or all of them as one undoable change", async () => {
  const server = await openTranscript();
  await expect.element(passages.first()).toBeVisible();
  await userEvent.keyboard("{Alt>}r{/Alt}");
  await term.fill("harbour");
  await expect.element(page.getByText("1 of 3")).toBeVisible();
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText("2 of 3")).toBeVisible();
  await userEvent.keyboard("{Shift>}{Enter}{Enter}{/Shift}");
  await expect.element(page.getByText("3 of 3")).toBeVisible();
  await page.getByRole("button", { name: "Next match" }).click();
  await expect.element(page.getByText("1 of 3")).toBeVisible();
  await page.getByRole("button", { name: "Previous match" }).click();
  await expect.element(page.getByText("3 of 3")).toBeVisible();
  expect([marks(), current()?.textContent]).toEqual([["harbour", "harbour", "Harbour"], "Harbour"]);
  await page.getByLabelText("Match case").click();
  await expect.element(page.getByText("1 of 2")).toBeVisible();
  await page.getByLabelText("Match case").click();

  await page.getByLabelText("Replace with").fill("port");
  await page.getByRole("button", { name: "Replace", exact: true }).click();
  await expect.element(page.getByText("1 of 2")).toBeVisible();
  await page.getByRole("button", { name: "Replace all" }).click();
  await expect.element(page.getByText("Replaced: 2")).toBeVisible();
  const now = ["Good morning and welcome to the port.", "The port is old.", "May I ask about the port?"];
  await expect.poll(shownTexts).toEqual(now);
  await expect.poll(() => server.kept.text).toBe(now.join(" "));
  await term.click();
  await userEvent.keyboard("{Escape}");
  await expect.element(page.getByRole("search")).not.toBeInTheDocument();
  await expect.element(undo).toHaveAttribute("aria-label", "Undo: replacement (passages: 2)");
  await userEvent.keyboard("{Control>}z{/Control}");
  await expect.poll(shownTexts).toEqual([now[0], "The harbour is old.", "May I ask about the Harbour?"]);
});

test("finds only whole words on request, and closes the search with its button", async () => {
  await openTranscript();
  const open = page.getByRole("button", { name: "Find and replace" });
  await open.click();
  await expect.element(open).toHaveAttribute("aria-expanded", "true");
  await term.fill("arbour");
  await expect.element(page.getByText("1 of 3")).toBeVisible();
  await page.getByLabelText("Whole words").click();
  await expect.element(page.getByText("No results")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Replace all" })).toHaveAttribute("aria-disabled", "true");
  await term.fill(" ");
  await expect.element(page.getByText("No results")).not.toBeInTheDocument();
  await open.click();
  await expect.element(open).toHaveAttribute("aria-expanded", "false");
  await open.click();
  await page.getByRole("button", { name: "Close search" }).click();
  await expect.element(term).not.toBeInTheDocument();
  await expect.element(open).toHaveFocus();
});

test("searches for the selected text", async () => {
  await openTranscript();
  await expect.element(passages.first()).toBeVisible();
  getSelection()?.selectAllChildren(document.querySelectorAll("[data-start]")[1] ?? document.body);
  await userEvent.keyboard("{Alt>}r{/Alt}");
  await expect.element(term).toHaveValue("morning");
});

test("finds hits in the translation, but does not replace them", async () => {
  await openTranscript({ segments: [...translatedTalk], targetLanguage: "es" });
  await page.getByRole("button", { name: "Find and replace" }).click();
  await term.fill("frase");
  await expect.element(page.getByText("1 of 3")).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Replace all" })).toHaveAttribute("aria-disabled", "true");
  expect(marks()).toEqual(["frase", "frase", "frase"]);
  // The letter occurs in the original and in the translation.
  await term.fill("a");
  await page.getByLabelText("Replace with").fill("x");
  await expect.element(page.getByRole("button", { name: "Replace all" })).not.toHaveAttribute("aria-disabled", "true");
  await page.getByRole("button", { name: "Next match" }).click();
  await page.getByRole("button", { name: "Next match" }).click();
  await expect.element(page.getByText("This match is in the translation, which follows the original.")).toBeVisible();
});

test("replaces hits in all of a three-hour transcript while only the visible rows are rendered", async () => {
  const server = await openTranscript({ segments: longTalk(3_000), durationSeconds: 10_800 });
  await expect.poll(() => passages.elements().length).toBeGreaterThan(5);
  expect(passages.elements().length).toBeLessThan(60);
  expect(passages.first().element().getAttribute("aria-setsize")).toBe("3000");
  await page.getByRole("button", { name: "Find and replace" }).click();
  await term.fill("bridge");
  await expect.element(page.getByText(/^1 of \d{4}$/)).toBeVisible();
  await userEvent.keyboard("{Shift>}{Enter}{/Shift}");
  await expect.poll(() => Number(current()?.closest("li")?.dataset.index)).toBeGreaterThan(2_900);
  await expect.poll(() => current()?.getBoundingClientRect().top).toBeLessThan(800);
  await page.getByLabelText("Replace with").fill("tunnel");
  await page.getByRole("button", { name: "Replace all" }).click();
  await expect.element(page.getByText(/^Replaced: \d{4}$/)).toBeVisible();
  await expect.poll(() => server.updates.length).toBe(1);
  expect([server.kept.text.includes("bridge"), server.kept.text.includes("tunnel")]).toEqual([false, true]);
});

/** Each passage contains a unique word. */
const numbered = Array.from({ length: 9 }, (_, at) =>
  spokenSegment(`The ${at + 1}th harbour is old and it is empty.`, at * 4, at * 4 + 4, {
    translation: "El puerto es viejo y no tiene barcos.",
  }),
);

test.for([3, 5, 8])("shows a hit in passage %i below the search bar when the page opens on a phone", async (at) => {
  onTestFinished(() => page.viewport(1280, 800));
  await page.viewport(390, 844);
  persistTranscription({ segments: numbered, targetLanguage: "es" });
  await openPage("/about");
  // Navigates as a row of the dashboard does.
  await pageRouter().navigate({ href: `/transcription/talk?find=${at}th`, resetScroll: false });
  await expect.poll(() => current()?.textContent).toBe(`${at}th`);
  const bar = await vi.waitUntil(() => document.querySelector("search")?.getBoundingClientRect());
  await expect.poll(() => current()?.getBoundingClientRect().bottom).toBeLessThan(844);
  expect(current()?.getBoundingClientRect().top).toBeGreaterThan(bar.bottom);
  expect(bar.height).toBeLessThan(160);
});

test("opens the transcript at the first hit after the given time, or else at the matching passage", async () => {
  persistTranscription({ segments: numbered });
  await openPage("/transcription/talk?at=8&find=harbour");
  await expect.poll(() => current()?.closest("li")?.dataset.index).toBe("2");
  await openPage("/transcription/talk?at=8&find=7th");
  await expect.poll(() => current()?.closest("li")?.dataset.index).toBe("6");
});
