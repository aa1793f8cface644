// The process that unpacks one model: minutes of processor work must not block the server's event loop, and a file that
// crashes a parser crashes only this process. It ends with its server.
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { copyFile, link, open, readdir, rm, stat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import * as v from "valibot";
import { syncFolder } from "#server/storage/files.ts";
import { extractArchive, gunzipFile } from "./extract.ts";
import { asInstallationProblem, InstallationProblem } from "./installation-problem.ts";
import { type UnpackAnswer, UnpackTask } from "./unpack-messages.ts";

/** The bytes between reports of progress. */
const step = 1024 * 1024;

const say = (answer: UnpackAnswer) =>
  new Promise<void>((resolve) => process.send?.(answer, undefined, undefined, () => resolve()));

let said = 0;
function note(done: number): void {
  if (done - said < step) return;
  said = done;
  void say({ type: "progress", done });
}

async function unpack(task: UnpackTask): Promise<UnpackAnswer> {
  if (task.archive !== null) await extractArchive(task.archive, task, note);
  let before = 0;
  for (const { path, target, isCompressed } of task.files) {
    const to = join(task.staging, target);
    if (isCompressed) await gunzipFile(path, to, task.limits.keptBytes, (done) => note(before + done));
    else await linkDurably(path, to);
    before += (await stat(path)).size;
  }
  const folder = await modelFolder(task.staging);
  await dropFullPrecision(folder);
  const isPinned = await checkContents(folder, task);
  const files = await filesBelow(folder);
  for (const name of new Set(files.map(({ path }) => dirname(join(folder, path))))) await syncFolder(name);
  return { type: "unpacked", folder, files, isPinned };
}

/** The download stays in case the model is tried again. It takes no extra space if the file system supports links. */
async function linkDurably(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to));
  await using handle = await open(to, "r");
  await handle.sync();
}

/** The archive's own folder, whatever its name. */
async function modelFolder(staging: string): Promise<string> {
  const entries = await readdir(staging, { withFileTypes: true });
  const [only] = entries;
  return entries.length === 1 && only?.isDirectory() === true ? join(staging, only.name) : staging;
}

/**
 * Keeps the int8 file of two files of one network: a quarter of the size, nearly as accurate, and faster without a
 * graphics card.
 */
async function dropFullPrecision(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names) {
    if (name.endsWith(".onnx") && names.includes(name.replace(/\.onnx$/, ".int8.onnx"))) await rm(join(folder, name));
  }
}

/**
 * @returns whether each of them has a hash
 * @throws InstallationProblem `mismatch`
 */
async function checkContents(folder: string, { contents }: UnpackTask): Promise<boolean> {
  for (const { name, bytes, sha256 } of contents) {
    const path = join(folder, name);
    const size = await stat(path).then(
      (info) => info.size,
      () => undefined,
    );
    if (size === undefined) throw new InstallationProblem("mismatch", `${name} is not in the archive.`);
    if (bytes !== undefined && bytes !== size)
      throw new InstallationProblem("mismatch", `The size of ${name} differs from the published one.`);
    if (sha256 === undefined) continue;
    const hash = createHash("sha256");
    for await (const piece of createReadStream(path, { highWaterMark: step })) hash.update(piece);
    if (hash.digest("hex") !== sha256) {
      throw new InstallationProblem("mismatch", `The SHA-256 of ${name} differs from the published one.`);
    }
  }
  return contents.length > 0 && contents.every(({ sha256 }) => sha256 !== undefined);
}

async function filesBelow(folder: string): Promise<{ path: string; bytes: number }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(
    files.map(async (path) => ({ path: relative(folder, path).split(sep).join("/"), bytes: (await stat(path)).size })),
  );
}

process.on("disconnect", () => process.exit(1));
process.once("message", async (message) => {
  const answer = await unpack(v.parse(UnpackTask, message)).catch((error: unknown): UnpackAnswer => {
    const { failure, detail } = asInstallationProblem(error);
    return { type: "failed", failure, detail };
  });
  await say(answer);
  process.disconnect?.();
});
