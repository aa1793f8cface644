import { expect, test } from "vitest";
import { bodyOf } from "#server/outbound/body.ts";
import { follow } from "#server/outbound/request.ts";
import { leadingTo, openMedia, sending } from "#tests/server/media.ts";

const signal = AbortSignal.timeout(20_000);
const times = { connectMs: 5_000, idleMs: 5_000 };

test("connects to the checked address even when the name resolves differently a moment later", async () => {
  const media = await openMedia({ "/a": leadingTo("/b"), "/b": sending("found") });
  const policy = (answers: string[]) => ({
    allowed: new Set([`media.test:${media.port}`]),
    // No server listens at 127.0.0.2, where a second lookup for a request would lead.
    resolve: async () => [{ address: answers.shift() ?? "127.0.0.2" }],
    times,
  });
  const answer = await follow(`http://media.test:${media.port}/a`, policy(["127.0.0.1", "127.0.0.1"]), {}, signal);
  expect((await bodyOf(answer, 10, signal).next()).value?.toString()).toBe("found");
  answer.body.destroy();
  expect(media.asked.map(({ headers }) => headers.connection)).toEqual(["close", "close"]);
});
