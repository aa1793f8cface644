import { expect, onTestFinished, test } from "vitest";
import { signInAgain, signUp, temporaryFolder } from "#tests/server/harness.ts";
import { fillHistory, promote, requestsOf, type Sizes, saveTalk } from "#tests/server/hostile.ts";
import { startWatched } from "#tests/server/watched.ts";

// The largest histories, with the event loop watched; ordinary sizes are in the tests of each feature.

/** ms of processor time; `npm run bench -- hostile` measures the real figures. */
const limitMs = 250;
const sizes: Sizes = { words: 60_000, segments: 2_000, edits: 400, texts: 60, textLength: 1_000_000 };

// PROMISE limits: One person never keeps the others waiting
test("never blocks the event loop with any request", async () => {
  const dataDir = await temporaryFolder();
  const first = await startWatched(dataDir);
  const person = await signUp(first);
  await first.close();
  await fillHistory(dataDir, person.email, sizes);
  await promote(dataDir, person.email);

  const server = await startWatched(dataDir);
  onTestFinished(() => server.close());
  const again = await signInAgain(server, person);
  const id = await saveTalk(again, sizes);
  const tooLong: string[] = [];
  for (const { name, send } of requestsOf(again, id, sizes)) {
    await server.held();
    await send();
    const { cpuMs } = await server.held();
    if (cpuMs > limitMs) tooLong.push(`${name}: ${Math.round(cpuMs)} ms`);
  }
  expect(tooLong).toEqual([]);
});
