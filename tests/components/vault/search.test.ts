import { expect, test } from "vitest";
import { answer, holdAnswer, openPage, page, refusal } from "#tests/components/harness.ts";
import { focusedName, passages, transcriptionOf } from "#tests/components/harness-transcripts.ts";
import { button, heading, type KeptVault, keepVault, silence, unlock } from "./kept-vault.ts";

const route = "/api/v1/encrypted-audio";
const field = page.getByLabelText("Search transcripts and names");
const hits = page.getByRole("list", { name: "Results" }).getByRole("listitem");

async function open(): Promise<void> {
  await openPage("/encrypted-audio", { as: "premium", profile: { id: crypto.randomUUID() } });
  await unlock();
  await expect.element(heading("In the vault")).toBeVisible();
}

const putTalk = (kept: KeptVault, name: string) => kept.put(name, silence(10), JSON.stringify(transcriptionOf()));

test("finds passages and names regardless of case and accents, and opens the page at the passage", async () => {
  const kept = await keepVault();
  await putTalk(kept, "Call");
  await kept.put("Hárbour tour", silence());
  await open();
  await field.fill("HARB");
  await expect.element(page.getByText("4 results")).toBeVisible();
  await expect.element(hits.first().getByRole("mark")).toMatchTextContent("Hárbour");
  await expect.element(hits.nth(3).getByRole("mark")).toMatchTextContent("Harbour");
  await field.fill("nowhere");
  await expect.element(page.getByText("No results")).toBeVisible();
  await expect.element(hits.first()).not.toBeInTheDocument();
  await field.fill("may harbour");
  await expect.element(page.getByText("1 result")).toBeVisible();
  await hits.first().getByRole("link").click();
  await expect.element(passages.nth(2)).toBeVisible();
  await expect.poll(focusedName).toBe("Play from 0:07");
  await expect
    .poll(() =>
      passages
        .nth(2)
        .getByRole("mark")
        .elements()
        .map(({ textContent }) => textContent),
    )
    .toEqual(["May", "Harbour"]);
  // The search words stay out of the address, because a reload sends the address to the server.
  expect(location.search).toBe("");
  await page.getByRole("link", { name: "All recordings" }).click();
  await expect.element(field).toHaveValue("may harbour");
  await expect.element(hits.first()).toBeVisible();
});

test("reads the texts in the background, and lets the user stop, resume and retry this", async () => {
  const kept = await keepVault();
  await putTalk(kept, "First");
  await putTalk(kept, "Second");
  const text = kept.texts.get("item-1");
  const held = holdAnswer();
  answer({ [`GET ${route}/:id/text`]: held.answer });
  await open();
  await field.fill("harbour");
  await expect.element(page.getByRole("progressbar", { name: "Transcripts searched: 0 of 2" })).toBeVisible();
  await button("Stop searching").click();
  await expect.element(page.getByText("0 of 2 transcripts searched.")).toBeVisible();
  held.give(new Response(text));
  answer({ [`GET ${route}/:id/text`]: refusal(500, "internal") });
  await button("Search the rest").click();
  await expect.element(page.getByRole("main").getByRole("alert").getByText("0 of 2 transcripts searched.")).toBeVisible();
  answer({ [`GET ${route}/:id/text`]: ({ params }) => new Response(params.id === "item-1" ? (text ?? null) : "no age file") });
  await button("Try again").click();
  await expect.element(page.getByText("3 results")).toBeVisible();
  await expect.element(page.getByText("1 transcript can’t be read, so it wasn’t searched.")).toBeVisible();
});

test("clears the search when the vault is locked, and indexes a corrected text again", async () => {
  const kept = await keepVault();
  await putTalk(kept, "Call");
  await open();
  await field.fill("harbour ask");
  await expect.element(page.getByText("1 result")).toBeVisible();
  await hits.first().getByRole("link").click();
  await button("Correct the text at 0:07").click();
  await page.getByRole("textbox", { name: "Text at 0:07" }).fill("About the lighthouse");
  await button("Save").click();
  await expect.element(passages.nth(2).getByText("About the lighthouse")).toBeVisible();
  await page.getByRole("link", { name: "All recordings" }).click();
  await expect.element(page.getByText("No results")).toBeVisible();
  await field.fill("lighthouse");
  await expect.element(page.getByText("1 result")).toBeVisible();
  await button("Lock").click();
  await unlock();
  await expect.element(field).toHaveValue("");
  await expect.element(hits.first()).not.toBeInTheDocument();
});
