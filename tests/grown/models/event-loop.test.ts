import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { ModelsAnswer } from "#contract/index.ts";
import { modelCatalogue } from "#server/models/catalogue-data.ts";
import { sha256Of, tarOf } from "#tests/fixtures/model-archive.ts";
import { read, temporaryFolder } from "#tests/server/harness.ts";
import { entryOf, startMirror } from "#tests/server/models/harness.ts";
import { startInstalling } from "#tests/server/models/programs/start.ts";
import { signUpSuperuser } from "#tests/server/superuser.ts";
import { startWatched } from "#tests/server/watched.ts";

// Frames of dictations arrive every 80 ms, and a step of an installation must not delay them longer. The test measures
// the processor time of the server's thread, which other processes don't change.

const limitMs = 100;
const megabyte = 1024 * 1024;

/** As large as the test's time allows: without pauses, each step with it would exceed the limit. */
async function archiveOfSize(bytes: number): Promise<Buffer> {
  return tarOf([
    { name: "tiny/model.int8.onnx", content: randomBytes(bytes) },
    { name: "tiny/tokens.txt", content: "a 0\n" },
  ]);
}

async function bzip2Of(bytes: Buffer): Promise<Buffer> {
  const child = spawn("bzip2", ["-1", "-c"], { stdio: ["pipe", "pipe", "ignore"] });
  child.stdin.end(bytes);
  return buffer(child.stdout);
}

test.each([
  ["plain", 256, async (tar: Buffer) => tar, {}],
  ["gzip", 64, async (tar: Buffer) => gzipSync(tar, { level: 1 }), {}],
  ["bzip2 by the system's program", 16, bzip2Of, {}],
  ["bzip2 in JavaScript", 4, bzip2Of, { PATH: "/nowhere" }],
])(
  "never blocks the event loop for 100 ms while an archive is downloaded, verified and unpacked (%s)",
  async (_, megabytes, packed, env) => {
    const name = "tiny.tar.bz2";
    const bytes = await packed(await archiveOfSize(megabytes * megabyte));
    const archive = { name, urls: [`https://models.invalid/${name}`], bytes: bytes.length, sha256: sha256Of(bytes) };
    const entry = entryOf("tiny", { archive, diskBytes: megabytes * megabyte });
    const mirror = await startMirror();
    mirror.put(name, bytes);
    const server = await startInstalling({ dataDir: await temporaryFolder(), entry, mirror: mirror.url }, { env });
    server.say("install");
    const { heldMs, ...ended } = await server.ended();
    expect(ended).toMatchObject({ state: "installed", models: ["tiny"] });
    expect(heldMs).toBeLessThan(limitMs);
  },
  120_000,
);

test("never blocks the event loop while all models are listed and chosen", async () => {
  const dataDir = await temporaryFolder();
  const pairs = modelCatalogue.filter(({ kind }) => kind === "bergamot");
  expect(pairs.length).toBeGreaterThan(90);
  for (const { id, files } of pairs) {
    const folder = join(dataDir, "models", id);
    await mkdir(folder, { recursive: true });
    for (const { name } of files) await writeFile(join(folder, name), "tiny");
  }
  const server = await startWatched(dataDir, { hasRealEngines: true });
  onTestFinished(server.close);
  const superuser = await signUpSuperuser({ ...server, dataDir });
  const list = async () => read(await superuser.call("GET", "/admin/models"), 200, ModelsAnswer);
  await list();
  await server.held();
  const { models, translation, choices } = await list();
  expect(models.filter(({ kind, installed }) => kind === "bergamot" && installed !== null)).toHaveLength(pairs.length);
  const [first] = translation ?? [];
  const key = first === undefined ? "de>en" : `${first.source}>${first.target}`;
  const chosen = { ...choices, translation: { [key]: ["bergamot"] } };
  expect((await superuser.call("PUT", "/admin/models/choices", chosen)).status).toBe(200);
  expect((await list()).choices.translation).toEqual({ [key]: ["bergamot"] });
  const { cpuMs } = await server.held();
  expect(cpuMs).toBeLessThan(limitMs);
});
