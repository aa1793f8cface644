import { decodeJwt } from "jose";
import { test } from "vitest";
import { openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import { walkInBrowser } from "#tests/browser/harness-paths.ts";
import { createTranscriptionsPerson } from "#tests/browser/transcriptions/person.ts";
import type { WalkClock } from "#tests/paths/harness-stage.ts";
import { type TranscriptionsRig, transcriptionsWalk } from "#tests/paths/transcriptions/machine.ts";

// The paths of the history's machine, walked in a real browser: each state is what a person sees.

const shared = sharedParlance();

/** A command can fail here only when one was given. */
const situation = (rig: TranscriptionsRig, clock: WalkClock) => [
  transcriptionsWalk.situation(rig, clock),
  rig.commands.heard.length > rig.failures,
];

test("every transition of the history", async () => {
  const context = { reducedMotion: "reduce" } as const;
  await using visit = await openPage(shared.browser, { expected: [/Failed to load resource/], context });
  await openSignedIn(visit.page, shared.server, "/robots.txt");
  const token = await visit.page.evaluate(() => localStorage.getItem("jwtToken") ?? "");
  const person = await createTranscriptionsPerson(visit.page, shared.at, decodeJwt(token).sub ?? "");
  const fromTrash = "what comes back from the trash: trash.test.ts goes there and back";
  const excused = Object.fromEntries(
    ["failed", "loading", "loadingMore", "loadingRest", "settled"].map((state) => [
      `transcriptions.${state}: list.outdated → transcriptions.loading`,
      fromTrash,
    ]),
  );
  await walkInBrowser({ ...transcriptionsWalk, situation }, person, excused);
});
