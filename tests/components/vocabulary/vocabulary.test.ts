import { expect, test } from "vitest";
import type { VocabularyAnswer } from "#contract/index.ts";
import { answer, openPage, page, refusal } from "#tests/components/harness.ts";

const words = page.getByRole("textbox", { name: "Your words" });

/** A server that keeps what it is sent. */
function keepVocabulary(text = "") {
  const kept: VocabularyAnswer = { text, revision: 1 };
  answer({
    "GET /users/me/vocabulary": () => kept,
    "PUT /users/me/vocabulary": async ({ request }) => {
      kept.text = (await request.json()).text;
      kept.revision += 1;
      return kept;
    },
  });
  return kept;
}

test("counts the words that are typed, and saves them", async () => {
  const kept = keepVocabulary();
  await openPage("/settings");
  await words.fill("Ada Lovelace\ncooper netties → Kubernetes\nnothing →");
  await expect.element(page.getByText("Words to expect: 2. Written differently: 1. Lines without effect")).toBeVisible();
  await expect.element(page.getByText("All saved.")).toBeVisible();
  expect(kept.text).toBe("Ada Lovelace\ncooper netties → Kubernetes\nnothing →");
});

test("saves what was typed last when the page is left at once", async () => {
  const kept = keepVocabulary("Ada");
  await openPage("/settings");
  await words.fill("Grace");
  await page.getByRole("link", { name: "Feedback" }).click();
  await expect.poll(() => kept.text).toBe("Grace");
});

test("says that the words are not saved, and saves them when asked again", async () => {
  const kept = keepVocabulary();
  await openPage("/settings");
  answer({ "PUT /users/me/vocabulary": refusal(400, "badRequest") });
  await words.fill("Grace");
  await expect.element(page.getByText("Your words are not saved yet.")).toBeVisible();
  answer({ "PUT /users/me/vocabulary": { text: "Grace", revision: 2 } });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByText("All saved.")).toBeVisible();
  expect(kept.text).toBe("");
});
