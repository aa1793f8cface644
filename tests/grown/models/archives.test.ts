import { describe, expect, test } from "vitest";
import { archiveOf } from "#tests/fixtures/model-archive.ts";
import { installArchive as install } from "#tests/server/models/harness.ts";

// Archives of tens of thousands of files; ordinary ones: tests/server/models/extract.test.ts.

describe("malicious model archive", () => {
  const tokens = { name: "m/tokens.txt", content: "a 0\n" };

  test("the malicious model archive is refused on disk and during the download if it unpacks to too much", async () => {
    const bomb = await archiveOf([tokens, { name: "m/model.onnx", content: Buffer.alloc(80_000_000) }]);
    expect(await install(bomb)).toMatchObject({ state: "failed", failure: "hostile" });
    const unwanted = await archiveOf([tokens, { name: "m/x.wav", content: Buffer.alloc(80_000_000) }]);
    expect(await install(unwanted)).toMatchObject({ state: "failed", failure: "hostile" });
  });

  test("the malicious model archive is refused with tens of thousands of entries", async () => {
    const many = Array.from({ length: 20_001 }, (_, at) => ({ name: `m/${at}`, content: "" }));
    expect(await install(await archiveOf(many))).toMatchObject({ state: "failed", failure: "hostile" });
  });
});
