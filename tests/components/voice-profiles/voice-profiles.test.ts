import { expect, test } from "vitest";
import type { VoiceProfile, VoiceProfilesAnswer } from "#contract/index.ts";
import { answer, lost, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";

const path = "/users/me/voice-profiles";
const card = page.getByRole("region", { name: "Recognised voices" });
const button = (name: string) => card.getByRole("button", { name, exact: true });
const question = page.getByRole("dialog");
const voiceOf = (id: string, parts: Partial<VoiceProfile> = {}): VoiceProfile => ({
  id,
  name: id,
  recordings: 1,
  createdAt: "2026-01-01T00:00:00.000Z",
  heardAt: "2026-11-20T12:00:00.000Z",
  current: true,
  ...parts,
});

/** A server that keeps voice profiles. @returns what was changed */
async function open(parts: Partial<VoiceProfilesAnswer> = {}): Promise<string[]> {
  const changes: string[] = [];
  let served: VoiceProfilesAnswer = { enabled: true, available: true, profiles: [], ...parts };
  answer({
    [`GET ${path}`]: () => served,
    [`PUT ${path}`]: async ({ request }) => {
      const { enabled } = await request.json();
      changes.push(`switched ${enabled}`);
      served = { ...served, enabled, profiles: [] };
      return served;
    },
    [`PATCH ${path}/:id`]: async ({ request, params }) => {
      const { name } = await request.json();
      changes.push(`${params.id} renamed ${name}`);
      served = { ...served, profiles: served.profiles.map((one) => (one.id === params.id ? { ...one, name } : one)) };
      return served;
    },
    [`DELETE ${path}/:id`]: ({ params }) => {
      changes.push(`${params.id} deleted`);
      served = { ...served, profiles: served.profiles.filter(({ id }) => id !== params.id) };
      return served;
    },
    [`DELETE ${path}`]: () => {
      changes.push("all deleted");
      served = { ...served, profiles: [] };
      return served;
    },
  });
  await openPage("/settings/transcription", { profile: { id: crypto.randomUUID() } });
  return changes;
}

test("says what is kept before voices are recognised, and switches it on", async () => {
  const changes = await open({ enabled: false });
  await expect.element(card).toMatchTextContent("No voice is kept.If you switch this on:");
  await expect.element(card).toMatchTextContent("Voice prints are biometric data.");
  await expect.element(card).toMatchTextContent("Ask the people whom you record for their consent before you switch this on.");
  await button("Recognise voices").click();
  await expect.element(card).toMatchTextContent("There is no profile yet. Name a speaker in a transcript, and one is made.");
  await expect.element(card.getByRole("heading", { name: "Voices are recognised." })).toHaveFocus();
  await expect.element(page.getByText("Voices are recognised from now on.")).toBeVisible();
  await expect.element(button("Delete all")).not.toBeInTheDocument();
  expect(changes).toEqual(["switched true"]);
});

test("stays on a server that tells no voices apart as long as voices are kept, and is gone the next time", async () => {
  const changes = await open({ available: false });
  await expect.element(card).toMatchTextContent("This server can’t tell voices apart");
  await button("Switch off").click();
  await question.getByRole("button", { name: "Switch off and delete all" }).click();
  await expect.element(card.getByRole("heading", { name: "No voice is kept." })).toHaveFocus();
  await button("Recognise voices").click({ force: true });
  expect(changes).toEqual(["switched false"]);
  await openPage("/settings/transcription", { profile: { id: crypto.randomUUID() } });
  await expect.element(page.getByRole("region", { name: "Words to expect" })).toBeVisible();
  await expect.element(card).not.toBeInTheDocument();
});

test("lists whose voices are known, in how many recordings, and which are not compared", async () => {
  await open({ profiles: [voiceOf("Ada", { recordings: 1200 }), voiceOf("Grace", { current: false })] });
  const rows = card.getByRole("listitem").filter({ hasText: "Last heard" });
  await expect.element(card.getByRole("heading", { name: "Voice profiles: 2" })).toBeVisible();
  expect(rows.elements().map(({ textContent }) => textContent)).toEqual([
    "AdaRecordings: 1,200Last heard: 20 November 2026",
    "GraceRecordings: 1Last heard: 20 November 2026From another model: not compared at present",
  ]);
  await expect.element(card).not.toMatchTextContent("is the most");
});

test("says that no more profiles are made from the hundredth on", async () => {
  await open({ profiles: Array.from({ length: 100 }, (_, index) => voiceOf(`Voice ${index}`)) });
  await expect
    .element(card)
    .toMatchTextContent("Further ones are not made: 100 is the most. Delete some that you no longer need.");
});

test("renames a profile: Escape and the same name change nothing", async () => {
  const changes = await open({ profiles: [voiceOf("Ada")] });
  const name = card.getByRole("textbox", { name: "Name" });
  await button("Rename Ada").click();
  await expect.element(name).toHaveFocus();
  await userEvent.keyboard("Grace{Escape}");
  await expect.element(button("Rename Ada")).toHaveFocus();
  await button("Rename Ada").click();
  await userEvent.keyboard("{Enter}");
  await expect.element(name).not.toBeInTheDocument();
  expect(changes).toEqual([]);
  await button("Rename Ada").click();
  await userEvent.keyboard(" Grace {Enter}");
  await expect.element(button("Rename Grace")).toBeVisible();
  expect(changes).toEqual(["Ada renamed Grace"]);
});

test.for([
  [refusal(409, "conflict"), "Another profile has this name already."],
  [refusal(404, "notFound"), "This profile was deleted elsewhere."],
  [lost(), "The server can’t be reached. Nothing was changed."],
  [refusal(500, "internal"), "That did not work. Nothing was changed."],
] as const)("says why a change did not work (%#)", async ([refused, text]) => {
  await open({ profiles: [voiceOf("Ada")] });
  await button("Rename Ada").click();
  answer({ [`PATCH ${path}/:id`]: refused });
  await userEvent.keyboard("Grace{Enter}");
  await expect.element(card.getByText(text)).toBeVisible();
});

test("deletes one profile, all of them, or switches it off, each after a question", async () => {
  const changes = await open({ profiles: [voiceOf("Ada"), voiceOf("Grace")] });
  await button("Delete Ada").click();
  await expect.element(question).toMatchTextContent("Delete the voice profile of Ada?");
  await question.getByRole("button", { name: "Cancel" }).click();
  await button("Delete Ada").click();
  await question.getByRole("button", { name: "Delete", exact: true }).click();
  await expect.element(card.getByRole("heading", { name: "Voice profiles: 1" })).toHaveFocus();
  await button("Delete all").click();
  await expect.element(question).toMatchTextContent("Delete all voice profiles?");
  await question.getByRole("button", { name: "Delete all" }).click();
  await expect.element(card).toMatchTextContent("There is no profile yet.");
  await button("Switch off").click();
  await expect.element(question).toMatchTextContent("No longer recognise voices?");
  await question.getByRole("button", { name: "Switch off and delete all" }).click();
  await expect.element(card).toMatchTextContent("No voice is kept.");
  expect(changes).toEqual(["Ada deleted", "all deleted", "switched false"]);
});

test("says that the profiles could not be loaded, and loads them when asked again", async () => {
  answer({ [`GET ${path}`]: refusal(500, "internal") });
  await openPage("/settings/transcription", { profile: { id: crypto.randomUUID() } });
  await expect.element(card).toMatchTextContent("Your voice profiles could not be loaded.");
  answer({ [`GET ${path}`]: { enabled: true, available: true, profiles: [voiceOf("Ada")] } });
  await button("Try again").click();
  await expect.element(button("Rename Ada")).toBeVisible();
});
