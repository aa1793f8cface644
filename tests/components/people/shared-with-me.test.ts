import { expect, test } from "vitest";
import type { ReceivedShare } from "#contract/index.ts";
import { answer, holdAnswer, openPage, page, refusal } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";

// Transcripts of other people: offers, and what was accepted.

const path = "/api/v1/audio-transcriptions/shared-with-me";
const main = page.getByRole("main");
const rows = () => textsOf(main.getByRole("list", { name: "Shared with me" }).getByRole("listitem"));
const button = (name: string) => main.getByRole("button", { name, exact: true });
const heading = (name: string) => main.getByRole("heading", { name, exact: true, level: 2 });
const dialog = page.getByRole("dialog");
const done = (text: string) => expect.element(page.getByRole("status").getByText(text, { exact: true })).toBeVisible();
const share = (id: string, more: Partial<ReceivedShare> = {}): ReceivedShare => ({
  ...{ id, transcription: `t-${id}`, title: id, date: "2026-03-04T11:00:00.000Z", durationSeconds: 65, by: "anna@example.org" },
  ...{ role: "read", accepted: true, expiresAt: null },
  ...more,
});
const offered = share("offer/1", { title: "", accepted: false, role: "correct", expiresAt: "2026-04-01T11:00:00.000Z" });

test("lists offers and accepted transcripts, accepts one, and leaves one after a question", async () => {
  const sent: unknown[] = [];
  const held = holdAnswer();
  answer({
    [`GET ${path}`]: { shares: [offered, share("talk", { durationSeconds: null })] },
    [`POST ${path}/:id`]: ({ params }) => {
      sent.push(["accept", params.id]);
      return held.answer();
    },
    [`DELETE ${path}/:id`]: ({ params }) => {
      sent.push(["leave", params.id]);
      return sent.length === 2 ? { shares: [{ ...offered, accepted: true, expiresAt: null }] } : refusal(404, "notFound");
    },
  });
  await openPage("/shared-with-me");
  await expect.element(heading("Transcripts of other people")).toBeVisible();
  expect(rows()).toEqual([
    expect.stringMatching(
      /^Without a title From anna@example\.org ?To correct ?Recorded: 4 March 2026 ?1:05 ?Offered until 1 April 2026 Accept Decline$/,
    ),
    expect.stringMatching(/^talk From anna@example\.org ?To read ?Recorded: 4 March 2026 Open Leave$/),
  ]);
  await expect.element(main.getByRole("link", { name: "Open talk" })).toHaveAttribute("href", "/transcription/t-talk");
  await expect.element(main.getByRole("link", { name: "Without a title" })).not.toBeInTheDocument();
  await button("Accept Without a title").click();
  await expect.element(button("Accept Without a title")).toHaveAttribute("aria-busy", "true");
  await expect.element(button("Leave talk")).not.toHaveAttribute("aria-busy", "true");
  held.give({ shares: [{ ...offered, accepted: true, expiresAt: null }, share("talk")] });
  await done("You can open it now.");
  await expect.element(heading("Transcripts of other people")).toHaveFocus();
  await expect.element(main.getByRole("link", { name: "Open Without a title" })).toBeVisible();
  await button("Leave talk").click();
  await expect.element(page.getByRole("dialog", { name: "Leave this transcript?" })).toBeVisible();
  await expect.element(dialog.getByText(/only anna@example\.org can share it with you again\.$/)).toBeVisible();
  await dialog.getByRole("button", { name: "Keep" }).click();
  await button("Leave talk").click();
  await dialog.getByRole("button", { name: "Leave", exact: true }).click();
  await done("It is gone from here.");
  expect(rows()).toHaveLength(1);
  answer({ [`GET ${path}`]: { shares: [] } });
  await button("Leave Without a title").click();
  await dialog.getByRole("button", { name: "Leave", exact: true }).click();
  await expect.element(main.getByRole("alert")).toHaveTextContent("It was taken away meanwhile.");
  await expect.element(heading("Nobody shares a transcript with you.")).toBeVisible();
  expect(sent).toEqual([
    ["accept", "offer/1"],
    ["leave", "talk"],
    ["leave", "offer/1"],
  ]);
});

test("declines an offer after a question, and says what did not work", async () => {
  answer({ [`GET ${path}`]: { shares: [offered] }, [`DELETE ${path}/:id`]: refusal(500, "internal") });
  await openPage("/shared-with-me");
  await button("Decline Without a title").click();
  await expect.element(page.getByRole("dialog", { name: "Decline this offer?" })).toBeVisible();
  await dialog.getByRole("button", { name: "Decline", exact: true }).click();
  await expect.element(main.getByRole("alert")).toHaveTextContent("That did not work. Nothing was changed.");
  expect(rows()).toHaveLength(1);
});

test("loads what is shared again when it could not be loaded, and says that a server shares nothing", async () => {
  const held = holdAnswer();
  answer({ [`GET ${path}`]: refusal(500, "internal") });
  await openPage("/shared-with-me");
  await expect.element(main.getByRole("alert").getByText("What is shared with you could not be loaded.")).toBeVisible();
  answer({ [`GET ${path}`]: held.answer });
  await main.getByRole("button", { name: "Try again" }).click();
  await expect.element(main.getByText("Loading…").first()).toBeVisible();
  held.give(refusal(404, "notOffered"));
  await expect.element(main.getByText("This server shares no transcripts with accounts.")).toBeVisible();
});
