import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import { LoginAnswer, Transcription } from "#contract/index.ts";
import { report } from "#tests/bench/figures.ts";
import { subscribe } from "./subscribe.ts";

/**
 * The growth of the server's resident memory while a 2 GB file is uploaded and decoded. Run with node. The file (a WAV
 * of CD quality, nearly all silence) is generated during the upload, so that only the server needs disk space: 2 GB for
 * the original, 0.4 GB for its PCM. Exits with 1 above the limit.
 */
const fileBytes = 2 * 1024 ** 3;
const limitMiB = 64;
const MiB = 1024 * 1024;
const base = "/api/v1/audio-transcriptions";

/** 44,100 Hz, stereo, 16 bits. */
function header(): Buffer {
  const bytes = Buffer.alloc(44);
  bytes.write("RIFF", 0, "latin1");
  bytes.writeUInt32LE(fileBytes - 8, 4);
  bytes.write("WAVEfmt ", 8, "latin1");
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(2, 22);
  bytes.writeUInt32LE(44_100, 24);
  bytes.writeUInt32LE(44_100 * 4, 28);
  bytes.writeUInt16LE(4, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36, "latin1");
  bytes.writeUInt32LE(fileBytes - 44, 40);
  return bytes;
}

async function residentMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}

async function startServer(dataDir: string): Promise<{ pid: number; apiUrl: string; stop(): Promise<void> }> {
  const main = fileURLToPath(new URL("server-child.ts", import.meta.url));
  const env = { PATH: process.env.PATH, PORT: "0", WEB_PORT: "0", PARLANCE_DATA: dataDir };
  const child = spawn(process.execPath, [main], { env, stdio: ["ignore", "pipe", "inherit"] });
  const [apiUrl] = await once(createInterface({ input: child.stdout }), "line");
  const stop = async () => {
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
  };
  if (child.pid === undefined) throw new Error("The server did not start.");
  return { pid: child.pid, apiUrl: String(apiUrl), stop };
}

async function register(apiUrl: string): Promise<string> {
  const body = JSON.stringify({ email: "bench@example.org", password: "correct horse" });
  const answer = await fetch(`${apiUrl}/auth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body,
  });
  return v.parse(LoginAnswer, await answer.json()).accessToken;
}

async function upload(apiUrl: string, token: string): Promise<string> {
  const boundary = "parlance-bench";
  const field = (name: string, value: string) =>
    `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  const before = `${field("clientId", crypto.randomUUID())}${field("sourceLanguage", "en")}${field("size", String(fileBytes))}--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="long.wav"\r\nContent-Type: audio/wav\r\n\r\n`;
  const after = `\r\n--${boundary}--\r\n`;
  const sending = request(`${apiUrl}${base}/upload-and-transcribe`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": `multipart/form-data; boundary=${boundary}`,
      "Content-Length": Buffer.byteLength(before) + fileBytes + after.length,
    },
  });
  const answered = once(sending, "response");
  sending.write(before);
  sending.write(header());
  const silence = Buffer.alloc(MiB);
  for (let left = fileBytes - 44; left > 0; left -= MiB) {
    if (!sending.write(silence.subarray(0, Math.min(left, MiB)))) await once(sending, "drain");
  }
  sending.end(after);
  const [response] = await answered;
  const body = await text(response);
  if (response.statusCode !== 202) throw new Error(`upload: ${response.statusCode} ${body}`);
  return v.parse(Transcription, JSON.parse(body)).id;
}

async function finished(apiUrl: string, token: string, id: string): Promise<Transcription> {
  for (;;) {
    const answer = await fetch(`${apiUrl}${base}/transcription/${id}`, { headers: { Authorization: `Bearer ${token}` } });
    const transcription = v.parse(Transcription, await answer.json());
    if (transcription.status === "completed" || transcription.status === "failed") return transcription;
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

const dataDir = await mkdtemp(join(tmpdir(), "parlance-bench-"));
const server = await startServer(dataDir);
try {
  const token = await register(server.apiUrl);
  subscribe(dataDir);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  const baseline = await residentMiB(server.pid);
  let peak = baseline;
  const sampling = setInterval(async () => {
    peak = Math.max(peak, await residentMiB(server.pid));
  }, 20);
  const begun = performance.now();
  const id = await upload(server.apiUrl, token);
  const uploadedIn = (performance.now() - begun) / 1000;
  const uploadPeak = peak;
  const { status, durationSeconds, error } = await finished(server.apiUrl, token, id);
  const decodedIn = (performance.now() - begun) / 1000 - uploadedIn;
  clearInterval(sampling);
  const grown = peak - baseline;
  const MiBs = (value: number) => `${value.toFixed(1)} MiB`;
  report([
    { name: "File", value: `${fileBytes / MiB} MiB, ${((durationSeconds ?? 0) / 3600).toFixed(2)} h of audio` },
    { name: "Upload", value: `${uploadedIn.toFixed(1)} s, at most ${MiBs(uploadPeak)} resident` },
    { name: "Decoding", value: `${decodedIn.toFixed(1)} s, at most ${MiBs(peak)} resident` },
    { name: "Outcome", value: `${status}${error === null ? "" : `, ${error.code}`}`, ok: status === "completed" },
    {
      name: "Server memory, a 2 GB upload and its decoding add",
      value: MiBs(grown),
      limit: `${limitMiB} MiB`,
      ok: grown < limitMiB,
    },
  ]);
} finally {
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
