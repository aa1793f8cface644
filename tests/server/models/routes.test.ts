import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { AuditAnswer, Installation, ModelImport, ModelList, ModelsAnswer } from "#contract/index.ts";
import { archiveOf, sha256Of } from "#tests/fixtures/model-archive.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { eventually, read, refusal, signUp } from "#tests/server/harness.ts";
import { startWithSuperuser } from "#tests/server/superuser.ts";
import { entryOf, noise, startMirror, tinyArchive } from "./harness.ts";

async function start() {
  const bytes = await tinyArchive();
  const mirror = await startMirror();
  mirror.put("tiny.tar.bz2", bytes);
  const urls = ["https://models.invalid/x"];
  const catalogue = [
    entryOf("tiny", {
      archive: { name: "tiny.tar.bz2", urls, bytes: bytes.length, sha256: sha256Of(bytes) },
      wordErrors: { percent: 2, on: "x" },
    }),
    entryOf("huge", { memoryBytes: 10 ** 15, wordErrors: { percent: 1, on: "x" } }),
  ];
  const { server, superuser } = await startWithSuperuser({
    env: { MODELS_MIRROR: mirror.url },
    catalogue,
    installing: { tryModel: async () => ({}) },
  });
  const list = async () => read(await superuser.call("GET", "/admin/models"), 200, ModelsAnswer);
  const find = async (id: string) => (await list()).models.find((model) => model.id === id);
  const command = (id: string, name: string) => superuser.call("POST", `/admin/models/${id}/${name}`);
  const installed = (id: string) =>
    eventually(
      () => find(id),
      (model) => model?.installed != null,
    );
  const log = async () => (await read(await superuser.call("GET", "/admin/audit"), 200, AuditAnswer)).entries;
  return { server, superuser, mirror, bytes, list, find, command, installed, log };
}

test("a superuser lists, installs and removes a model, and the audit log records it", async () => {
  const { superuser, list, find, command, installed, mirror, log } = await start();
  const before = await list();
  expect(before).toMatchObject({ mirror: new URL(mirror.url).host, choices: { live: {} } });
  expect(before.machine.cores).toBeGreaterThan(0);
  expect(before.models.map(({ id }) => id)).toEqual(["tiny", "huge", "moonshine-tiny-en"]);
  expect(await find("tiny")).toMatchObject({
    check: "pinned",
    installed: null,
    installation: null,
    lacks: [],
    recommendedFor: ["en"],
  });
  expect(await find("huge")).toMatchObject({ lacks: ["memory"], recommendedFor: [] });

  const both = await Promise.all([command("tiny", "install"), command("tiny", "install")]);
  for (const answer of both) expect((await read(answer, 200, Installation)).failure).toBeNull();
  expect(await installed("tiny")).toMatchObject({
    check: "pinned",
    installed: { source: "catalogue", isInUse: false, fault: null },
    installation: { state: "installed" },
  });
  expect(mirror.requests.filter(({ path }) => path === "tiny.tar.bz2")).toHaveLength(1);
  expect(await refusal(await command("tiny", "install"))).toBe("409 conflict");
  expect(await refusal(await command("tiny", "pause"))).toBe("409 conflict");

  const file = await superuser.call("GET", "/admin/models/export");
  expect(file.headers.get("content-disposition")).toContain("parlance-models.json");
  expect(await read(file, 200, ModelList)).toMatchObject({ product: "parlance", models: [{ id: "tiny", check: "pinned" }] });

  expect((await superuser.call("DELETE", "/admin/models/tiny")).status).toBe(204);
  expect(await find("tiny")).toMatchObject({ installed: null });
  expect(await refusal(await superuser.call("DELETE", "/admin/models/tiny"))).toBe("404 notFound");
  expect(await refusal(await superuser.call("DELETE", "/admin/models/moonshine-tiny-en"))).toBe("409 conflict");
  expect(await find("moonshine-tiny-en")).toMatchObject({ installed: { source: "builtIn" } });
  const actions = (await log()).map(({ action, after, actor }) => [action, after.model, actor.email]);
  expect(actions).toEqual([
    ["removeModel", "tiny", superuser.email],
    ["installModel", "tiny", superuser.email],
  ]);
});

test("a superuser pauses, resumes and cancels a download", async () => {
  const { mirror, bytes, command, find, installed } = await start();
  mirror.put("tiny.tar.bz2", bytes, { stallsAfter: 64 * 1024 });
  await command("tiny", "install");
  await vi.waitFor(async () => expect((await find("tiny"))?.installation?.bytesDone).toBe(64 * 1024), timeLimit(50_000));
  const going = (await find("tiny"))?.installation;
  expect(going).toMatchObject({ state: "downloading", bytesTotal: bytes.length, host: new URL(mirror.url).host });
  expect((await read(await command("tiny", "pause"), 200, Installation)).state).toBe("paused");
  expect(await refusal(await command("tiny", "pause"))).toBe("409 conflict");
  expect(["waiting", "downloading"]).toContain((await read(await command("tiny", "resume"), 200, Installation)).state);
  expect((await read(await command("tiny", "cancel"), 200, Installation)).state).toBe("cancelled");
  mirror.put("tiny.tar.bz2", bytes);
  await command("tiny", "install");
  await installed("tiny");
  expect(await refusal(await command("unknown", "install"))).toBe("404 notFound");
  expect(await refusal(await command("huge", "resume"))).toBe("404 notFound");
});

test("imports a model from a file, known by its hash or name or recognized by its files", async () => {
  const { server, superuser, bytes, installed, mirror, command, find } = await start();
  const send = (name: string, body: Buffer) =>
    fetch(`${server.apiUrl}/admin/models/import?name=${encodeURIComponent(name)}`, {
      method: "POST",
      headers: { Authorization: `Bearer ${superuser.token}`, "Content-Type": "application/octet-stream" },
      body: new Uint8Array(body),
    });
  expect(await refusal(await send("tiny.tar.bz2", noise(1000)))).toBe("400 badRequest");
  expect(await refusal(await send("../x.tar.bz2", bytes))).toBe("400 badRequest");
  expect(await refusal(await send("x.exe", bytes))).toBe("400 badRequest");
  expect(await refusal(await send("x.tar.gz", Buffer.alloc(0)))).toBe("422 emptyFile");
  // An import is refused while the same model is being downloaded.
  mirror.put("tiny.tar.bz2", bytes, { stallsAfter: 64 * 1024 });
  await command("tiny", "install");
  await vi.waitFor(async () => expect((await find("tiny"))?.installation?.bytesDone).toBe(64 * 1024), timeLimit(50_000));
  expect(await refusal(await send("tiny.tar.bz2", bytes))).toBe("409 conflict");
  expect((await find("tiny"))?.installation).toMatchObject({ state: "downloading", bytesDone: 64 * 1024 });
  await command("tiny", "cancel");
  // Waits until the cancelled download has been deleted.
  await eventually(
    () => readdir(join(server.dataDir, "models", ".downloads")),
    (names) => names.length === 0,
  );
  // Under another name the model is known by its hash.
  expect(await read(await send("renamed.tar.bz2", bytes), 202, ModelImport)).toMatchObject({ id: "tiny" });
  expect(await installed("tiny")).toMatchObject({ check: "pinned", installed: { source: "file" } });
  expect(await refusal(await send("tiny.tar.bz2", bytes))).toBe("409 conflict");

  const own = await archiveOf([
    { name: "whisper-own/own-encoder.int8.onnx", content: "e" },
    { name: "whisper-own/own-decoder.int8.onnx", content: "d" },
    { name: "whisper-own/own-tokens.txt", content: "t" },
  ]);
  expect(await read(await send("whisper-own.tar.gz", own), 202, ModelImport)).toMatchObject({ id: "whisper-own" });
  expect(await installed("whisper-own")).toMatchObject({ kind: "whisper", check: "none", installed: { source: "file" } });
  const manifest = await readFile(join(server.dataDir, "models", "whisper-own", "parlance-model.json"), "utf8");
  expect(JSON.parse(manifest)).toMatchObject({ source: "file", check: "none" });
});

test("stores valid choices of models and refuses invalid ones", async () => {
  const { superuser, list } = await start();
  const put = (choices: object) => superuser.call("PUT", "/admin/models/choices", choices);
  const { engines } = await (await superuser.call("GET", "/api/v1/engines")).json().then((answer) => answer.speech);
  const chosen = { live: {}, files: { en: engines[0].id }, translation: {}, voices: { de: "espeak" } };
  expect((await put(chosen)).status).toBe(200);
  expect((await list()).choices).toEqual(chosen);
  for (const wrong of [
    { live: { en: "absent" } },
    { files: { tlh: engines[0].id } },
    { translation: { "en>es": ["absent"] } },
    { translation: { "en es": [] } },
    { voices: { en: "tiny" } },
  ]) {
    expect(await refusal(await put(wrong))).toBe("400 badRequest");
  }
  expect((await list()).choices).toEqual(chosen);
});

test("refuses model routes to everybody who is no superuser", async () => {
  const { server } = await start();
  const person = await signUp(server);
  for (const [method, path] of [
    ["GET", "/admin/models"],
    ["GET", "/admin/models/export"],
    ["PUT", "/admin/models/choices"],
    ["POST", "/admin/models/import?name=x.tar.gz"],
    ["POST", "/admin/models/tiny/install"],
    ["POST", "/admin/models/tiny/cancel"],
    ["DELETE", "/admin/models/tiny"],
  ] as const) {
    for (const answer of [await fetch(`${server.apiUrl}${path}`, { method }), await person.call(method, path)]) {
      expect(await refusal(answer)).toBe("401 adminRequired");
    }
  }
});
