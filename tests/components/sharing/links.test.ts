import { expect, test } from "vitest";
import type { SharedLink } from "#contract/index.ts";
import { answer, holdAnswer, page, refusal, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { openTranscript, translatedTalk } from "#tests/components/harness-transcripts.ts";

// The links to a transcript: made, listed, changed, revoked.

const links = "/api/v1/audio-transcriptions/transcription/:id/links";
const panel = page.getByRole("region", { name: "Share a link" });
const button = (name: string | RegExp) => panel.getByRole("button", { name, exact: true });
const heading = (name: string) => panel.getByRole("heading", { name, exact: true });
const label = (name: string) => panel.getByLabelText(name, { exact: true });
const alert = panel.getByRole("alert");
const dialog = page.getByRole("dialog");
const rows = () => textsOf(panel.getByRole("list").first().getByRole("listitem"));
const boxes = () =>
  panel
    .getByRole("checkbox")
    .elements()
    .map((box) => box.getAttribute("name"));
const link = (more: Partial<SharedLink> = {}): SharedLink => ({
  ...{ id: "0123456789abcdef", name: "", audio: false, translation: false, download: false, locked: false },
  ...{ createdAt: "2026-03-04T11:00:00.000Z", expiresAt: null, ended: false, views: 0 },
  ...more,
});
const until = (day: number) => new Date(2027, 0, day, 23, 59, 59, 999).toISOString();

/** A transcript whose links are these. @returns what the page sends */
async function open(list: SharedLink[], hasAudio = true) {
  const server = { links: list, sent: [] as unknown[], next: (): unknown => link() };
  const note = async (method: string, request: Request, id?: unknown) => {
    server.sent.push([method, ...(id === undefined ? [] : [id]), await request.json().catch(() => null)]);
    const value = await server.next();
    return value instanceof Response ? value : Response.json(value);
  };
  answer({
    [`GET ${links}`]: () => ({ links: server.links }),
    "GET /api/v1/audio-transcriptions/transcription/:id/people": { people: [] },
    [`POST ${links}`]: ({ request }) => note("POST", request),
    [`PATCH ${links}/:link`]: ({ request, params }) => note("PATCH", request, params.link),
    [`DELETE ${links}/:link`]: ({ request, params }) => note("DELETE", request, params.link),
  });
  await openTranscript({ hasAudio, ...(hasAudio && { segments: [...translatedTalk], targetLanguage: "es" }) });
  await page.getByRole("button", { name: "Share", exact: true }).click();
  return server;
}

test("makes a link with what was ticked until the end of a day, and shows its address once", async () => {
  const server = await open([]);
  await expect.element(heading("There is no link to this transcript.")).toBeVisible();
  await button("New link…").click();
  await expect.element(label("Your name on its page")).toHaveFocus();
  await expect.element(button("New link…")).not.toBeInTheDocument();
  expect(boxes()).toEqual(["audio", "translation", "download"]);
  expect(panel.getByRole("checkbox", { checked: true }).elements()).toHaveLength(0);
  await userEvent.keyboard("{Escape}");
  await expect.element(button("New link…")).toHaveFocus();
  await button("New link…").click();
  const passphrase = label("Passphrase");
  await expect.element(passphrase).toHaveAccessibleDescription(/^If you like: whoever opens the link is asked for it\./);
  await expect.element(label("Ask for no passphrase any more")).not.toBeInTheDocument();
  for (const [code, text] of [
    ["passwordCommon", /This is one of the first that anybody tries\./],
    ["shortPassphrase", /Take at least 8 characters\./],
  ] as const) {
    await passphrase.fill(code === "passwordCommon" ? "password1" : "short");
    server.next = () => refusal(422, code);
    await button("Make the link").click();
    await expect.element(passphrase).toHaveAccessibleDescription(text);
    await expect.element(alert).not.toBeInTheDocument();
  }
  await passphrase.fill("seventeen green boats");
  const day = label("Until the end of this day");
  await day.fill("2020-01-01");
  await button("Make the link").click();
  await expect.element(day).toHaveAccessibleDescription(/This day has passed\. Choose a later one, or none\./);
  await day.fill("2027-01-07");
  for (const [code, text] of [
    ["badRequest", "The server does not take this. Choose a day that lies ahead, within ten years."],
    ["tooManyAtOnce", "There are as many links to this transcript as there may be. Revoke one first."],
    ["tooManyRequests", "Too many attempts. Wait a little."],
    ["internal", "That did not work. Nothing was changed."],
  ] as const) {
    server.next = () => refusal(400, code);
    await button("Make the link").click();
    await expect.element(alert).toHaveTextContent(text);
  }
  await label("Your name on its page").fill("Anna");
  await label("The sound, to be listened to").click();
  await label("The text as a file (.txt, .srt, .vtt)").click();
  const held = holdAnswer();
  server.next = held.answer;
  await button("Make the link").click();
  await expect.element(button("Make the link")).toHaveAttribute("aria-busy", "true");
  const made = link({ name: "Anna", audio: true, download: true, locked: true, expiresAt: until(7) });
  server.links = [made];
  held.give({ ...made, secret: "s".repeat(43) });
  await expect.element(heading("Your new link")).toHaveFocus();
  const address = `${location.origin}/shared#0123456789abcdef.${"s".repeat(43)}`;
  await expect.element(panel.getByTestId("new-address")).toHaveTextContent(address);
  await expect.element(panel.getByText(/Whoever has it and knows the passphrase can read the transcript\.$/)).toBeVisible();
  await button("I have kept it").click();
  await expect.element(button("New link…")).toHaveFocus();
  expect(document.documentElement.outerHTML).not.toContain("s".repeat(43));
  expect(rows()[0]).toMatch(
    /^Anna Text · Sound · Files to save · With a passphrase Made: 4 Mar 2026, 12:00 ?Until 7 January 2027 ?Opened 0 times/,
  );
  const shown = { name: "Anna", audio: true, translation: false, download: true };
  expect(server.sent.at(-1)).toEqual(["POST", { ...shown, expiresAt: until(7), passphrase: "seventeen green boats" }]);
});

test("lists the links, changes one in its form, and revokes one after a question", async () => {
  const second = link({
    id: "b",
    name: "Bea",
    views: 1,
    ended: true,
    expiresAt: until(1),
    createdAt: "2026-03-01T11:00:00.000Z",
  });
  const server = await open([link({ id: "a", audio: true, translation: true, locked: true, views: 2 }), second], false);
  await expect.element(heading("The links to this transcript")).toBeVisible();
  const change = button("Change the link of 4 Mar 2026, 12:00");
  expect(rows()).toEqual([
    expect.stringMatching(
      /^Without a name Text · Sound · Translation · With a passphrase Made: 4 Mar 2026, 12:00 ?Until you revoke it ?Opened 2 times Change… Revoke$/,
    ),
    expect.stringMatching(/^Bea Text Made: 1 Mar 2026, 12:00 ?Ended on 1 January 2027 ?Opened 1 time Change… Revoke$/),
  ]);
  await button("Change the link of 1 Mar 2026, 12:00").click();
  await expect.element(heading("Change the link")).toBeVisible();
  await expect.element(label("Your name on its page")).toHaveValue("Bea");
  await expect.element(label("Until the end of this day")).toHaveValue("2027-01-01");
  // There is neither sound nor translation to be shared.
  expect(boxes()).toEqual(["download"]);
  await button("Cancel").click();
  await change.click();
  expect(boxes()).toEqual(["audio", "translation", "download", "unlocked"]);
  await expect.element(label("The translation")).toBeChecked();
  await expect.element(label("The text as a file (.txt, .srt, .vtt)")).not.toBeChecked();
  await expect.element(label("Passphrase")).toHaveAccessibleDescription(/^Leave it empty, and it stays as it is\./);
  await label("The translation").click();
  await label("Ask for no passphrase any more").click();
  server.next = () => link({ id: "a", audio: true, views: 2 });
  await button("Save").click();
  await expect.element(page.getByRole("status").getByText("Saved.").first()).toBeVisible();
  await expect.element(change).toHaveFocus();
  expect(rows()[0]).toMatch(/^Without a name Text · Sound Made:/);
  expect(server.sent).toEqual([["PATCH", "a", { name: "", audio: true, translation: false, download: false, passphrase: null }]]);
  server.next = () => new Response(null, { status: 204 });
  const revoke = button("Revoke the link of 4 Mar 2026, 12:00");
  await revoke.click();
  await expect.element(dialog.getByText(/^It opens nothing from now on/)).toBeVisible();
  await dialog.getByRole("button", { name: "Keep" }).click();
  await expect.element(revoke).toHaveFocus();
  await revoke.click();
  await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect.element(page.getByRole("status").getByText("The link is revoked.")).toBeVisible();
  await expect.element(heading("The links to this transcript")).toHaveFocus();
  server.next = () => refusal(404, "notFound");
  server.links = [];
  await button("Revoke the link of 1 Mar 2026, 12:00").click();
  await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect.element(alert).toHaveTextContent("This link was already revoked.");
  await expect.element(heading("There is no link to this transcript.")).toBeVisible();
  expect(server.sent.slice(1)).toEqual([
    ["DELETE", "a", null],
    ["DELETE", "b", null],
  ]);
});

test("loads the links again when they could not be loaded, keeps an open form, and closes", async () => {
  await open([link()], false);
  await button("Close").click();
  await expect.element(panel).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await button("New link…").click();
  await label("Your name on its page").fill("Anna");
  await button("Close").click();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect.element(heading("New link")).toBeVisible();
});

test("says that the links could not be loaded, and that a server has none", async () => {
  const held = holdAnswer();
  answer({ [`GET ${links}`]: refusal(500, "internal") });
  await openTranscript();
  answer({
    [`GET ${links}`]: refusal(500, "internal"),
    "GET /api/v1/audio-transcriptions/transcription/:id/people": { people: [] },
  });
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect.element(alert.getByText("The links to this transcript could not be loaded.")).toBeVisible();
  answer({ [`GET ${links}`]: held.answer });
  await button("Try again").click();
  await expect.element(panel.getByRole("status").getByText("Loading…")).toBeVisible();
  held.give(refusal(404, "notOffered"));
  await expect.element(panel.getByText("This server has no links to transcripts.")).toBeVisible();
  await expect.element(button("New link…")).not.toBeInTheDocument();
  await expect.element(panel.getByText("It is shared with nobody")).not.toBeInTheDocument();
});
