import { expect, test } from "vitest";
import type { VoiceProfile, VoiceProfilesAnswer } from "#contract/index.ts";
import { answer, lost, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";

const path = "/users/me/voice-profiles";
const card = page.getByRole("region", { name: "Voice recognition" });
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

/**
 * A server that stores voice profiles.
 * @returns the changes
 */
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

test("explains what is stored before the user turns on voice recognition", async () => {
  const changes = await open({ enabled: false });
  await expect.element(card).toMatchTextContent("Voice recognition is off. No voice prints are stored.If you turn this on:");
  await expect.element(card).toMatchTextContent("Voice prints are biometric data.");
  await expect.element(card).toMatchTextContent("Ask the people you record for their consent before you turn this on.");
  await button("Turn on").click();
  await expect.element(card).toMatchTextContent("No profiles yet. Name a speaker in a transcript to create one.");
  await expect.element(card.getByRole("heading", { name: "Voice recognition is on." })).toHaveFocus();
  await expect.element(page.getByText("Voice recognition is on.")).toBeVisible();
  await expect.element(button("Delete all")).not.toBeInTheDocument();
  expect(changes).toEqual(["switched true"]);
});

test("stays visible without voice recognition while profiles are stored, and disappears afterwards", async () => {
  const changes = await open({ available: false });
  await expect.element(card).toMatchTextContent("This server can’t tell voices apart");
  await button("Turn off").click();
  await question.getByRole("button", { name: "Turn off and delete all" }).click();
  await expect
    .element(card.getByRole("heading", { name: "Voice recognition is off. No voice prints are stored." }))
    .toHaveFocus();
  await button("Turn on").click({ force: true });
  expect(changes).toEqual(["switched false"]);
  await openPage("/settings/transcription", { profile: { id: crypto.randomUUID() } });
  await expect.element(page.getByRole("region", { name: "Custom vocabulary" })).toBeVisible();
  await expect.element(card).not.toBeInTheDocument();
});

test("lists the known voices with their recordings, and marks profiles of another model", async () => {
  await open({ profiles: [voiceOf("Ada", { recordings: 1200 }), voiceOf("Grace", { current: false })] });
  const rows = card.getByRole("listitem").filter({ hasText: "Last heard" });
  await expect.element(card.getByRole("heading", { name: "Voice profiles: 2" })).toBeVisible();
  expect(rows.elements().map(({ textContent }) => textContent)).toEqual([
    "AdaRecordings: 1,200Last heard: 20 November 2026",
    "GraceRecordings: 1Last heard: 20 November 2026Made by another model: not compared at the moment",
  ]);
  await expect.element(card).not.toMatchTextContent("You have reached the limit of");
});

test("says that no more profiles are created after the hundredth", async () => {
  await open({ profiles: Array.from({ length: 100 }, (_, index) => voiceOf(`Voice ${index}`)) });
  await expect.element(card).toMatchTextContent("You have reached the limit of 100 profiles. Delete some you no longer need.");
});

test("renames a profile, and ignores Escape and an unchanged name", async () => {
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
  [refusal(409, "conflict"), "Another profile already has this name."],
  [refusal(404, "notFound"), "This profile was deleted elsewhere."],
  [lost(), "The server can’t be reached. Nothing was changed."],
  [refusal(500, "internal"), "That didn’t work. Nothing was changed."],
] as const)("says why a change of a profile failed (%#)", async ([refused, text]) => {
  await open({ profiles: [voiceOf("Ada")] });
  await button("Rename Ada").click();
  answer({ [`PATCH ${path}/:id`]: refused });
  await userEvent.keyboard("Grace{Enter}");
  await expect.element(card.getByText(text)).toBeVisible();
});

test("deletes one or all profiles, or turns recognition off, each after confirmation", async () => {
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
  await expect.element(card).toMatchTextContent("No profiles yet.");
  await button("Turn off").click();
  await expect.element(question).toMatchTextContent("Turn off voice recognition?");
  await question.getByRole("button", { name: "Turn off and delete all" }).click();
  await expect.element(card).toMatchTextContent("Voice recognition is off. No voice prints are stored.");
  expect(changes).toEqual(["Ada deleted", "all deleted", "switched false"]);
});

test("says that the profiles could not be loaded, and loads them on retry", async () => {
  answer({ [`GET ${path}`]: refusal(500, "internal") });
  await openPage("/settings/transcription", { profile: { id: crypto.randomUUID() } });
  await expect.element(card).toMatchTextContent("Couldn’t load your voice profiles.");
  answer({ [`GET ${path}`]: { enabled: true, available: true, profiles: [voiceOf("Ada")] } });
  await button("Try again").click();
  await expect.element(button("Rename Ada")).toBeVisible();
});
