import { expect, test, vi } from "vitest";
import { measureBucket } from "#server/admin/disk.ts";

test("measures a bucket by its keys and waits sixty times the listing's duration before the next listing", async () => {
  let time = 0;
  using _clock = vi.spyOn(performance, "now").mockImplementation(() => time);
  const sizes: Record<string, number> = {
    "audio/one/original": 1,
    "audio/one/original.part-2": 2,
    "live/two/0": 4,
    "uploads/three": 8,
    "vault/four/content": 16,
    "avatars/five.webp": 32,
    "blog-images/six.webp": 64,
    "restore-points/2026-03-01T12-00-00.000Z/objects/audio/one/original": 128,
  };
  let lists = 0;
  const bucket = {
    list: async function* (below: string) {
      expect(below).toBe("");
      lists += 1;
      time += 1_000;
      for (const [key, size] of Object.entries(sizes)) yield { key, size };
    },
  };
  const before = { database: 0, audio: 15, vault: 16, other: 224 };
  expect(await measureBucket(bucket)).toEqual(before);
  sizes["vault/seven/content"] = 256;
  time += 59_000;
  expect([await measureBucket(bucket), lists]).toEqual([before, 1]);
  time += 1_000;
  expect([await measureBucket(bucket), lists]).toEqual([{ ...before, vault: 272 }, 2]);
  // Another bucket has its own measurement.
  expect((await measureBucket({ list: async function* () {} })).audio).toBe(0);
});
