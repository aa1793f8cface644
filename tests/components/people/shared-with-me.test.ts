import { expect, test } from "vitest";
import type { ReceivedShare } from "#contract/index.ts";
import { answer, holdAnswer, openPage, page, refusal } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";

// Transcripts of other people: offers and accepted ones.

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

test("lists shared transcripts, accepts an offer, and leaves a transcript after confirmation", async () => {
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
  await expect.element(heading("Transcripts shared with you")).toBeVisible();
  expect(rows()).toEqual([
    expect.stringMatching(
      /^Untitled From anna@example\.org ?Can correct ?Recorded: 4 March 2026 ?1:05 ?Invitation expires 1 April 2026 Accept Decline$/,
    ),
    expect.stringMatching(/^talk From anna@example\.org ?Can read ?Recorded: 4 March 2026 Open Leave$/),
  ]);
  await expect.element(main.getByRole("link", { name: "Open talk" })).toHaveAttribute("href", "/transcription/t-talk");
  await expect.element(main.getByRole("link", { name: "Untitled" })).not.toBeInTheDocument();
  await button("Accept Untitled").click();
  await expect.element(button("Accept Untitled")).toHaveAttribute("aria-busy", "true");
  await expect.element(button("Leave talk")).not.toHaveAttribute("aria-busy", "true");
  held.give({ shares: [{ ...offered, accepted: true, expiresAt: null }, share("talk")] });
  await done("You can open it now.");
  await expect.element(heading("Transcripts shared with you")).toHaveFocus();
  await expect.element(main.getByRole("link", { name: "Open Untitled" })).toBeVisible();
  await button("Leave talk").click();
  await expect.element(page.getByRole("dialog", { name: "Leave this transcript?" })).toBeVisible();
  await expect.element(dialog.getByText(/only anna@example\.org can share it with you again\.$/)).toBeVisible();
  await dialog.getByRole("button", { name: "Keep" }).click();
  await button("Leave talk").click();
  await dialog.getByRole("button", { name: "Leave", exact: true }).click();
  await done("Removed from your list.");
  expect(rows()).toHaveLength(1);
  answer({ [`GET ${path}`]: { shares: [] } });
  await button("Leave Untitled").click();
  await dialog.getByRole("button", { name: "Leave", exact: true }).click();
  await expect.element(main.getByRole("alert")).toHaveTextContent("Your access was removed in the meantime.");
  await expect.element(heading("Nothing is shared with you yet.")).toBeVisible();
  expect(sent).toEqual([
    ["accept", "offer/1"],
    ["leave", "talk"],
    ["leave", "offer/1"],
  ]);
});

test("declines an offer after confirmation, and says why the decline failed", async () => {
  answer({ [`GET ${path}`]: { shares: [offered] }, [`DELETE ${path}/:id`]: refusal(500, "internal") });
  await openPage("/shared-with-me");
  await button("Decline Untitled").click();
  await expect.element(page.getByRole("dialog", { name: "Decline this invitation?" })).toBeVisible();
  await dialog.getByRole("button", { name: "Decline", exact: true }).click();
  await expect.element(main.getByRole("alert")).toHaveTextContent("That didn’t work. Nothing was changed.");
  expect(rows()).toHaveLength(1);
});

test("retries loading the shared transcripts, and says that the server does not share any", async () => {
  const held = holdAnswer();
  answer({ [`GET ${path}`]: refusal(500, "internal") });
  await openPage("/shared-with-me");
  await expect.element(main.getByRole("alert").getByText("Couldn’t load what is shared with you.")).toBeVisible();
  answer({ [`GET ${path}`]: held.answer });
  await main.getByRole("button", { name: "Try again" }).click();
  await expect.element(main.getByText("Loading…").first()).toBeVisible();
  held.give(refusal(404, "notOffered"));
  await expect.element(main.getByText("Sharing between accounts isn’t available on this server.")).toBeVisible();
});
