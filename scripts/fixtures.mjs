// Makes the recordings in tests/fixtures/audio with flite and ffmpeg. They are committed; run it again when texts.ts
// changes: node_modules/.bin/node scripts/fixtures.mjs
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { harborText, marketText, microphoneText, talkSentences } from "#tests/fixtures/audio/texts.ts";

const folder = fileURLToPath(new URL("../tests/fixtures/audio/", import.meta.url));
const work = mkdtempSync(join(tmpdir(), "parlance-fixtures-"));
const fixture = (name) => join(folder, name);

function speak(text, path) {
  const script = join(work, "text.txt");
  writeFileSync(script, text);
  execFileSync("flite", ["-voice", "slt", "-f", script, "-o", path]);
}

/** Encodes reproducibly: no dates, no encoder version. */
function encode(inputs, output, ...options) {
  const exact = ["-fflags", "+bitexact", "-flags:a", "+bitexact", "-flags:v", "+bitexact", "-map_metadata", "-1"];
  execFileSync("ffmpeg", ["-v", "error", "-y", ...inputs, ...exact, ...options, output]);
}

const generated = (source) => ["-f", "lavfi", "-i", source];
const mono = ["-ac", "1", "-ar", "16000", "-c:a", "pcm_s16le"];

try {
  const picture = generated("color=c=0x1d3b53:s=160x120:r=5:d=30");
  const video = ["-c:v", "libx264", "-preset", "veryslow", "-pix_fmt", "yuv420p"];
  for (const [name, text] of [
    ["harbor", harborText],
    ["market", marketText],
  ]) {
    const spoken = join(work, `${name}.wav`);
    speak(text, spoken);
    const sound = ["-i", spoken];
    encode(sound, fixture(`${name}.wav`), ...mono);
    encode(sound, fixture(`${name}.mp3`), "-c:a", "libmp3lame", "-b:a", "32k");
    encode(sound, fixture(`${name}.m4a`), "-c:a", "aac", "-b:a", "56k");
    encode(sound, fixture(`${name}.ogg`), "-c:a", "libvorbis", "-q:a", "2");
    encode(sound, fixture(`${name}.opus`), "-c:a", "libopus", "-b:a", "24k");
    encode(sound, fixture(`${name}.webm`), "-c:a", "libopus", "-b:a", "24k");
    encode(sound, fixture(`${name}.flac`), "-c:a", "flac", "-compression_level", "12");
    encode([...sound, ...picture], fixture(`${name}.mp4`), "-shortest", ...video, "-c:a", "aac", "-b:a", "56k");
  }
  encode(picture, fixture("video-without-sound.mp4"), "-t", "2", ...video);

  const talk = talkSentences.flatMap((sentence, at) => {
    const path = join(work, `talk-${at}.wav`);
    speak(sentence, path);
    return ["-i", path];
  });
  const pauses = [0.3, 1.2, 0.4, 2, 0.6, 0.8, 1, 0.3];
  const padded = talkSentences.map((_, at) => `[${at}]apad=pad_dur=${pauses[at]}[s${at}];`).join("");
  const joined = talkSentences.map((_, at) => `[s${at}]`).join("");
  encode(talk, fixture("talk.wav"), "-filter_complex", `${padded}${joined}concat=n=${talkSentences.length}:v=0:a=1`, ...mono);

  const microphone = join(work, "microphone.wav");
  speak(microphoneText, microphone);
  // 48 kHz, because Chromium would resample anything else with its own filter.
  encode(
    ["-i", microphone],
    fixture("microphone.wav"),
    "-af",
    "adelay=1600,apad=pad_dur=4",
    "-ac",
    "1",
    "-ar",
    "48000",
    "-c:a",
    "pcm_s16le",
  );

  encode(generated("anullsrc=r=16000:cl=mono"), fixture("silent.wav"), "-t", "1.5", ...mono);
  encode(generated("anoisesrc=a=0.1:c=pink:r=16000:seed=7"), fixture("noise.wav"), "-t", "1.5", ...mono);
  encode(generated("sine=440:r=16000"), fixture("tone.wav"), "-t", "1.5", ...mono);

  // Truncated files, as after an interrupted download: their headers claim more.
  const bytes = (name) => readFileSync(fixture(name));
  writeFileSync(fixture("truncated.wav"), bytes("harbor.wav").subarray(0, 44 + 2 * 16_000 * 2));
  writeFileSync(fixture("truncated.mp3"), bytes("harbor.mp3").subarray(0, 16_000));
  writeFileSync(fixture("truncated.m4a"), bytes("harbor.m4a").subarray(0, 10_000));
  writeFileSync(fixture("empty.wav"), "");
  const header = Buffer.from(bytes("silent.wav").subarray(0, 44));
  header.writeUInt32LE(36, 4);
  header.writeUInt32LE(0, 40);
  writeFileSync(fixture("zero-seconds.wav"), header);
  writeFileSync(fixture("not-audio.mp3"), "This is a text whose name says that it is music.\n".repeat(40));
} finally {
  rmSync(work, { recursive: true, force: true });
}
