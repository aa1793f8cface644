import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { DeviceTranslationAnswer, EnginesAnswer } from "#contract/index.ts";
import { read, refusal, signUp, startTestServer, temporaryFolder } from "#tests/server/harness.ts";
import { writeTinyMarian } from "#tests/server/translation/tiny-marian.ts";

// Tests of Bergamot's models, which let browsers translate by themselves.

const path = "/api/v1/device-translations/en/es";
const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

test("a signed-in browser can download only the files of an installed translation model", async () => {
  const dataDir = await temporaryFolder();
  const folder = join(dataDir, "models", "tiny");
  await writeTinyMarian(folder, { source: "en", target: "es" });
  const stranger = Buffer.from("No file of the model's.");
  await writeFile(join(folder, "notes.txt"), stranger);
  const server = await startTestServer({ dataDir });
  const person = await signUp(server);

  const { files } = await read(await person.call("GET", path), 200, DeviceTranslationAnswer);
  const names = ["model.enes.intgemm.alphas.bin", "lex.50.50.enes.s2t.bin", "vocab.enes.spm"];
  const contents = await Promise.all(names.map((name) => readFile(join(folder, name))));
  expect(files).toEqual(
    contents.map((content, at) => ({
      part: ["model", "shortlist", "vocabulary"][at],
      url: `${path}/${hashOf(content)}`,
      bytes: content.length,
      sha256: hashOf(content),
    })),
  );
  const { pairs } = (await read(await fetch(`${server.apiUrl}/api/v1/engines`), 200, EnginesAnswer)).translation;
  const sum = contents.reduce((bytes, { length }) => bytes + length, 0);
  expect(pairs.map(({ target, deviceBytes }) => [target, deviceBytes])).toEqual([
    ["es", sum],
    ["fr", undefined],
  ]);

  const [model] = contents;
  const url = files[0]?.url ?? "";
  const whole = await person.call("GET", url);
  expect([whole.status, whole.headers.get("Content-Length"), whole.headers.get("Cache-Control")]).toEqual([
    200,
    String(model?.length),
    "private, max-age=31536000, immutable",
  ]);
  expect(Buffer.from(await whole.arrayBuffer()).equals(model ?? Buffer.of())).toBe(true);
  const rest = await person.call("GET", url, undefined, { Range: "bytes=1000-" });
  expect([rest.status, rest.headers.get("Content-Range")]).toEqual([
    206,
    `bytes 1000-${Number(model?.length) - 1}/${model?.length}`,
  ]);
  expect(Buffer.from(await rest.arrayBuffer()).equals(model?.subarray(1000) ?? Buffer.of())).toBe(true);

  for (const asked of ["/api/v1/device-translations/en/fr", `${path}/${hashOf(stranger)}`, `${path}/..%2F${names[0]}`]) {
    expect(await refusal(await person.call("GET", asked))).toBe("404 notFound");
  }
  for (const asked of [path, url]) expect(await refusal(await fetch(`${server.apiUrl}${asked}`))).toBe("401 unauthorized");
});
