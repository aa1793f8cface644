// Makes the landing page's demonstration in public/demo: a recording spoken by flite, and what Parlance's own engines make of it, as it
// comes, nothing edited. Run it again when the engines change: node_modules/.bin/node scripts/demo.ts
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readConfig } from "#server/config.ts";
import { startServer } from "#server/start.ts";
import { root } from "./tools.mjs";

const sentences = [
  "The bridge was built more than a hundred years ago.",
  "It was a good day for everyone in the village.",
  "Nobody knew what would happen next.",
];
/** Seconds of silence after each: a speaker's breath, by which utterances are told apart. */
const pause = 0.9;
const work = mkdtempSync(join(tmpdir(), "parlance-demo-"));
const target = join(root, "public", "demo");

function record(): string {
  const inputs = sentences.flatMap((sentence, at) => {
    const path = join(work, `${at}.wav`);
    execFileSync("flite", ["-voice", "slt", "-t", sentence, "-o", path]);
    return ["-i", path];
  });
  const padded = sentences.map((_, at) => `[${at}]apad=pad_dur=${pause}[s${at}];`).join("");
  const joined = `${sentences.map((_, at) => `[s${at}]`).join("")}concat=n=${sentences.length}:v=0:a=1`;
  const output = join(target, "bridge.mp3");
  const encoding = ["-map_metadata", "-1", "-ac", "1", "-ar", "24000", "-c:a", "libmp3lame", "-b:a", "32k"];
  execFileSync("ffmpeg", ["-v", "error", "-y", ...inputs, "-filter_complex", padded + joined, ...encoding, output]);
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
  form.set("file", new Blob([bytes]), "bridge.mp3");
  const base = "/api/v1/audio-transcriptions";
  let made = await ask(`${base}/upload-and-transcribe`, { method: "POST", headers, body: form });
  while (made.status === "processing") made = await ask(`${base}/transcription/${made.id}`, { headers });
  await server.close();
  return { engine: made.engine, durationSeconds: made.durationSeconds, segments: made.segments };
}

try {
  writeFileSync(join(target, "bridge.json"), `${JSON.stringify(await transcribe(record()), null, 1)}\n`);
} finally {
  rmSync(work, { recursive: true, force: true });
}
