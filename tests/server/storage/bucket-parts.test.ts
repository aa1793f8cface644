import { StreamSplitter } from "@tus/utils";
import { expect, test } from "vitest";
import "#server/storage/bucket-parts.ts";
import { until } from "#tests/fixtures/until.ts";
import { temporaryFolder } from "#tests/server/harness.ts";

test("closes the next file and reports a failed part when the splitter is destroyed while opening it", async () => {
  let failed = 0;
  const splitter = new StreamSplitter({ chunkSize: 10, directory: await temporaryFolder() })
    .on("chunkStarted", () => splitter.destroy(new Error("The request was broken off.")))
    .on("chunkError", () => {
      failed += 1;
    });
  splitter.write(Buffer.from("abc"));
  await until(() => expect(splitter.errored).not.toBeNull());
  await until(() => expect([failed, splitter.fileHandle]).toEqual([2, null]));
});
