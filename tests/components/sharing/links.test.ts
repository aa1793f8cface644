import { expect, onTestFinished, test, vi } from "vitest";
import type { SharedLink } from "#contract/index.ts";
import { answer, holdAnswer, page, refusal, userEvent } from "#tests/components/harness.ts";
import { openTranscript, translatedTalk } from "#tests/components/harness-transcripts.ts";

// The links to a transcript: made and copied with one click, changed by switches and a form, revoked.

const links = "/api/v1/audio-transcriptions/transcription/:id/links";
const panel = page.getByRole("region", { name: "Share", exact: true });
const button = (name: string | RegExp) => panel.getByRole("button", { name, exact: true });
const heading = (name: string) => panel.getByRole("heading", { name, exact: true });
const label = (name: string) => panel.getByLabelText(name, { exact: true });
const toggle = (name: string) => panel.getByRole("switch", { name, exact: true }).first();
const alert = panel.getByRole("alert");
const dialog = page.getByRole("dialog");
const done = (text: string) => expect.element(page.getByRole("status").getByText(text).first()).toBeVisible();
const link = (more: Partial<SharedLink> = {}): SharedLink => ({
  ...{ id: "0123456789abcdef", name: "", audio: false, translation: false, download: false, locked: false, copyable: true },
  ...{ createdAt: "2026-03-04T11:00:00.000Z", expiresAt: null, ended: false, views: 0 },
  ...more,
});
const until = (day: number) => new Date(2027, 0, day, 23, 59, 59, 999).toISOString();
const secret = "s".repeat(43);
const addressOf = (id: string) => `${location.origin}/shared#${id}.${secret}`;

/**
 * Records what the page copies.
 * @param allows whether the browser allows copying
 */
function clipboard(allows: () => boolean = () => true): string[] {
  const copied: string[] = [];
  const write = vi.spyOn(navigator.clipboard, "write").mockImplementation(async ([item]) => {
    const text = await (await item?.getType("text/plain"))?.text();
    if (!allows()) throw new DOMException("denied", "NotAllowedError");
    copied.push(text ?? "");
  });
  onTestFinished(() => write.mockRestore());
  return copied;
}

/**
 * Opens a transcript with these links.
 * @returns the received requests; set `next` for the server's next answer
 */
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
    [`GET ${links}/:link/secret`]: ({ request, params }) => note("GET", request, params.link),
    [`PATCH ${links}/:link`]: ({ request, params }) => note("PATCH", request, params.link),
    [`DELETE ${links}/:link`]: ({ request, params }) => note("DELETE", request, params.link),
  });
  await openTranscript({ hasAudio, ...(hasAudio && { segments: [...translatedTalk], targetLanguage: "es" }) });
  await page.getByRole("button", { name: "Share", exact: true }).click();
  return server;
}

test("creates and copies a link with the chosen contents, and copies it again", async () => {
  const copied = clipboard();
  const server = await open([]);
  await expect.element(panel.getByText("Only you.")).toBeVisible();
  const isOn = (name: string) => toggle(name).element().getAttribute("aria-checked");
  expect(["Audio", "Translation", "Downloads (.txt, .srt, .vtt)"].map(isOn)).toEqual(["true", "true", "false"]);
  await toggle("Translation").click();
  const held = holdAnswer();
  server.next = held.answer;
  const copy = button("Copy link");
  await copy.click();
  await expect.element(copy).toHaveAttribute("aria-busy", "true");
  const made = link({ audio: true });
  server.links = [made];
  held.give({ ...made, secret });
  await done("Link copied.");
  expect(server.sent).toEqual([["POST", { audio: true, translation: false, download: false }]]);
  await expect.element(copy).toHaveFocus();
  await expect.element(panel.getByText("Only you, and anyone with the link.")).toBeVisible();
  await expect.element(panel.getByText("Opened 0 times")).toBeVisible();
  expect(document.documentElement.outerHTML).not.toContain(secret);
  server.next = () => ({ secret });
  await copy.click();
  await expect.poll(() => copied).toEqual([addressOf(made.id), addressOf(made.id)]);
  expect(server.sent.at(-1)).toEqual(["GET", made.id, null]);
});

test("shows and selects the link's address when the browser denies copying", async () => {
  let allows = false;
  const copied = clipboard(() => allows);
  const server = await open([link()]);
  server.next = () => ({ secret });
  await button("Copy link").click();
  const address = label("Link address");
  await expect.element(address).toHaveValue(addressOf(link().id));
  await expect.element(address).toHaveFocus();
  await expect.element(address).toHaveAccessibleDescription(/^Your browser blocked copying\./);
  expect(getSelection()?.toString()).toBe(addressOf(link().id));
  allows = true;
  await button("Copy link").click();
  await expect.poll(() => copied).toEqual([addressOf(link().id)]);
  await expect.element(address).not.toBeInTheDocument();
});

test("says why a link could not be created, and replaces one that can't be copied again", async () => {
  const copied = clipboard();
  const server = await open([link({ copyable: false })]);
  await expect
    .element(
      panel.getByText(/^This link still works but can’t be copied again, because an earlier version of Parlance created it/),
    )
    .toBeVisible();
  await expect.element(button("Copy link")).not.toBeInTheDocument();
  for (const [code, text] of [
    ["tooManyAtOnce", "This transcript has reached its limit of links. Revoke one first."],
    ["tooManyRequests", "Too many attempts. Wait a moment."],
    ["internal", "That didn’t work. Nothing was changed."],
  ] as const) {
    server.next = () => refusal(400, code);
    await button("Copy new link").click();
    await expect.element(alert).toHaveTextContent(text);
  }
  const made = link({ id: "b".repeat(16), createdAt: "2026-03-05T11:00:00.000Z" });
  server.links = [made, link({ copyable: false })];
  server.next = () => ({ ...made, secret });
  await button("Copy new link").click();
  await expect.element(panel.getByText("Link from 4 Mar 2026, 12:00")).toBeVisible();
  expect(copied).toEqual([addressOf(made.id)]);
  await expect.element(alert).not.toBeInTheDocument();
  server.next = () => refusal(410, "gone");
  await button("Copy link").click();
  await expect.element(alert).toHaveTextContent("This link can’t be copied again. Copy a new one.");
});

test("applies switches in order, and shows the server's state after a failure", async () => {
  const server = await open([link({ translation: true })], false);
  // The transcript has no audio and no translation, but the link includes a translation.
  await expect.element(toggle("Translation")).toBeChecked();
  await expect.element(toggle("Audio")).not.toBeInTheDocument();
  const held = holdAnswer();
  server.next = held.answer;
  const files = toggle("Downloads (.txt, .srt, .vtt)");
  await toggle("Translation").click();
  await files.click();
  await expect.element(files).toBeChecked();
  server.next = () => refusal(500, "internal");
  held.give(link());
  await expect.element(alert).toHaveTextContent("That didn’t work. Nothing was changed.");
  await expect.element(files).not.toBeChecked();
  expect(server.sent).toEqual([
    ["PATCH", link().id, { translation: false }],
    ["PATCH", link().id, { download: true }],
  ]);
});

test("validates the link's end, passphrase and name under More, and closes More after saving", async () => {
  const server = await open([link()]);
  const more = panel.getByText("More", { exact: true });
  await expect.element(label("Passphrase")).not.toBeVisible();
  await more.click();
  const passphrase = label("Passphrase");
  await expect.element(passphrase).toHaveAccessibleDescription(/^Optional\./);
  for (const [typed, text] of [
    ["password1", /This passphrase is too easy to guess\./],
    ["short", /Use at least 8 characters\./],
  ] as const) {
    await passphrase.fill(typed);
    server.next = () => refusal(422, "passwordCommon");
    await button("Save").click();
    await expect.element(passphrase).toHaveAccessibleDescription(text);
    await expect.element(alert).not.toBeInTheDocument();
  }
  await passphrase.fill("seventeen green boats");
  const day = label("Expires at the end of");
  await day.fill("2020-01-01");
  await button("Save").click();
  await expect.element(day).toHaveAccessibleDescription(/This day is in the past\./);
  await day.fill("2027-01-07");
  await label("Your name on its page").fill("Anna");
  server.next = () => link({ name: "Anna", locked: true, expiresAt: until(7) });
  await userEvent.keyboard("{Enter}");
  await done("Saved.");
  await expect.element(more).toHaveFocus();
  await expect.element(passphrase).not.toBeVisible();
  await expect.element(panel.getByText("Until 7 January 2027")).toBeVisible();
  await expect.element(panel.getByText("With a passphrase")).toBeVisible();
  expect(server.sent.at(-1)).toEqual([
    "PATCH",
    link().id,
    { name: "Anna", expiresAt: until(7), passphrase: "seventeen green boats" },
  ]);
  await more.click();
  await expect.element(passphrase).toHaveValue("");
  await expect.element(passphrase).toHaveAccessibleDescription(/^If empty, the passphrase stays the same\./);
  await label("Remove the passphrase").click();
  server.next = () => link({ name: "Anna", expiresAt: until(7) });
  await button("Save").click();
  await expect.element(panel.getByText("With a passphrase")).not.toBeInTheDocument();
  expect(server.sent.at(-1)).toEqual(["PATCH", link().id, { name: "Anna", passphrase: null }]);
});

test("revokes a link after confirmation, and folds away older and ended links", async () => {
  const ended = link({ id: "b", ended: true, views: 1, expiresAt: until(1), createdAt: "2026-03-01T11:00:00.000Z" });
  const server = await open([link({ views: 2 }), ended]);
  await expect.element(panel.getByText("Opened 2 times")).toBeVisible();
  await panel.getByText("Link from 1 Mar 2026, 12:00").click();
  await expect.element(panel.getByText("Ended on 1 January 2027")).toBeVisible();
  expect(panel.getByRole("button", { name: "Copy link" }).elements()).toHaveLength(1);
  const revoke = button("Revoke the link from 4 Mar 2026, 12:00");
  await revoke.click();
  await expect.element(dialog.getByText(/^The link stops working immediately/)).toBeVisible();
  await dialog.getByRole("button", { name: "Keep" }).click();
  await expect.element(revoke).toHaveFocus();
  server.next = () => new Response(null, { status: 204 });
  await revoke.click();
  await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
  await done("Link revoked.");
  await expect.element(heading("Link")).toHaveFocus();
  server.next = () => refusal(404, "notFound");
  server.links = [];
  await button("Revoke the link from 1 Mar 2026, 12:00").click();
  await dialog.getByRole("button", { name: "Revoke", exact: true }).click();
  await expect.element(alert).toHaveTextContent("This link was already revoked.");
  await expect.element(panel.getByText("Only you.")).toBeVisible();
  expect(server.sent).toEqual([
    ["DELETE", link().id, null],
    ["DELETE", "b", null],
  ]);
});

test("retries loading who has access, and says that the server has no links", async () => {
  const people = "GET /api/v1/audio-transcriptions/transcription/:id/people";
  const held = holdAnswer();
  answer({ [`GET ${links}`]: refusal(500, "internal"), [people]: { people: [] } });
  await openTranscript();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect.element(alert.getByText("Couldn’t load who has access.")).toBeVisible();
  await expect.element(button("Invite")).toBeVisible();
  answer({ [`GET ${links}`]: held.answer });
  await button("Try again").click();
  await expect.element(panel.getByRole("status").getByText("Loading…")).toBeVisible();
  held.give(refusal(404, "notOffered"));
  await expect.element(panel.getByText("Sharing by link isn’t available on this server.")).toBeVisible();
  await expect.element(button("Copy link")).not.toBeInTheDocument();
  await button("Close").click();
  await expect.element(panel).not.toBeInTheDocument();
});

test("shows the button to copy a link on a phone without scrolling", async () => {
  onTestFinished(() => page.viewport(1280, 800));
  await page.viewport(390, 844);
  await open([]);
  await expect.element(panel.getByText("Only you.")).toBeInTheDocument();
  const box = button("Copy link").element().getBoundingClientRect();
  const sheet = panel.element().closest("aside")?.getBoundingClientRect();
  expect(box.bottom).toBeLessThan(sheet?.bottom ?? 0);
});

test("opens at the top after a dictation, while the words stay in place", async () => {
  await open([]);
  await expect.element(panel.getByText("Only you.")).toBeInTheDocument();
  document.querySelector<HTMLElement>("main > *")?.style.setProperty("--before-words", "300px");
  expect(panel.element().getBoundingClientRect().top).toBeLessThan(200);
  expect(document.querySelector("[data-start]")?.getBoundingClientRect().top).toBeGreaterThan(300);
});
