// Makes the landing page's demonstration in public/demo: a recording of a real voice (server/speech/assets/jfk.wav)
// with the unedited text of the built-in model and the translation of Apertium. Run it again when one of these changes:
// node_modules/.bin/node scripts/demo.ts
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "#server/config/config.ts";
import { startServer } from "#server/start.ts";
import { root } from "./tools.mjs";

const work = mkdtempSync(join(tmpdir(), "parlance-demo-"));
const target = join(root, "public", "demo");

function encode(): string {
  const output = join(target, "jfk.mp3");
  // Reproducible output: no dates, no encoder version.
  const exact = ["-fflags", "+bitexact", "-flags:a", "+bitexact", "-map_metadata", "-1"];
  const source = join(root, "server", "speech", "assets", "jfk.wav");
  execFileSync("ffmpeg", ["-v", "error", "-y", "-i", source, ...exact, "-c:a", "libmp3lame", "-b:a", "48k", output]);
  return output;
}

async function transcribe(file: string): Promise<unknown> {
  const config = readConfig({ PORT: "0", WEB_PORT: "0", PARLANCE_DATA: join(work, "data") });
  const server = await startServer(config, { print: () => {} });
  const ask = async (path: string, init: RequestInit = {}) => (await fetch(server.apiUrl + path, init)).json();
  const json = { "Content-Type": "application/json" };
  const person = JSON.stringify({ email: "demo@example.org", password: "correct horse battery" });
  const { accessToken } = await ask("/auth/register", { method: "POST", headers: json, body: person });
  const headers = { Authorization: `Bearer ${accessToken}` };
  const bytes = readFileSync(file);
  const form = new FormData();
  const fields = { clientId: crypto.randomUUID(), sourceLanguage: "en", targetLanguage: "es", size: String(bytes.length) };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  form.set("file", new Blob([bytes]), "jfk.mp3");
  const base = "/api/v1/audio-transcriptions";
  let made = await ask(`${base}/upload-and-transcribe`, { method: "POST", headers, body: form });
  while (made.status === "processing") made = await ask(`${base}/transcription/${made.id}`, { headers });
  await server.close();
  return { engine: made.engine, durationSeconds: made.durationSeconds, segments: made.segments };
}

try {
  writeFileSync(join(target, "jfk.json"), `${JSON.stringify(await transcribe(encode()), null, 1)}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
