import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect, test, vi } from "vitest";
import { childEnv } from "#tests/fixtures/child-env.ts";
import { archiveOf } from "#tests/fixtures/model-archive.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { tinySegmentation } from "#tests/fixtures/tiny-speakers.ts";
import { temporaryFolder } from "#tests/server/harness.ts";
import { startMirror } from "./harness.ts";

const root = join(import.meta.dirname, "../../..");

function start(dataDir: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", "scripts/models.ts", ...args], {
    cwd: root,
    env: { ...childEnv(), PARLANCE_DATA: dataDir, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]).then(([out, err, [code]]) => ({
    out,
    err,
    code: Number(code),
  }));
  return { child, ended };
}

const run = (dataDir: string, ...args: string[]) => start(dataDir, args).ended;

// PROMISE models: Commands list, install, try, check, export, import and remove models
test("commands list, import, check, export and remove models, but never remove the built-in one", async () => {
  const dataDir = await temporaryFolder();
  const builtIn = "moonshine-tiny-en";
  const listed = await run(dataDir, "list", "--language", "de");
  expect(listed.out).toMatch(/parakeet-tdt-0\.6b-v3-int8 .*CC-BY-4\.0/);
  expect(listed.out).not.toContain("streaming-zipformer-fr");

  const archive = join(dataDir, "own-segmentation.tar.gz");
  await writeFile(archive, await archiveOf([{ name: "own-segmentation/model.onnx", content: tinySegmentation() }]));
  expect(await run(dataDir, "import", archive)).toMatchObject({
    code: 0,
    out: expect.stringContaining("own-segmentation is installed."),
  });
  const all = (await run(dataDir, "list")).out;
  expect(all).toMatch(/own-segmentation · speakers .*installed \(check: none\)/);
  expect(all).toMatch(/^moonshine-tiny-en · Moonshine tiny .* MIT .*built in \(check: pinned\)$/m);
  expect(JSON.parse((await run(dataDir, "export")).out).models).toEqual([
    { id: "own-segmentation", check: "none", bytes: expect.any(Number) },
  ]);
  const checked = await run(dataDir, "check");
  expect([checked.code, checked.out.trim().split("\n").sort()]).toEqual([
    0,
    [
      `${builtIn}: unchanged since its installation (check: pinned)`,
      "own-segmentation: unchanged since its installation (check: none)",
    ],
  ]);
  await writeFile(join(dataDir, "models", "own-segmentation", "model.onnx"), "another network");
  expect(await run(dataDir, "check", "own-segmentation")).toMatchObject({
    code: 1,
    out: expect.stringMatching(/^own-segmentation: .*size of model\.onnx has changed.*\n$/),
  });
  expect((await run(dataDir, "remove", "own-segmentation")).code).toBe(0);
  expect(await run(dataDir, "remove", "own-segmentation")).toMatchObject({ code: 1, err: "This model is not installed.\n" });
  expect(await run(dataDir, "install", builtIn)).toMatchObject({ code: 0, out: `${builtIn} is already installed.\n` });
  expect(await run(dataDir, "remove", builtIn)).toMatchObject({ code: 1, err: expect.stringContaining("comes with Parlance") });
});

test("the command for recommended models has a line for each need and skips installed models", async () => {
  const dataDir = await temporaryFolder();
  const transducer = ["encoder.int8.onnx", "decoder.int8.onnx", "joiner.int8.onnx", "tokens.txt"];
  const unpacked: Record<string, string[]> = {
    "sherpa-onnx-nemo-parakeet-tdt-0.6b-v3-int8": transducer,
    "sherpa-onnx-whisper-small": ["small-encoder.int8.onnx", "small-decoder.int8.onnx", "small-tokens.txt"],
    "sherpa-onnx-pyannote-segmentation-3-0": ["model.onnx"],
    "3dspeaker_speech_campplus_sv_en_voxceleb_16k": ["x.onnx"],
    "kokoro-multi-lang-v1_0": ["model.onnx", "voices.bin", "tokens.txt"],
    "bergamot-en-de": ["model.bin", "vocab.spm"],
    "bergamot-de-en": ["model.bin", "vocab.spm"],
  };
  for (const [id, names] of Object.entries(unpacked)) {
    await mkdir(join(dataDir, "models", id), { recursive: true });
    for (const name of names) await writeFile(join(dataDir, "models", id, name), "x");
  }
  const lines = ["otherLanguages", "english", "speakers", "translation", "voices"].map((id) => `${id}: is already installed`);
  expect(await run(dataDir, "recommended", "--into", "de")).toMatchObject({ code: 0, out: `${lines.join("\n")}\n` });
  // Without a language the command says nothing about translation.
  expect((await run(dataDir, "recommended")).out).not.toContain("translation");
});

test("the same command resumes a download after Ctrl-C", async () => {
  const id = "3dspeaker_speech_campplus_sv_en_voxceleb_16k";
  const [path, bytes] = [`${id}/${id}.onnx`, 29_596_978];
  const dataDir = await temporaryFolder();
  await mkdir(join(dataDir, "models"), { recursive: true });
  const mirror = await startMirror();
  mirror.put(path, Buffer.alloc(bytes), { stallsAfter: 1024 * 1024 });
  const env = { MODELS_MIRROR: mirror.url };
  const download = join(dataDir, "models", ".downloads", id, `${id}.onnx`);

  const first = start(dataDir, ["install", id], env);
  await vi.waitFor(async () => expect((await stat(download)).size).toBe(1024 * 1024), timeLimit(100_000));
  first.child.kill("SIGINT");
  expect(await first.ended).toMatchObject({ code: 1, err: expect.stringContaining("Run the same command to continue.") });

  const second = start(dataDir, ["install", id], env);
  await vi.waitFor(() => expect(mirror.requests).toHaveLength(2), timeLimit(100_000));
  expect(mirror.requests[1]).toMatchObject({ path, range: `bytes=${1024 * 1024}-` });
  second.child.kill("SIGKILL");
  await second.ended;
});
