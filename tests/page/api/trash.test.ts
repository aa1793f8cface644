import { describe, expect, test } from "vitest";
import { batchSize } from "#contract/index.ts";
import { ApiError, createCall, createPlainSend } from "#src/api/http.ts";
import { createTrashApi } from "#src/api/transcriptions.ts";

const ids = Array.from({ length: batchSize + 2 }, (_, index) => `t${index}`);

/** The calls against a server that accepts every call except the one with this number, from 0. */
function setUp(refused: number) {
  const asked: string[][] = [];
  const send = createPlainSend("", async (_, init) => {
    const { ids: some }: { ids: string[] } = JSON.parse(String(init?.body));
    asked.push(some);
    if (asked.length > refused) return Response.json({ code: "tooManyRequests", message: "Later." }, { status: 429 });
    return Response.json({ done: some, failed: [] });
  });
  return { asked, api: createTrashApi(createCall(send)) };
}

describe("deletion of more transcriptions than one call accepts", () => {
  test("splits a long list of deletions into several calls", async () => {
    const { api, asked } = setUp(2);
    expect(await api.add(ids)).toEqual({ done: ids, failed: [] });
    expect(asked.map(({ length }) => length)).toEqual([batchSize, 2]);
  });

  test("reports what was deleted when a later call is refused", async () => {
    const { api } = setUp(1);
    const { done, failed } = await api.add(ids);
    expect(done).toEqual(ids.slice(0, batchSize));
    expect(failed).toEqual(ids.slice(batchSize).map((id) => ({ id, code: "tooManyRequests" })));
  });

  test("a deletion in several calls fails completely when the first call is refused", async () => {
    const { api, asked } = setUp(0);
    await expect(api.add(ids)).rejects.toBeInstanceOf(ApiError);
    expect(asked).toHaveLength(1);
  });
});
