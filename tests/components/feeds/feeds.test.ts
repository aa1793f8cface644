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
/** What is said of the first feed, without its buttons. */
const about = () => (rows()[0] ?? "").replace(/ (?:Pause|Go on) Unfollow$/, "");

test("lists feeds with when they were looked at and what came of them", async () => {
  await open([
    feed(),
    feed({ id: "f2", title: "", taken: 2, lookedAt: null, newest: { title: "", transcriptionId: "t2" }, waiting: 1 }),
    feed({ id: "f3", taken: 0, nextAt: null, newest: null }),
    feed({ id: "f4", newest: { title: "Not yet there", transcriptionId: null } }),
  ]);
  expect(rows()).toEqual([
    `Slow & steady https://example.org/feed Last looked at: ${when} Next: 1 Mar 2026, 14:00 1 episode transcribed The newest talk Pause Unfollow`,
    "https://example.org/feed Next: 1 Mar 2026, 14:00 2 episodes transcribed The newest transcript 1 episode waits for its turn. Pause Unfollow",
    `Slow & steady https://example.org/feed Last looked at: ${when} 0 episodes transcribed Pause Unfollow`,
    `Slow & steady https://example.org/feed Last looked at: ${when} Next: 1 Mar 2026, 14:00 1 episode transcribed Pause Unfollow`,
  ]);
  await expect.element(card.getByRole("link", { name: "The newest talk" })).toHaveAttribute("href", "/transcription/t1");
  await expect.element(card.getByRole("heading", { name: "Your feeds" })).toBeVisible();
  await expect.element(card.getByText("With your plan you can follow 3 feeds.")).toBeVisible();
  await expect.element(card.getByLabelText("Put transcripts into")).not.toBeInTheDocument();
});

test("says why a feed is paused, why it could not be read, and what its episodes wait for", async () => {
  const name = "Slow & steady https://example.org/feed ";
  const looked = `${name}Last looked at: ${when} `;
  const next = "Next: 1 Mar 2026, 14:00 ";
  const end = "1 episode transcribed The newest talk";
  const cases: [Partial<Feed>, string][] = [
    [{ paused: { at, reason: "owner" } }, `${name}Paused since ${when}. What comes meanwhile is found when it goes on. ${end}`],
    [
      { paused: { at, reason: "failing" }, error: "urlTimeout" },
      `${name}Paused since ${when}: it could not be read for a week. Check its address, then let it go on. The last look failed: its server took too long. ${end}`,
    ],
    [{ paused: { at, reason: "gone" } }, `${name}Paused since ${when}: its server says that it is gone for good (410). ${end}`],
    [
      { paused: { at, reason: "plan" } },
      `${name}Paused since ${when}: your plan has fewer feeds. Unfollow another one, or upgrade. ${end}`,
    ],
    [
      { paused: { at, reason: "full" } },
      `${name}Paused since ${when}: a hundred of its episodes wait. They are transcribed when there is room, then it goes on by itself. ${end}`,
    ],
    [{ error: "notAudio" }, `${looked}${next}The last look failed: there is no feed with recordings at its address now. ${end}`],
    [{ error: "tooLarge" }, `${looked}${next}The last look failed: it is larger than 5 MB, or has too many entries. ${end}`],
    [{ error: "urlRefused" }, `${looked}${next}The last look failed: its address leads to a server that is not public. ${end}`],
    [
      { error: "gone" },
      `${looked}${next}The last look failed: its server could not be reached, or answered with an error. ${end}`,
    ],
    [{ waiting: 2 }, `${looked}${next}${end} 2 episodes wait for their turn.`],
    [
      { waiting: 2, waitingFor: "limitReached" },
      `${looked}${next}${end} 2 episodes wait: they need more minutes than are left this month.`,
    ],
    [{ waiting: 1, waitingFor: "quotaReached" }, `${looked}${next}${end} 1 episode waits: your storage is full.`],
    [{ waiting: 1, waitingFor: "storageFull" }, `${looked}${next}${end} 1 episode waits: this server’s disk is full.`],
    [
      { waiting: 1, waitingFor: "languageUnavailable" },
      `${looked}${next}${end} 1 episode waits: this server does not hear its language now.`,
    ],
    [
      { waiting: 1, waitingFor: "translationUnavailable" },
      `${looked}${next}${end} 1 episode waits: this server can’t translate it now.`,
    ],
    [{ waiting: 1, waitingFor: "internal" }, `${looked}${next}${end} 1 episode waits for its turn.`],
  ];
  await open(cases.map(([change], index) => feed({ id: `f${index}`, ...change })));
  expect(rows().map((text) => text.replace(/ (?:Pause|Go on) Unfollow$/, ""))).toEqual(cases.map(([, said]) => said));
});

test("follows a feed with its newest episode, in a folder", async () => {
  await open([], [folder]);
  await expect.element(card.getByRole("heading", { name: "You follow no feed." })).toBeVisible();
  await button("Follow a feed…").click();
  const address = card.getByLabelText("Address of the feed");
  await expect.element(address).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(card.getByText("Write the address of the feed.")).toBeVisible();
  await address.fill("https://example.org/feed");
  await card.getByLabelText("Transcribe the newest episode now, too").click();
  await card.getByLabelText("Put transcripts into").selectOptions("Listened to");
  const sent: unknown[] = [];
  const slow = holdAnswer();
  answer({
    "POST /users/me/feeds": async ({ request }) => {
      sent.push(await request.json());
      return slow.answer();
    },
  });
  await button("Follow").click();
  await expect.element(card.getByText("The feed is being read…")).toBeVisible();
  await expect.element(button("Follow")).toHaveAttribute("aria-busy", "true");
  await userEvent.keyboard("{Escape}");
  await expect.element(address).toBeVisible();
  slow.give(Response.json(feed({ folderId: "d1" }), { status: 201 }));
  await expect.element(button("Follow a feed…")).toHaveFocus();
  await expect.element(page.getByText("You follow this feed now.")).toBeVisible();
  expect(sent).toEqual([{ url: "https://example.org/feed", sourceLanguage: "en", folderId: "d1", takeNewest: true }]);
  await expect.element(card.getByLabelText("Put transcripts into")).toHaveValue("d1");
});

test("sends the languages that are chosen, and no folder", async () => {
  await open([]);
  await button("Follow a feed…").click();
  await expect.element(card.getByLabelText("Put transcripts into")).not.toBeInTheDocument();
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

test("says why a feed can't be followed, and keeps what was typed", async () => {
  await open([]);
  await button("Follow a feed…").click();
  const address = card.getByLabelText("Address of the feed");
  await address.fill("https://example.org/");
  for (const [refused, said] of [
    [refusal(400, "badRequest"), "This is no address."],
    [refusal(422, "notAudio"), "There is no feed with recordings at this address."],
    [refusal(422, "tooLarge"), "This feed is too large: 5 MB and 20,000 entries at most."],
    [refusal(422, "urlRefused"), "This address can’t be used"],
    [refusal(422, "urlUnreachable"), "Its server can’t be reached"],
    [refusal(422, "urlTimeout"), "Its server takes too long. Try again later."],
    [refusal(409, "conflict"), "You follow this feed already."],
    [refusal(422, "languageUnavailable"), "This server does not hear this language."],
    [refusal(422, "translationUnavailable"), "This server can’t translate this way."],
    [refusal(409, "tooManyAtOnce"), "You follow as many feeds as your plan has."],
    [refusal(429, "tooManyRequests"), "Too many attempts. Wait a little."],
    [refusal(404, "notFound"), "You had unfollowed this already."],
    [lost(), "There is no connection to the server. Nothing was changed."],
    [refusal(500, "internal"), "This did not work. Nothing was changed."],
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

test("pauses a feed and lets it go on", async () => {
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
  await expect.element(button("Go on with Slow & steady")).toHaveFocus();
  await expect.poll(about).toMatch(/Paused since 1 Mar 2026, 13:00\. What comes meanwhile/);
  change(feed());
  await button("Go on with Slow & steady").click();
  await expect.element(button("Pause Slow & steady")).toHaveFocus();
  expect(sent).toEqual(["f1", { paused: true }, "f1", { paused: false }]);
});

test("puts transcripts into another folder, and shows the wanted one meanwhile", async () => {
  await open([feed()], [folder]);
  const choice = card.getByLabelText("Put transcripts into (feed: Slow & steady)");
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
  // The page asks again when it is looked at again.
  answer({ "GET /users/me/feeds": { feeds: [changed], limit: 3 } });
  slow.give(changed);
  await expect.element(choice).toHaveAttribute("aria-busy", "false");
  answer({ "PATCH /users/me/feeds/:id": refusal(500, "internal") });
  await choice.selectOptions("No folder");
  await expect.element(card.getByRole("alert")).toHaveTextContent("This did not work. Nothing was changed.");
  await expect.element(choice).toHaveValue("d1");
  expect(sent).toEqual([{ folderId: "d1" }]);
});

test("unfollows a feed once that is confirmed", async () => {
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
  await expect.element(dialog).toMatchTextContent("Nothing more of Slow & steady is transcribed, and what waits is dropped.");
  await dialog.getByRole("button", { name: "Keep following" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(removed).toEqual([]);
  await button("Unfollow Slow & steady").click();
  await dialog.getByRole("button", { name: "Unfollow" }).click();
  await expect.element(card.getByRole("heading", { name: "You follow no feed." })).toHaveFocus();
  await expect.element(page.getByText("You no longer follow the feed.")).toBeVisible();
  expect(removed).toEqual(["f1"]);
});

test("says that feeds can't be loaded, and loads them when asked; without folders they can be followed all the same", async () => {
  answer({
    "GET /users/me/feeds": refusal(500, "internal"),
    "GET /api/v1/audio-transcriptions/filing": refusal(500, "internal"),
  });
  await openPage("/settings/transcription");
  await expect.element(card.getByText("Your feeds could not be loaded.")).toBeVisible();
  await expect.element(button("Follow a feed…")).not.toBeInTheDocument();
  const slow = holdAnswer();
  answer({ "GET /users/me/feeds": slow.answer });
  await card.getByRole("button", { name: "Try again" }).click();
  await expect.element(card.getByText("Loading…")).toBeVisible();
  slow.give({ feeds: [feed()], limit: 1 });
  await expect.element(card.getByText("With your plan you can follow 1 feed.")).toBeVisible();
  expect(rows()).toHaveLength(1);
});
