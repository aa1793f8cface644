import { expect, test } from "vitest";
import { answer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import {
  act,
  changing,
  openTranscript,
  passage,
  persistTranscription,
  talk,
  undo,
} from "#tests/components/harness-transcripts.ts";
import { spokenSegment } from "#tests/fixtures/spoken.ts";

const four = [...talk, spokenSegment("It is, very.", 10, 12, { speaker: "1" })];
const name = page.getByLabelText("Speaker name");
const speakersOf = (server: { kept: { segments: readonly { speaker?: string | undefined }[] } }) =>
  server.kept.segments.map(({ speaker }) => speaker);
const colour = (index: number) => getComputedStyle(passage(index).element()).getPropertyValue("--speaker");
const ask = (index: number, time: string) =>
  passage(index)
    .getByRole("button", { name: `Who is speaking at ${time}?` })
    .click();

test("renames the speaker of a single passage", async () => {
  const server = await openTranscript({ segments: four });
  await ask(1, "0:04");
  await expect.element(name).toHaveValue("Speaker 1");
  await name.fill("Ben");
  await page.getByRole("button", { name: "Only this passage" }).click();
  await expect.element(passage(1).getByText("Ben")).toBeVisible();
  await expect.poll(() => speakersOf(server)).toEqual(["1", "Ben", "2", "1"]);
  await expect.element(undo).toHaveAttribute("aria-label", "Undo: speaker at 0:04 (passages: 1)");
});

// PROMISE correcting: A speaker is renamed here, from here on or everywhere, and has a colour
test("renames the speaker from a passage on, with the new speaker's color", async () => {
  const server = await openTranscript({ segments: four });
  await expect.element(passage(3)).toBeVisible();
  const [first, second] = [colour(0), colour(2)];
  expect([first === "", colour(1) === first, second === first, colour(3) === first]).toEqual([false, true, false, true]);
  await ask(1, "0:04");
  await userEvent.keyboard("Ben");
  await page.getByRole("button", { name: "From here on" }).click();
  await expect.poll(() => speakersOf(server)).toEqual(["1", "Ben", "2", "Ben"]);
  await expect.poll(() => [colour(3) === colour(1), colour(1) === first]).toEqual([true, false]);
  await expect.element(undo).toHaveAttribute("aria-label", "Undo: speaker at 0:04 (passages: 2)");
  await undo.click();
  await expect.poll(() => speakersOf(server)).toEqual(["1", "1", "2", "1"]);
});

test("renames a speaker everywhere with Enter, removes an empty name, and ignores Escape and an unchanged name", async () => {
  const server = await openTranscript({ segments: four });
  const change = () => page.getByRole("button", { name: "Speaker 1, at 0:00: change name" });
  await change().click();
  await userEvent.keyboard("{Escape}");
  await expect.element(change()).toHaveFocus();
  await change().click();
  await userEvent.keyboard("{Enter}");
  await change().click();
  await name.fill("  ");
  await userEvent.keyboard("{Enter}");
  await expect.poll(() => speakersOf(server)).toEqual([undefined, undefined, "2", undefined]);
  expect(server.updates).toHaveLength(1);
  // These passages have no speaker, so the first option is this passage alone.
  await ask(0, "0:00");
  await userEvent.keyboard("Ada{Enter}");
  await expect.poll(() => speakersOf(server)).toEqual(["Ada", undefined, "2", undefined]);
});

test("shows the talk time of each speaker when there are several", async () => {
  const server = await openTranscript({ segments: four });
  await act("Speakers");
  const times = page.getByRole("list", { name: "Talk time" });
  await expect.poll(() => textsOf(times.getByRole("listitem"))).toEqual(["Speaker 1 0:09 · 75%", "Speaker 2 0:03 · 25%"]);
  server.tell({ segments: talk.slice(0, 2) });
  await expect.element(times).not.toBeInTheDocument();
});

test("detects the given number of speakers, and shows the progress", async () => {
  const server = await openTranscript({ hasAudio: true });
  await act("Speakers");
  await page.getByText("Who spoke?", { exact: true }).click();
  await page.getByRole("button", { name: "3 people" }).click();
  await expect.poll(() => server.updates).toEqual([{ diarize: { speakers: 3 } }]);
  server.tell({ progress: { stage: "diarizing", fraction: 0.4, secondsLeft: null } });
  await expect.element(page.getByText("Identifying the speakers").first()).toBeVisible();
  server.tell({ progress: { stage: "finished", fraction: 1, secondsLeft: null } });
  await expect.element(page.getByText("Identifying the speakers")).not.toBeInTheDocument();
  answer({ [`PUT ${changing}`]: refusal(503, "engineUnavailable") });
  await page.getByText("Who spoke?", { exact: true }).click();
  await page.getByRole("button", { name: "Identify speakers" }).click();
  await expect.element(page.getByRole("alert").first()).toBeVisible();
});

test("offers no speaker detection without audio or during processing", async () => {
  const server = await openTranscript();
  await act("Speakers");
  await expect.element(page.getByRole("list", { name: "Talk time" })).toBeVisible();
  await expect.element(page.getByText("Who spoke?")).not.toBeInTheDocument();
  server.tell({ hasAudio: true });
  await expect.element(page.getByText("Who spoke?")).toBeVisible();
  server.tell({ status: "processing" });
  await expect.element(page.getByText("Who spoke?")).not.toBeInTheDocument();
});

test("suggests a known voice, names the speaker on yes, and tells the server on no", async () => {
  const server = persistTranscription({ segments: four });
  const path = "/api/v1/audio-transcriptions/transcription/:id/suggestions";
  const grace = { speaker: "1", name: "Grace", profile: "p1" };
  const ben = { speaker: "2", name: "Ben", profile: "p2" };
  const declined: unknown[] = [];
  answer({
    [`GET ${path}`]: () => ({ suggestions: declined.length === 0 ? [grace, ben] : [grace] }),
    [`POST ${path}/declined`]: async ({ request }) => {
      declined.push(await request.json());
      return { suggestions: [grace] };
    },
  });
  await openPage("/transcription/talk");
  await expect.element(page.getByText("Is this Grace?")).toBeVisible();
  await page.getByRole("button", { name: "No, Speaker 2 is not Ben" }).click();
  await expect.element(page.getByText("Is this Ben?")).not.toBeInTheDocument();
  expect(declined).toEqual([{ speaker: "2", profile: "p2" }]);
  await page.getByRole("button", { name: "Yes, Speaker 1 is Grace" }).click();
  await expect.poll(() => speakersOf(server)).toEqual(["Grace", "Grace", "2", "Grace"]);
});
