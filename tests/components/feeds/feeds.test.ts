import { expect, test } from "vitest";
import type { Feed, FeedsAnswer } from "#contract/index.ts";
import { answer, holdAnswer, lost, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";

const card = page.getByRole("region", { name: "Podcasts you follow" });
const button = (name: string) => card.getByRole("button", { name, exact: true });
const at = "2026-03-01T12:00:00.000Z";
const when = "1 Mar 2026, 13:00";

const feed = (change: Partial<Feed> = {}): Feed => ({
  id: "f1",
  url: "https://example.org/feed",
  title: "Slow & steady",
  createdAt: at,
  sourceLanguage: "en",
  targetLanguage: null,
  folderId: null,
  paused: null,
  lookedAt: at,
  nextAt: "2026-03-01T13:00:00.000Z",
  error: null,
  failures: 0,
  taken: 1,
  waiting: 0,
  waitingFor: null,
  newest: { title: "The newest talk", transcriptionId: "t1" },
  ...change,
});
const folder = { id: "d1", name: "Listened to", count: 0, createdAt: at };

async function open(feeds: Feed[], folders: unknown[] = []): Promise<void> {
  const known: FeedsAnswer = { feeds, limit: 3 };
  answer({ "GET /users/me/feeds": { ...known }, "GET /api/v1/audio-transcriptions/filing": { folders, tags: [] } as object });
  await openPage("/settings/transcription");
  await expect.element(button("Follow a feed…")).toBeVisible();
}
const rows = () => textsOf(card.getByRole("listitem"));
/** The text of the first feed without its buttons. */
const about = () => (rows()[0] ?? "").replace(/ (?:Pause|Resume) Unfollow$/, "");

test("lists feeds with their last check and its results", async () => {
  await open([
    feed(),
    feed({ id: "f2", title: "", taken: 2, lookedAt: null, newest: { title: "", transcriptionId: "t2" }, waiting: 1 }),
    feed({ id: "f3", taken: 0, nextAt: null, newest: null }),
    feed({ id: "f4", newest: { title: "Not yet there", transcriptionId: null } }),
  ]);
  expect(rows()).toEqual([
    `Slow & steady https://example.org/feed Last checked: ${when} Next check: 1 Mar 2026, 14:00 1 episode transcribed The newest talk Pause Unfollow`,
    "https://example.org/feed Next check: 1 Mar 2026, 14:00 2 episodes transcribed Latest transcript 1 episode is waiting. Pause Unfollow",
    `Slow & steady https://example.org/feed Last checked: ${when} 0 episodes transcribed Pause Unfollow`,
    `Slow & steady https://example.org/feed Last checked: ${when} Next check: 1 Mar 2026, 14:00 1 episode transcribed Pause Unfollow`,
  ]);
  await expect.element(card.getByRole("link", { name: "The newest talk" })).toHaveAttribute("href", "/transcription/t1");
  await expect.element(card.getByRole("heading", { name: "Your feeds" })).toBeVisible();
  await expect.element(card.getByText("Your plan includes 3 feeds.")).toBeVisible();
  await expect.element(card.getByLabelText("Folder for transcripts")).not.toBeInTheDocument();
});

test("says why a feed is paused or unreadable, and what its episodes wait for", async () => {
  const name = "Slow & steady https://example.org/feed ";
  const looked = `${name}Last checked: ${when} `;
  const next = "Next check: 1 Mar 2026, 14:00 ";
  const end = "1 episode transcribed The newest talk";
  const cases: [Partial<Feed>, string][] = [
    [
      { paused: { at, reason: "owner" } },
      `${name}Paused since ${when}. Episodes published in the meantime are picked up when you resume. ${end}`,
    ],
    [
      { paused: { at, reason: "failing" }, error: "urlTimeout" },
      `${name}Paused since ${when}: the feed couldn’t be read for a week. Check its address, then resume. The last check failed: the server took too long. ${end}`,
    ],
    [
      { paused: { at, reason: "gone" } },
      `${name}Paused since ${when}: its server says that the feed no longer exists (410). ${end}`,
    ],
    [
      { paused: { at, reason: "plan" } },
      `${name}Paused since ${when}: your plan includes fewer feeds. Unfollow another feed, or upgrade. ${end}`,
    ],
    [
      { paused: { at, reason: "full" } },
      `${name}Paused since ${when}: a hundred episodes are waiting. The feed resumes automatically when they have been transcribed. ${end}`,
    ],
    [{ error: "notAudio" }, `${looked}${next}The last check failed: there is no feed with recordings at this address. ${end}`],
    [
      { error: "tooLarge" },
      `${looked}${next}The last check failed: the feed is larger than 5 MB, or has too many entries. ${end}`,
    ],
    [{ error: "urlRefused" }, `${looked}${next}The last check failed: the address leads to a server that is not public. ${end}`],
    [
      { error: "gone" },
      `${looked}${next}The last check failed: the server couldn’t be reached, or answered with an error. ${end}`,
    ],
    [{ waiting: 2 }, `${looked}${next}${end} 2 episodes are waiting.`],
    [
      { waiting: 2, waitingFor: "limitReached" },
      `${looked}${next}${end} 2 episodes are waiting: they are longer than your remaining minutes this month.`,
    ],
    [{ waiting: 1, waitingFor: "quotaReached" }, `${looked}${next}${end} 1 episode is waiting: your storage is full.`],
    [{ waiting: 1, waitingFor: "storageFull" }, `${looked}${next}${end} 1 episode is waiting: the server’s disk is full.`],
    [
      { waiting: 1, waitingFor: "languageUnavailable" },
      `${looked}${next}${end} 1 episode is waiting: this server can’t recognize its language right now.`,
    ],
    [
      { waiting: 1, waitingFor: "translationUnavailable" },
      `${looked}${next}${end} 1 episode is waiting: this server can’t translate it right now.`,
    ],
    [{ waiting: 1, waitingFor: "internal" }, `${looked}${next}${end} 1 episode is waiting.`],
  ];
  await open(cases.map(([change], index) => feed({ id: `f${index}`, ...change })));
  expect(rows().map((text) => text.replace(/ (?:Pause|Resume) Unfollow$/, ""))).toEqual(cases.map(([, said]) => said));
});

test("follows a feed with its newest episode in a folder", async () => {
  await open([], [folder]);
  await expect.element(card.getByRole("heading", { name: "You don’t follow any feeds." })).toBeVisible();
  await button("Follow a feed…").click();
  const address = card.getByLabelText("Address of the feed");
  await expect.element(address).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(card.getByText("Enter the address of the feed.")).toBeVisible();
  await address.fill("https://example.org/feed");
  await card.getByLabelText("Also transcribe the latest episode now").click();
  await card.getByLabelText("Folder for transcripts").selectOptions("Listened to");
  const sent: unknown[] = [];
  const slow = holdAnswer();
  answer({
    "POST /users/me/feeds": async ({ request }) => {
      sent.push(await request.json());
      return slow.answer();
    },
  });
  await button("Follow").click();
  await expect.element(card.getByText("Reading the feed…")).toBeVisible();
  await expect.element(button("Follow")).toHaveAttribute("aria-busy", "true");
  await userEvent.keyboard("{Escape}");
  await expect.element(address).toBeVisible();
  slow.give(Response.json(feed({ folderId: "d1" }), { status: 201 }));
  await expect.element(button("Follow a feed…")).toHaveFocus();
  await expect.element(page.getByText("You’re now following this feed.")).toBeVisible();
  expect(sent).toEqual([{ url: "https://example.org/feed", sourceLanguage: "en", folderId: "d1", takeNewest: true }]);
  await expect.element(card.getByLabelText("Folder for transcripts")).toHaveValue("d1");
});

test("follows a feed with the chosen languages and without a folder", async () => {
  await open([]);
  await button("Follow a feed…").click();
  await expect.element(card.getByLabelText("Folder for transcripts")).not.toBeInTheDocument();
  await card.getByLabelText("Address of the feed").fill("https://example.org/feed");
  await card.getByLabelText("Spoken language").selectOptions("en");
  await card.getByLabelText("Translate to").selectOptions("de");
  const sent: unknown[] = [];
  answer({
    "POST /users/me/feeds": async ({ request }) => {
      sent.push(await request.json());
      return Response.json(feed(), { status: 201 });
    },
  });
  await button("Follow").click();
  await expect.element(card.getByText("Slow & steady")).toBeVisible();
  expect(sent).toEqual([
    { url: "https://example.org/feed", sourceLanguage: "en", targetLanguage: "de", folderId: null, takeNewest: false },
  ]);
});

test("says why a feed can't be followed, and keeps the typed address", async () => {
  await open([]);
  await button("Follow a feed…").click();
  const address = card.getByLabelText("Address of the feed");
  await address.fill("https://example.org/");
  for (const [refused, said] of [
    [refusal(400, "badRequest"), "This is not a valid address."],
    [refusal(422, "notAudio"), "There is no feed with recordings at this address."],
    [refusal(422, "tooLarge"), "This feed is too large. The limit is 5 MB and 20,000 entries."],
    [refusal(422, "urlRefused"), "This address can’t be used"],
    [refusal(422, "urlUnreachable"), "The server can’t be reached, or answers with an error"],
    [refusal(422, "urlTimeout"), "The server takes too long to answer. Try again later."],
    [refusal(409, "conflict"), "You already follow this feed."],
    [refusal(422, "languageUnavailable"), "This server can’t recognize this language."],
    [refusal(422, "translationUnavailable"), "This server can’t translate between these languages."],
    [refusal(409, "tooManyAtOnce"), "You have reached your plan’s limit of feeds."],
    [refusal(429, "tooManyRequests"), "Too many attempts. Wait a moment."],
    [refusal(404, "notFound"), "You have already unfollowed this feed."],
    [lost(), "No connection to the server. Nothing was changed."],
    [refusal(500, "internal"), "That didn’t work. Nothing was changed."],
  ] as const) {
    answer({ "POST /users/me/feeds": refused });
    await button("Follow").click();
    await expect.element(card.getByRole("alert").filter({ hasText: said })).toBeVisible();
  }
  await expect.element(address).toHaveValue("https://example.org/");
  await userEvent.type(address, "{Escape}");
  await expect.element(button("Follow a feed…")).toHaveFocus();
  await expect.element(card.getByRole("alert")).not.toBeInTheDocument();
});

test("pauses a feed and resumes it", async () => {
  await open([feed()]);
  const sent: unknown[] = [];
  const change = (next: Feed) =>
    answer({
      "PATCH /users/me/feeds/:id": async ({ request, params }) => {
        sent.push(params.id, await request.json());
        return next;
      },
    });
  change(feed({ paused: { at, reason: "owner" }, nextAt: null }));
  await button("Pause Slow & steady").click();
  await expect.element(button("Resume Slow & steady")).toHaveFocus();
  await expect.poll(about).toMatch(/Paused since 1 Mar 2026, 13:00\. Episodes published in the meantime/);
  change(feed());
  await button("Resume Slow & steady").click();
  await expect.element(button("Pause Slow & steady")).toHaveFocus();
  expect(sent).toEqual(["f1", { paused: true }, "f1", { paused: false }]);
});

test("moves a feed's transcripts into another folder, and shows the new folder at once", async () => {
  await open([feed()], [folder]);
  const choice = card.getByLabelText("Folder for transcripts from Slow & steady");
  const sent: unknown[] = [];
  const slow = holdAnswer();
  answer({
    "PATCH /users/me/feeds/:id": async ({ request }) => {
      sent.push(await request.json());
      return slow.answer();
    },
  });
  await choice.selectOptions("Listened to");
  await expect.element(choice).toHaveAttribute("aria-busy", "true");
  await expect.element(choice).toHaveValue("d1");
  const changed = feed({ folderId: "d1" });
  // The page loads the feeds again when it gets the focus.
  answer({ "GET /users/me/feeds": { feeds: [changed], limit: 3 } });
  slow.give(changed);
  await expect.element(choice).toHaveAttribute("aria-busy", "false");
  answer({ "PATCH /users/me/feeds/:id": refusal(500, "internal") });
  await choice.selectOptions("No folder");
  await expect.element(card.getByRole("alert")).toHaveTextContent("That didn’t work. Nothing was changed.");
  await expect.element(choice).toHaveValue("d1");
  expect(sent).toEqual([{ folderId: "d1" }]);
});

test("unfollows a feed only after confirmation", async () => {
  await open([feed()]);
  const removed: string[] = [];
  answer({
    "DELETE /users/me/feeds/:id": ({ params }) => {
      removed.push(String(params.id));
      return new Response(null, { status: 204 });
    },
  });
  const dialog = page.getByRole("dialog", { name: "Unfollow this feed?" });
  await button("Unfollow Slow & steady").click();
  await expect
    .element(dialog)
    .toMatchTextContent("New episodes of Slow & steady will no longer be transcribed, and waiting episodes are dropped.");
  await dialog.getByRole("button", { name: "Keep following" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(removed).toEqual([]);
  await button("Unfollow Slow & steady").click();
  await dialog.getByRole("button", { name: "Unfollow" }).click();
  await expect.element(card.getByRole("heading", { name: "You don’t follow any feeds." })).toHaveFocus();
  await expect.element(page.getByText("You no longer follow this feed.")).toBeVisible();
  expect(removed).toEqual(["f1"]);
});

test("says that feeds can't be loaded, and loads them on retry even without folders", async () => {
  answer({
    "GET /users/me/feeds": refusal(500, "internal"),
    "GET /api/v1/audio-transcriptions/filing": refusal(500, "internal"),
  });
  await openPage("/settings/transcription");
  await expect.element(card.getByText("Couldn’t load your feeds.")).toBeVisible();
  await expect.element(button("Follow a feed…")).not.toBeInTheDocument();
  const slow = holdAnswer();
  answer({ "GET /users/me/feeds": slow.answer });
  await card.getByRole("button", { name: "Try again" }).click();
  await expect.element(card.getByText("Loading…")).toBeVisible();
  slow.give({ feeds: [feed()], limit: 1 });
  await expect.element(card.getByText("Your plan includes 1 feed.")).toBeVisible();
  expect(rows()).toHaveLength(1);
});
