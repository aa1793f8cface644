import { beforeEach, expect, test } from "vitest";
import type { CaptionedVideo, Transcription, VideoPicture } from "#contract/index.ts";
import { answer, page, refusal } from "#tests/components/harness.ts";
import { optionsOf } from "#tests/components/harness-texts.ts";
import { openTranscript, soundOfSilence, translatedTalk } from "#tests/components/harness-transcripts.ts";

const base = "/api/v1/audio-transcriptions/transcription/:id";
const section = page.getByRole("region", { name: "Video", exact: true });
const button = (name: string) => section.getByRole("button", { name, exact: true });
const status = section.getByRole("status");
const captions = section.getByRole("combobox", { name: "Captions" });

const original: VideoPicture = { state: "original", fraction: 0, problem: null };
const video = (parts: Partial<CaptionedVideo>): CaptionedVideo => ({
  state: "making",
  content: "original",
  fraction: 0.5,
  problem: null,
  undrawn: 0,
  expiresAt: null,
  ...parts,
});

beforeEach(() => soundOfSilence(1));

/** A server with a video that records its requests. */
interface VideoServer {
  picture: VideoPicture;
  captioned: CaptionedVideo | null;
  asked: unknown[];
}

async function open(parts: Partial<Transcription> = {}, has: Partial<VideoServer> = {}): Promise<VideoServer> {
  const server: VideoServer = { picture: original, captioned: null, asked: [], ...has };
  const now = () => ({ picture: server.picture, captioned: server.captioned });
  answer({
    [`GET ${base}/video`]: now,
    [`GET ${base}/export`]: ({ request }) => {
      server.asked.push(new URL(request.url).searchParams.get("content"));
      return new Response("WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n", { headers: { "Content-Type": "text/vtt" } });
    },
    [`POST ${base}/captioned`]: async ({ request }) => {
      server.asked.push(await request.json());
      server.captioned = video({});
      return Response.json(now(), { status: 202 });
    },
    [`DELETE ${base}/captioned`]: () => {
      server.asked.push("deleted");
      server.captioned = null;
      return new Response(null, { status: 204 });
    },
  });
  await openTranscript({ id: crypto.randomUUID(), hasAudio: true, hasPicture: true, ...parts });
  return server;
}

const track = () => document.querySelector("video track");

test("shows captions in the chosen language, remembers the choice, and retries a failed request", async () => {
  const server = await open({ segments: [...translatedTalk], targetLanguage: "es" });
  await expect.poll(() => track()?.getAttribute("srclang")).toBe("en");
  expect(optionsOf("Captions")).toEqual(["Off", "Original", "Translation", "Both"]);
  await captions.selectOptions("Translation");
  await expect.poll(() => track()?.getAttribute("srclang")).toBe("es");
  expect(server.asked).toEqual(["original", "translation"]);
  await captions.selectOptions("Off");
  await expect.poll(track).toBeNull();
  answer({ [`GET ${base}/export`]: refusal(500, "internal") });
  await captions.selectOptions("Both");
  await expect.element(section.getByRole("alert")).toMatchTextContent("Couldn’t load the captions.");
  answer({ [`GET ${base}/export`]: new Response("WEBVTT\n") });
  await button("Try again").click();
  await expect.poll(() => track()?.getAttribute("label")).toBe("Both");
  await button("Hide the video").click();
  await expect.element(button("Hide the video")).toHaveAttribute("aria-pressed", "true");
  await expect.element(captions).not.toBeInTheDocument();
  expect(document.querySelector("video")?.checkVisibility()).toBe(false);
  expect(JSON.parse(localStorage.getItem("videoPreferences") ?? "")).toEqual({ captions: "both", hidden: true });
});

test("applies the remembered captions and hidden picture to another video, within its languages", async () => {
  localStorage.setItem("videoPreferences", JSON.stringify({ captions: "both", hidden: true }));
  await open();
  await button("Hide the video").click();
  // Without a translation, the original replaces both languages.
  await expect.element(captions).toHaveValue("original");
  expect(optionsOf("Captions")).toEqual(["Off", "Original"]);
});

test("shows the progress of a picture's conversion, then the picture", async () => {
  const server = await open({}, { picture: { state: "making", fraction: 0.25, problem: null } });
  await expect.element(status.first()).toMatchTextContent("The video is being prepared for browsers: 25%.");
  await expect.element(section.getByRole("progressbar", { name: "Preparing the video" })).toHaveAttribute("aria-valuenow", "25");
  server.picture = { state: "ready", fraction: 1, problem: null };
  await expect.element(section.getByRole("progressbar")).not.toBeInTheDocument();
  await expect.poll(() => document.querySelector("video")?.checkVisibility()).toBe(true);
});

test("says that the picture is too large to be converted", async () => {
  await open({}, { picture: { state: "failed", fraction: 0, problem: "tooLarge" } });
  await expect
    .element(status.first())
    .toHaveTextContent("This video is too large for this server to prepare for browsers. Audio and transcript are not affected.");
});

test("shows a recording without a picture as audio only", async () => {
  await open({}, { picture: { state: "none", fraction: 0, problem: null } });
  await expect.element(page.getByRole("list", { name: "Transcript" })).toBeVisible();
  await expect.element(section).not.toBeInTheDocument();
});

test("requests, downloads and deletes a video with captions, and says why none can be made", async () => {
  const server = await open();
  await section.getByText("Subtitles and video").click();
  await button("Video with captions: original").click();
  await expect.element(status.last()).toMatchTextContent("The video with captions is being made: 50%.");
  expect(server.asked).toContainEqual({ content: "original", lng: "en" });
  server.captioned = video({ state: "ready", fraction: 1, undrawn: 2, expiresAt: "2026-03-02T10:00:00.000Z" });
  await expect.element(button("Download")).toBeVisible();
  await expect
    .element(status.last())
    .toMatchTextContent(
      /can download the video with captions until 2 Mar 2026, 11:00\. 2 different characters are missing from the captions/,
    );
  await button("Delete").click();
  await expect.element(button("Download")).not.toBeInTheDocument();
  expect(server.asked.at(-1)).toBe("deleted");
  answer({ [`POST ${base}/captioned`]: refusal(409, "tooManyAtOnce") });
  await section.getByText("Subtitles and video").click();
  await button("Video with captions: original").click();
  await expect.element(section.getByRole("alert")).toBeVisible();
});
