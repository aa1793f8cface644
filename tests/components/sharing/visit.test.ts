import { expect, onTestFinished, test, vi } from "vitest";
import type { SharedTranscript } from "#contract/index.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { answer, holdAnswer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { violations } from "#tests/components/harness-axe.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { soundOfSilence, talk, translatedTalk } from "#tests/components/harness-transcripts.ts";

// A visitor's view of a link to a transcript.

const secret = "s".repeat(43);
const address = `/shared#0123456789abcdef.${secret}`;
const path = "/api/v1/shared/:id";
const main = page.getByRole("main");
const heading = (name: string) => expect.element(main.getByRole("heading", { name, exact: true, level: 1 })).toBeVisible();
const passphrase = page.getByLabelText("Passphrase", { exact: true });
const rows = () => textsOf(page.getByRole("list", { name: "Transcript" }).getByRole("listitem"));
const shown = (more: Partial<SharedTranscript> = {}): SharedTranscript => ({
  ...{ title: "The budget", date: "2026-03-04T11:00:00.000Z", sharedBy: "Anna", sourceLanguage: "en", targetLanguage: "es" },
  ...{ durationSeconds: 65, hasAudio: false, download: false, expiresAt: "2027-01-07T11:00:00.000Z" },
  ...{ text: "", translatedText: "", segments: [...translatedTalk] },
  ...more,
});
const open = (more: Partial<SharedTranscript> = {}) => ({ locked: false, transcript: shown(more) });

/** Opens the link as a first-time visitor. */
async function openLink(to = address): Promise<void> {
  await openPage("/about", { as: "visitor" });
  pageRouter().clearCache();
  await import("#src/features/sharing/visit-actor.ts");
  await openPage(to, { as: "visitor" });
}

test("asks for the link's passphrase, says why it failed, and shows the transcript", async () => {
  const sent: unknown[] = [];
  const held = holdAnswer();
  let code = "";
  answer({
    [`POST ${path}/open`]: async ({ request, params }) => {
      sent.push([params.id, await request.json()]);
      if (sent.length === 1) return { locked: true };
      return code === "" ? held.answer() : refusal(403, code);
    },
  });
  await openLink();
  await heading("This transcript needs a passphrase");
  await expect.element(passphrase).toHaveFocus();
  expect(await violations()).toEqual([]);
  await userEvent.keyboard("{Enter}");
  await expect.element(passphrase).toHaveAccessibleDescription("Enter the passphrase.");
  expect(sent).toHaveLength(1);
  await passphrase.fill("boats");
  for (const [refused, text] of [
    ["wrongPassword", "Wrong passphrase. Check it and try again."],
    ["tooManyRequests", "Too many attempts. Wait 15 minutes and try again."],
    ["internal", "That didn’t work. Try again."],
  ] as const) {
    code = refused;
    await main.getByRole("button", { name: "Open", exact: true }).click();
    await expect.element(passphrase).toHaveAccessibleDescription(text);
    await expect.element(passphrase).toHaveFocus();
  }
  code = "";
  await passphrase.fill("seventeen green boats");
  await userEvent.keyboard("{Enter}");
  await expect.element(main.getByRole("button", { name: "Open", exact: true })).toHaveAttribute("aria-busy", "true");
  await expect.poll(() => textsOf(main.getByRole("status"))).toContain("Opening…");
  held.give(open());
  await heading("The budget");
  await expect.element(main.getByRole("heading", { level: 1 })).toHaveFocus();
  expect(sent[0]).toEqual(["0123456789abcdef", { secret }]);
  expect(sent.at(-1)).toEqual(["0123456789abcdef", { secret, passphrase: "seventeen green boats" }]);
});

test("shows the passages in the available views, without any controls to edit, export or play", async () => {
  answer({ [`POST ${path}/open`]: open() });
  await openLink();
  await heading("The budget");
  expect(document.querySelector("main header p")?.textContent).toBe(
    "Shared by Anna4 Mar 2026, 12:001:05 longSpoken: EnglishTranslated: SpanishAvailable until 7 January 2027",
  );
  expect(document.querySelector("meta[name=robots]")?.getAttribute("content")).toBe("noindex, nofollow, noarchive");
  expect(document.querySelector("meta[name=referrer]")?.getAttribute("content")).toBe("no-referrer");
  expect(rows()).toHaveLength(3);
  // The skip link to the content must not remove the link's secret from the address.
  location.hash = "main";
  await expect.poll(() => location.hash).toBe(`#0123456789abcdef.${secret}`);
  await heading("The budget");
  expect(rows()[0]).toContain("frase 1");
  expect(rows()[2]).toContain("Speaker 2");
  await main.getByText("Original", { exact: true }).click();
  await expect.poll(() => rows()[0]).not.toContain("frase 1");
  await main.getByText("Both", { exact: true }).click();
  for (const name of ["Play", "Edit", "Share", "Delete"]) {
    await expect.element(main.getByRole("button", { name, exact: true })).not.toBeInTheDocument();
  }
  await expect.element(main.getByText("Export", { exact: true })).not.toBeInTheDocument();
  await expect.element(main.getByRole("slider")).not.toBeInTheDocument();
});

test("shows a text without passages, and omits the name of an anonymous sharer", async () => {
  const plain = {
    sharedBy: "",
    durationSeconds: null,
    sourceLanguage: "auto",
    targetLanguage: null,
    expiresAt: null,
    segments: [],
  };
  answer({ [`POST ${path}/open`]: open({ ...plain, text: "One text.", translatedText: "Un texto." }) });
  await openLink();
  await heading("The budget");
  expect(document.querySelector("main header p")?.textContent).toBe("4 Mar 2026, 12:00");
  await expect.element(main.getByText("One text.")).toBeVisible();
  await expect.element(main.getByRole("region", { name: "Translation" }).getByText("Un texto.")).toBeVisible();
  await expect.element(main.getByText("Original", { exact: true })).not.toBeInTheDocument();
  answer({ [`POST ${path}/open`]: open({ ...plain }) });
  await openLink();
  await expect.element(main.getByText("This transcript is empty.")).toBeVisible();
  await expect.element(main.getByRole("region", { name: "Translation" })).not.toBeInTheDocument();
});

test("exports the text in the current view, and says when the export failed", async () => {
  const asked: string[] = [];
  const names: string[] = [];
  const saving = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  onTestFinished(() => saving.mockRestore());
  answer({
    [`POST ${path}/open`]: open({ download: true }),
    [`GET ${path}/export`]: ({ request }) => {
      asked.push(new URL(request.url).search);
      if (asked.length > 2) return refusal(500, "internal");
      return new Response("file", {
        headers: asked.length === 1 ? {} : { "Content-Disposition": `attachment; filename*=UTF-8''The%20budget.vtt` },
      });
    },
  });
  await openLink();
  const save = async (name: string) => {
    await main.getByText("Export", { exact: true }).click();
    await main.getByRole("button", { name }).click();
  };
  await save("Subtitles (.srt)");
  await expect.poll(() => names).toEqual(["transcript.srt"]);
  await main.getByText("Translation", { exact: true }).click();
  await save("Web subtitles (.vtt)");
  await expect.poll(() => names).toEqual(["transcript.srt", "The budget.vtt"]);
  await main.getByText("Both", { exact: true }).click();
  await save("Text (.txt)");
  await expect.element(page.getByRole("alert")).toBeVisible();
  expect(asked).toEqual([
    "?format=srt&content=both&lng=en",
    "?format=vtt&content=translation&lng=en",
    "?format=txt&content=both&lng=en",
  ]);
});

test("plays the audio from a word, and shows nothing of a link that was revoked meanwhile", async () => {
  soundOfSilence(10);
  const heard = { hasAudio: true, segments: [...talk], targetLanguage: null };
  const checked: string[] = [];
  let status = 204;
  answer({
    [`POST ${path}/open`]: () => (status === 204 || checked.length < 2 ? open(heard) : refusal(404, "notFound")),
    [`HEAD ${path}/audio`]: ({ params }) => {
      checked.push(String(params.id));
      return new Response(null, { status });
    },
  });
  await openLink();
  await main.getByText("old").first().click();
  await expect.element(main.getByRole("button", { name: "Pause", exact: true })).toBeVisible();
  await userEvent.keyboard("{Alt>}k{/Alt}");
  await expect.element(main.getByRole("button", { name: "Play", exact: true })).toBeVisible();
  expect(checked).toEqual(["0123456789abcdef"]);
  status = 404;
  await openLink();
  await heading("The budget");
  await main.getByRole("button", { name: "Play", exact: true }).click();
  await heading("This link doesn’t work");
  await expect.element(main.getByText("old")).not.toBeInTheDocument();
});

test("hides the transcript when an export breaks off because the link has ended", async () => {
  let isRevoked = false;
  answer({
    [`POST ${path}/open`]: () => (isRevoked ? refusal(404, "notFound") : open({ download: true })),
    [`GET ${path}/export`]: () => {
      isRevoked = true;
      return new Response(new ReadableStream({ pull: (controller) => controller.error(new TypeError("broken off")) }));
    },
  });
  await openLink();
  await main.getByText("Export", { exact: true }).click();
  await main.getByRole("button", { name: "Text (.txt)" }).click();
  await heading("This link doesn’t work");
});

test("says why a link does not open, and retries on request", async () => {
  answer({ [`POST ${path}/open`]: refusal(404, "notFound") });
  await openLink();
  await heading("This link doesn’t work");
  // The page sends no request for an incomplete address.
  await openLink("/shared#0123456789abcdef");
  await heading("This link doesn’t work");
  let code = "tooManyRequests";
  answer({ [`POST ${path}/open`]: () => (code === "" ? open() : code === "network" ? Response.error() : refusal(429, code)) });
  await openLink();
  for (const [next, text] of [
    ["tooManyAtOnce", "Too many links were opened from here. Wait 15 minutes and try again."],
    ["internal", "Many people are reading this right now. Try again in a moment."],
    ["network", "Something went wrong. Try again."],
    ["", "No connection to the server. The page tries again when the connection is back."],
  ] as const) {
    await heading("Couldn’t open the transcript");
    await expect.element(main.getByText(text)).toBeVisible();
    code = next;
    await main.getByRole("button", { name: "Try again" }).click();
  }
  await heading("The budget");
});

test("keeps a gap between the title and the bar on a phone", async () => {
  onTestFinished(() => page.viewport(1280, 800));
  await page.viewport(390, 844);
  answer({ [`POST ${path}/open`]: open() });
  await openLink();
  await heading("The budget");
  const bar = page.getByRole("banner").first().element().getBoundingClientRect();
  const title = main.getByRole("heading", { level: 1 }).element().getBoundingClientRect();
  expect(title.top - bar.bottom).toBeGreaterThanOrEqual(8);
});
