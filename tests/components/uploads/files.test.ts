import { expect, test } from "vitest";
import type { Transcription } from "#contract/index.ts";
import { answer, api, engines, holdAnswer, openPage, openStream, page, refusal } from "#tests/components/harness.ts";
import { chooseFiles } from "#tests/components/harness-files.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { persistTranscription, talk, transcriptionOf } from "#tests/components/harness-transcripts.ts";

const uploads = "/api/v1/uploads";
const list = "/api/v1/audio-transcriptions";
const rows = page.getByTestId("upload");
const row = (name: string) => rows.filter({ hasText: name });
const states = () => rows.elements().map((element) => (element instanceof HTMLElement ? element.dataset.state : ""));
const overall = page.getByTestId("overall");
const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
const wav = (name: string, bytes = 72_000) => new File([new Uint8Array(bytes)], name, { type: "audio/wav" });

/** An answer of the tus protocol. Without a body, the intercepted XMLHttpRequest has no headers at its load event. */
const said = (headers: Record<string, string>) => new Response(".", { headers });
const decoded = (text: string) => new TextDecoder().decode(Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)));

/** A server that accepts files by the tus protocol, and processes them as the test defines. */
function keepUploads() {
  const received: Record<string, string>[] = [];
  const ended: string[] = [];
  let stream = openStream();
  let sizes: number[] = [];
  let made: Partial<Transcription> = { status: "processing" };
  persistTranscription();
  const named = (id: string, parts: Partial<Transcription>): Transcription =>
    transcriptionOf({ segments: [], text: "", id, title: received[Number(id.slice(3))]?.filename ?? "", ...parts });
  answer({
    [`POST ${uploads}`]: ({ request }) => {
      const pairs = (request.headers.get("Upload-Metadata") ?? "").split(",").map((pair) => pair.split(" "));
      received.push(Object.fromEntries(pairs.map(([name = "", value = ""]) => [name, decoded(value)])));
      sizes = [...sizes, Number(request.headers.get("Upload-Length"))];
      return said({ Location: api(`${uploads}/no-${received.length - 1}`) });
    },
    [`HEAD ${uploads}/:id`]: ({ params }) => {
      const size = String(sizes[Number(String(params.id).slice(3))] ?? 0);
      return said({ "Upload-Offset": "0", "Upload-Length": size });
    },
    [`PATCH ${uploads}/:id`]: async ({ request }) => {
      const { byteLength } = await request.arrayBuffer();
      return said({ "Upload-Offset": String(byteLength) });
    },
    [`DELETE ${uploads}/:id`]: ({ params }) => {
      ended.push(received[Number(String(params.id).slice(3))]?.filename ?? "");
      return new Response(null, { status: 204 });
    },
    [`GET ${list}/transcription/:id`]: ({ params }) => named(String(params.id), made),
    [`GET ${list}/events`]: () => {
      stream = openStream();
      return stream.response;
    },
  });
  return {
    received,
    ended,
    idOf: (name: string) => `no-${received.findIndex(({ filename }) => filename === name)}`,
    /** Sets the later state of a file's transcription. */
    work: (parts: Partial<Transcription>) => {
      made = parts;
    },
    tell: (id: string, parts: Partial<Transcription>) => stream.send("transcription", { transcription: named(id, parts) }),
  };
}

/** Opens the page for a new user, who has no uploads of another test. */
async function open(path = "/speech-to-text") {
  await openPage(path, { as: "premium", profile: { id: crypto.randomUUID() } });
  await expect.element(page.getByTestId("drop-zone")).toBeVisible();
}
const choose = (...files: File[]) => chooseFiles(page.getByLabelText("Choose files"), ...files);

test("uploads two files at a time, and cancels, pauses and resumes them one by one or together", async () => {
  const server = keepUploads();
  const held = holdAnswer();
  answer({ [`PATCH ${uploads}/:id`]: held.answer });
  await open();
  await expect.element(page.getByText("wav, mp3, m4a, ogg, opus, webm, flac, mp4 – up to 2.1 GB each")).toBeVisible();
  await choose(wav("one.wav"), wav("two.wav", 1_500_000));
  await expect.poll(states).toEqual(["uploading", "uploading"]);
  await choose(wav("three.wav"));
  await expect.poll(states).toEqual(["uploading", "uploading", "queued"]);
  await expect.element(row("three.wav").getByText("Waiting for earlier uploads")).toBeVisible();
  await expect.element(row("one.wav").getByText("72 kB", { exact: true })).toBeVisible();
  await expect.element(row("one.wav").getByText(/^0 ?\w* of 72 kB uploaded$|^\d+ \w+ of 72 kB uploaded$/)).toBeVisible();
  await expect.element(overall.getByText("0 of 3 files uploaded")).toBeVisible();
  await expect.element(overall.getByText(/ of 1\.6 MB uploaded$/)).toBeVisible();
  await expect.poll(() => held.calls()).toBe(2);

  await button("Cancel one.wav").click();
  await expect.poll(states).toEqual(["cancelled", "uploading", "uploading"]);
  await expect.element(row("one.wav")).toHaveFocus();
  await expect.poll(() => server.ended).toEqual(["one.wav"]);
  await expect.element(overall.getByText("0 of 2 files uploaded")).toBeVisible();
  await button("Pause two.wav").click();
  await expect.poll(states).toEqual(["cancelled", "paused", "uploading"]);
  await expect.element(button("Pause all")).toBeVisible();
  await button("Pause all").click();
  await expect.poll(states).toEqual(["cancelled", "paused", "paused"]);
  await expect.element(row("two.wav").getByText("Paused")).toBeVisible();
  answer({
    [`PATCH ${uploads}/:id`]: async ({ request }) => said({ "Upload-Offset": String((await request.arrayBuffer()).byteLength) }),
  });
  await button("Resume all").click();
  await expect.poll(states).toEqual(["cancelled", "processing", "processing"]);
  await expect.element(overall.getByText("2 of 2 files uploaded")).toBeVisible();
  await expect.element(button("Pause all")).not.toBeInTheDocument();
  await expect.element(row("two.wav").getByText("The server is processing the file. You can close this page.")).toBeVisible();
  await expect
    .element(row("two.wav").getByRole("link", { name: /^Show progress/ }))
    .toHaveAttribute("href", `/file-processing/${server.idOf("two.wav")}`);

  for (const [name, next] of [
    ["one.wav", "two.wav"],
    ["two.wav", "three.wav"],
  ] as const) {
    await button(`Remove ${name} from this list`).click();
    await expect.element(row(next)).toHaveFocus();
  }
  await button("Remove three.wav from this list").click();
  await expect.element(page.getByRole("heading", { name: "Files", exact: true })).toHaveFocus();
});

test("follows the server's work in a file's row, announces its end once, and links to the transcript", async () => {
  const server = keepUploads();
  await open();
  const name = `-i <img src=x> {{name}} \u202egpj.wav`;
  await choose(new File([new Uint8Array(10)], name, { type: "audio/wav" }));
  await expect.poll(states).toEqual(["processing"]);
  expect(server.received).toMatchObject([{ filename: name, filetype: "audio/wav", sourceLanguage: "en" }]);
  expect(server.received[0]?.clientId).toMatch(/^[\da-f-]{36}$/);
  expect(Object.keys(server.received[0] ?? {})).not.toContain("targetLanguage");
  server.tell("no-0", { status: "processing", progress: { stage: "recognizing", fraction: 0.5, secondsLeft: null } });
  await expect.element(rows.getByRole("progressbar")).toHaveAttribute("aria-valuenow", "50");
  const text = "word ".repeat(120).trim();
  server.tell("no-0", { status: "completed", segments: [...talk], text });
  await expect.element(rows.getByText("Done")).toBeVisible();
  await expect.element(rows.getByText(text.slice(0, 400).trim(), { exact: true })).toBeVisible();
  expect(document.querySelector("[data-testid=upload] bdi")?.textContent).toBe(name);
  expect(
    page
      .getByRole("log")
      .elements()
      .map(({ textContent }) => textContent),
  ).toContain(`${name}: Done`);
  await expect.element(rows.getByRole("link", { name: /^Open the transcript/ })).toHaveAttribute("href", "/transcription/no-0");
});

test("explains each failure in a file's row, and offers a retry only when it can help", async () => {
  const server = keepUploads();
  answer({ "GET /api/v1/engines": { ...engines, limits: { maxUploadBytes: 1_048_576 } } });
  await open();
  for (const [code, text, again] of [
    ["emptyFile", "The file contains no audio: it is empty or 0 seconds long.", false],
    ["notAudio", "This file can’t be read as audio or video.", false],
    ["noSound", "The video has no audio track.", false],
    ["truncated", "The file is incomplete: the end is missing.", false],
    ["engineFailed", /./, true],
  ] as const) {
    server.work({ status: "failed", error: { code, message: "" } });
    await choose(wav(`${code}.wav`));
    const failed = row(`${code}.wav`);
    await expect.poll(() => failed.element().getAttribute("data-state")).toBe("failed");
    await expect.element(failed.getByText(text).first()).toBeVisible();
    expect([code, failed.getByRole("button", { name: "Try again" }).elements().length]).toEqual([code, again ? 1 : 0]);
  }
  for (const [code, text] of [
    ["truncated", "We transcribed the part that could be read"],
    ["noSpeech", "No speech detected."],
  ] as const) {
    server.work({ status: "completed", error: { code, message: "" } });
    await choose(wav(`heard-${code}.wav`));
    await expect.element(row(`heard-${code}.wav`).getByText(text)).toBeVisible();
    await expect.element(row(`heard-${code}.wav`).getByText("Done")).toBeVisible();
  }
  server.work({ status: "completed", error: null, segments: [], text: "" });
  await choose(wav("good.wav", 1_048_576), wav("large.wav", 1_048_577));
  await expect.element(row("good.wav").getByText("Done")).toBeVisible();
  await expect.element(row("large.wav").getByText("The file is too large.")).toBeVisible();
  await expect.element(row("large.wav").getByRole("button", { name: /^Try again/ })).not.toBeInTheDocument();
  const announced = textsOf(page.getByRole("log").getByText(/: /));
  expect(announced).toContain("good.wav: Done");
  expect(announced).toContainEqual(expect.stringMatching(/^notAudio\.wav: This file can’t be read as audio or video/));
});

test("keeps an interrupted upload waiting for the server, and resumes it when the network returns", async () => {
  const server = keepUploads();
  answer({ [`POST ${uploads}`]: () => Response.error() });
  await open();
  await choose(wav("talk.wav"));
  await expect.poll(states).toEqual(["waitingForServer"]);
  await expect
    .element(rows.getByText("The server can’t be reached. The upload continues automatically when it’s back."))
    .toBeVisible();
  const again = keepUploads();
  dispatchEvent(new Event("online"));
  await expect.poll(states).toEqual(["processing"]);
  expect([server.received.length, again.received.length]).toEqual([0, 1]);
  answer({ [`POST ${uploads}`]: refusal(413, "tooLarge") });
  await choose(wav("other.wav"));
  await expect.element(row("other.wav").getByText("The file is too large.")).toBeVisible();
});
