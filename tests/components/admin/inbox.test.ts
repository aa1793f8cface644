import { expect, test, vi } from "vitest";
import type { InboxMessage } from "#contract/index.ts";
import { answer, holdAnswer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { optionsOf, textsOf } from "#tests/components/harness-texts.ts";
import { paged } from "./rows.ts";

const message = (change: Partial<InboxMessage> = {}): InboxMessage => ({
  id: "m1",
  kind: "contact",
  userId: null,
  name: "Ada",
  email: "ada@example.org",
  rating: null,
  text: "<b>Hello</b>",
  language: "en",
  createdAt: "2026-03-01T12:00:00.000Z",
  handledAt: null,
  ...change,
});
const done = message({ id: "m2", kind: "feedback", name: "", rating: 4, language: "de", handledAt: "2026-03-02T12:00:00.000Z" });

/**
 * Opens the inbox.
 * @returns the queries of its requests
 */
async function open(messages: InboxMessage[], search = ""): Promise<string[]> {
  const asked: string[] = [];
  answer({
    "GET /admin/inbox": ({ request }) => {
      asked.push(new URL(request.url).search);
      return { messages, pagination: paged(messages.length) };
    },
  });
  await openPage(`/admin?section=inbox${search}`, { as: "superuser" });
  return asked;
}
const article = (name: string) => page.getByRole("article", { name });
/** The text of a file that is offered for download. */
const fileOf = (file: unknown) => (file instanceof Blob ? file.text() : Promise.resolve("no file"));
const heading = page.getByRole("heading", { name: "Inboxes" });

test("shows messages as they were written, with their sender and time", async () => {
  const asked = await open([message(), done]);
  await expect.element(page.getByText("Messages: 2")).toBeVisible();
  expect(textsOf(page.getByRole("article"))).toEqual([
    "Ada Contact 1 Mar 2026, 13:00 English ada@example.org <b>Hello</b> Reply by e-mail Mark as done",
    "ada@example.org Feedback Done 2 Mar 2026, 13:00 4 of 5 1 Mar 2026, 13:00 German <b>Hello</b> Reply by e-mail Reopen",
  ]);
  await expect.element(article("ada@example.org").getByText("<b>Hello</b>")).toHaveAttribute("lang", "de");
  expect(asked).toEqual(["?page=1&kind=all&state=open"]);
});

test("opens a reply by mail that quotes up to a thousand characters", async () => {
  await open([message({ email: "a&b@example.org", text: `One\nTwo ${"x".repeat(2_000)}` })]);
  const reply = article("Ada").getByRole("link", { name: "Reply by e-mail" });
  await expect.element(reply).toBeVisible();
  const [address, query] = (reply.element().getAttribute("href") ?? "").split("?");
  const asked = new URLSearchParams(query);
  expect(address).toBe("mailto:a%26b@example.org");
  expect(asked.get("subject")).toBe("Your message to Parlance");
  expect(asked.get("body")).toBe(`\r\n\r\n> One\r\n> Two ${"x".repeat(1_000 - "One\nTwo ".length)}`);
});

test("marks a message as done, and undoes this", async () => {
  const changes: unknown[] = [];
  await open([message()]);
  const slow = holdAnswer();
  answer({
    "PATCH /admin/inbox/:id": async ({ request, params }) => {
      changes.push([params.id, await request.json()]);
      return slow.answer();
    },
  });
  await article("Ada").getByRole("button", { name: "Mark as done" }).click();
  await expect.element(heading).toHaveFocus();
  await expect.element(article("Ada").getByRole("button", { name: "Mark as done" })).toHaveAttribute("aria-busy", "true");
  answer({ "GET /admin/inbox": { messages: [], pagination: paged(0) } });
  slow.give(message({ handledAt: done.handledAt }));
  await expect.element(page.getByText("Message marked as done.")).toBeVisible();
  await expect.element(page.getByText("No open messages.")).toBeVisible();
  answer({ "GET /admin/inbox": { messages: [message()], pagination: paged(1) } });
  await page.getByRole("button", { name: "Undo" }).click();
  slow.give(message());
  await expect.element(page.getByText("Message reopened.")).toBeVisible();
  await expect.element(article("Ada")).toBeVisible();
  expect(changes).toEqual([
    ["m1", { handled: true }],
    ["m1", { handled: false }],
  ]);
});

test("reopens a message that is done", async () => {
  const changes: unknown[] = [];
  await open([done], "&state=done");
  answer({
    "PATCH /admin/inbox/:id": async ({ request, params }) => {
      changes.push([params.id, await request.json()]);
      return message();
    },
  });
  await page.getByRole("button", { name: "Reopen" }).click();
  await expect.poll(() => changes).toEqual([["m2", { handled: false }]]);
});

test("deletes a message only after confirmation", async () => {
  await open([message()]);
  const removed: string[] = [];
  answer({
    "DELETE /admin/inbox/:id": ({ params }) => {
      removed.push(String(params.id));
      return new Response(null, { status: 204 });
    },
  });
  const button = page.getByRole("button", { name: "Delete the message from Ada" });
  const dialog = page.getByRole("dialog", { name: "Delete this message?" });
  await button.click();
  await expect.element(dialog).toMatchTextContent("This can’t be undone.");
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  expect(removed).toEqual([]);
  await button.click();
  answer({ "GET /admin/inbox": { messages: [], pagination: paged(0) } });
  await dialog.getByRole("button", { name: "Delete" }).click();
  await expect.element(page.getByText("Message deleted.")).toBeVisible();
  await expect.element(page.getByText("No open messages.")).toBeVisible();
  expect(removed).toEqual(["m1"]);
});

test("says why an action on a message failed", async () => {
  await open([message()]);
  answer({ "PATCH /admin/inbox/:id": refusal(404, "notFound") });
  await article("Ada").getByRole("button", { name: "Mark as done" }).click();
  await expect
    .element(page.getByRole("alert"))
    .toHaveTextContent("That didn’t work.This no longer exists, or it belongs to another account.");
});

test("filters messages by kind and state, and keeps the filters in the address", async () => {
  const asked = await open([], "&page=2");
  expect(optionsOf("Show")).toEqual(["All messages", "Feedback", "Contact", "Waitlist"]);
  expect(optionsOf("Status")).toEqual(["Open", "Done", "All"]);
  await page.getByLabelText("Show").selectOptions("Feedback");
  await expect.poll(() => location.search).toBe("?section=inbox&kind=feedback");
  await page.getByLabelText("Status").selectOptions("All");
  await expect.poll(() => location.search).toBe("?section=inbox&kind=feedback&state=any");
  await expect.element(page.getByText("No messages.")).toBeVisible();
  await page.getByLabelText("Status").selectOptions("Done");
  await expect.poll(() => location.search).toBe("?section=inbox&kind=feedback&state=done");
  await page.getByLabelText("Status").selectOptions("Open");
  await page.getByLabelText("Show").selectOptions("All messages");
  await expect.poll(() => location.search).toBe("?section=inbox");
  await expect.element(page.getByText("No open messages.")).toBeVisible();
  expect(asked).toContain("?page=2&kind=all&state=open");
  expect(asked).toContain("?page=1&kind=feedback&state=all");
  expect(asked).toContain("?page=1&kind=feedback&state=done");
});

test("shows the waitlist, and downloads all of it as a CSV file", async () => {
  const files: { name: string; text: string }[] = [];
  const url = vi.spyOn(URL, "createObjectURL");
  const click = vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(async function (this: HTMLAnchorElement) {
    files.push({ name: this.download, text: await fileOf(url.mock.calls.at(-1)?.[0]) });
  });
  const asked: string[] = [];
  const entries = [{ email: "+first@example.org", language: "de", joinedAt: "2026-03-01T12:00:00.000Z" }];
  answer({
    "GET /admin/waitlist": ({ request }) => {
      asked.push(new URL(request.url).search);
      return { entries, pagination: paged(1_001, 2) };
    },
    "GET /admin/waitlist.csv": new Response("email,language\r\n'+first@example.org,de\r\n"),
  });
  await openPage("/admin?section=inbox&kind=waitlist&state=done&page=2", { as: "superuser" });
  await expect.element(page.getByText("Waiting: 1,001")).toBeVisible();
  expect(textsOf(page.getByRole("row"))).toEqual(["E-mail Language Since", "+first@example.org German 1 Mar 2026, 13:00"]);
  await expect.element(page.getByLabelText("Status")).not.toBeInTheDocument();
  await page.getByRole("button", { name: "Download all as CSV" }).click();
  await expect.poll(() => files).toEqual([{ name: "waitlist.csv", text: "email,language\r\n'+first@example.org,de\r\n" }]);
  click.mockRestore();
  await page.getByText("Previous page").click();
  await expect.poll(() => location.search).toBe("?section=inbox&kind=waitlist");
  expect(asked[0]).toBe("?page=2");
});

test("says that the waitlist is empty, and that messages can't be fetched", async () => {
  answer({ "GET /admin/waitlist": { entries: [], pagination: paged(0) }, "GET /admin/inbox": refusal(500, "internal") });
  await openPage("/admin?section=inbox&kind=waitlist", { as: "superuser" });
  await expect.element(page.getByText("The waitlist is empty.")).toBeVisible();
  await page.getByLabelText("Show").selectOptions("Contact");
  await expect.element(page.getByRole("alert")).toMatchTextContent(/^Failed to fetch messages/);
});
