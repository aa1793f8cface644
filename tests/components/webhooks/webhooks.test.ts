import { expect, test, vi } from "vitest";
import type { Webhook, WebhookDelivery } from "#contract/index.ts";
import { answer, holdAnswer, lost, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";

const card = page.getByRole("region", { name: "Webhooks" });
const button = (name: string) => card.getByRole("button", { name, exact: true });
const at = "2026-03-01T12:00:00.000Z";
const when = "1 Mar 2026, 13:00";
const url = "https://example.org/hook";

const webhook = (change: Partial<Webhook> = {}): Webhook => ({
  id: "w1",
  url,
  events: ["transcription.completed", "transcription.failed"],
  createdAt: at,
  paused: null,
  failures: 0,
  failingSince: null,
  ...change,
});
const delivery = (change: Partial<WebhookDelivery> = {}): WebhookDelivery => ({
  id: "d1",
  type: "webhook.test",
  transcriptionId: null,
  state: "delivered",
  createdAt: at,
  attempts: 1,
  attemptedAt: at,
  nextAt: null,
  status: 200,
  answer: "",
  error: null,
  ...change,
});

async function open(webhooks: Webhook[]): Promise<void> {
  answer({ "GET /users/me/webhooks": { webhooks } });
  await openPage("/settings/developer");
  await expect.element(button("New webhook…")).toBeVisible();
}
const rows = () => textsOf(card.getByRole("listitem"));

test("lists webhooks with their events and state", async () => {
  await open([
    webhook(),
    webhook({ id: "w2", events: ["transcription.failed"], failures: 1, failingSince: at }),
    webhook({ id: "w3", failures: 2, failingSince: at, paused: { at, reason: "failing" } }),
    webhook({ id: "w4", paused: { at, reason: "gone" } }),
    webhook({ id: "w5", paused: { at, reason: "owner" } }),
  ]);
  const texts = rows();
  expect(texts).toHaveLength(5);
  expect(texts[0]).toContain("Transcription completed");
  expect(texts[0]).not.toContain("failed since");
  expect(texts[1]).toContain(`1 attempt has failed since ${when}.`);
  expect(texts[1]).not.toContain("Transcription completed");
  expect(texts[2]).toContain(`Paused since ${when}, because deliveries failed for a day.`);
  expect(texts[3]).toContain(`Paused since ${when}, because your server answered that it wants no more messages (410).`);
  expect(texts[4]).toContain(`Paused since ${when}. New messages wait until you resume.`);
  await expect.element(card.getByRole("heading", { name: "Your webhooks" })).toBeVisible();
});

test("creates a webhook, and shows its secret once", async () => {
  await open([]);
  await expect.element(card.getByRole("heading", { name: "You have no webhooks." })).toBeVisible();
  await button("New webhook…").click();
  const address = card.getByLabelText("Address of your server");
  await expect.element(address).toHaveFocus();
  await userEvent.keyboard("{Enter}");
  await expect.element(card.getByText("Enter the address of your server.")).toBeVisible();
  await address.fill(url);
  const boxes = card.getByRole("checkbox");
  await boxes.nth(0).click();
  await boxes.nth(1).click();
  await button("Create webhook").click();
  await expect.element(card.getByText("Choose at least one event.")).toBeVisible();
  await boxes.nth(1).click();
  const sent: unknown[] = [];
  const slow = holdAnswer();
  answer({
    "POST /users/me/webhooks": async ({ request }) => {
      sent.push(await request.json());
      return slow.answer();
    },
  });
  await button("Create webhook").click();
  await expect.element(button("Create webhook")).toHaveAttribute("aria-busy", "true");
  slow.give(Response.json({ ...webhook(), secret: "whsec_secret" }, { status: 201 }));
  await expect.element(card.getByRole("heading", { name: "The webhook’s secret" })).toHaveFocus();
  await expect.element(page.getByTestId("webhook-secret")).toHaveTextContent("whsec_secret");
  await expect.element(button("New webhook…")).not.toBeInTheDocument();
  const copied: string[] = [];
  const write = vi.spyOn(navigator.clipboard, "writeText").mockImplementation(async (text) => void copied.push(text));
  await button("Copy").click();
  await expect.element(card.getByText("Copied.")).toBeVisible();
  write.mockRejectedValue(new Error("no"));
  await button("Copy").click();
  await expect.element(card.getByText("Couldn’t copy the secret. Select it and copy it yourself.")).toBeVisible();
  write.mockRestore();
  answer({ "GET /users/me/webhooks": { webhooks: [webhook()] } });
  await button("Done").click();
  await expect.element(button("New webhook…")).toHaveFocus();
  await expect.element(page.getByTestId("webhook-secret")).not.toBeInTheDocument();
  expect(copied).toEqual(["whsec_secret"]);
  expect(sent).toEqual([{ url, events: ["transcription.failed"] }]);
  expect(rows()).toHaveLength(1);
});

test("says why a webhook can't be created, and keeps the typed address", async () => {
  await open([]);
  await button("New webhook…").click();
  const address = card.getByLabelText("Address of your server");
  await address.fill("https://10.0.0.1/");
  for (const [refused, said] of [
    [refusal(400, "badRequest"), "This is not a valid address."],
    [refusal(422, "urlRefused"), "This address can’t be used"],
    [refusal(422, "urlUnreachable"), "There is no server with this name."],
    [refusal(422, "urlTimeout"), "Looking up the name of this server took too long."],
    [refusal(409, "tooManyAtOnce"), "You have reached the limit of webhooks. Remove one first."],
    [refusal(402, "quotaReached"), "Your storage on this server is full"],
    [refusal(429, "tooManyRequests"), "Too many attempts. Wait a moment."],
    [lost(), "No connection to the server. Nothing was changed."],
    [refusal(500, "internal"), "That didn’t work. Nothing was changed."],
  ] as const) {
    answer({ "POST /users/me/webhooks": refused });
    await button("Create webhook").click();
    await expect.element(card.getByRole("alert").filter({ hasText: said })).toBeVisible();
  }
  await expect.element(address).toHaveValue("https://10.0.0.1/");
  await button("Cancel").click();
  await expect.element(button("New webhook…")).toHaveFocus();
  await expect.element(card.getByRole("alert")).not.toBeInTheDocument();
});

test("pauses a webhook and resumes it", async () => {
  await open([webhook()]);
  const sent: unknown[] = [];
  const change = (next: Webhook) =>
    answer({
      "PATCH /users/me/webhooks/:id": async ({ request, params }) => {
        sent.push(params.id, await request.json());
        return next;
      },
    });
  change(webhook({ paused: { at, reason: "owner" } }));
  await button(`Pause ${url}`).click();
  await expect.element(card.getByText(`Paused since ${when}. New messages wait until you resume.`)).toBeVisible();
  await expect.element(button(`Resume ${url}`)).toHaveFocus();
  change(webhook());
  await button(`Resume ${url}`).click();
  await expect.element(button(`Pause ${url}`)).toHaveFocus();
  expect(sent).toEqual(["w1", { paused: true }, "w1", { paused: false }]);
  answer({ "PATCH /users/me/webhooks/:id": refusal(404, "notFound") });
  await button(`Pause ${url}`).click();
  await expect.element(card.getByRole("alert")).toHaveTextContent("This was already removed.");
});

test("removes a webhook only after confirmation", async () => {
  await open([webhook()]);
  const removed: string[] = [];
  answer({
    "DELETE /users/me/webhooks/:id": ({ params }) => {
      removed.push(String(params.id));
      return new Response(null, { status: 204 });
    },
  });
  const dialog = page.getByRole("dialog", { name: "Remove this webhook?" });
  await button(`Remove ${url}`).click();
  await expect.element(dialog).toMatchTextContent(`${url} gets no more messages.`);
  await dialog.getByRole("button", { name: "Keep" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(removed).toEqual([]);
  await button(`Remove ${url}`).click();
  await dialog.getByRole("button", { name: "Remove" }).click();
  await expect.element(card.getByRole("heading", { name: "You have no webhooks." })).toHaveFocus();
  await expect.element(page.getByText("Webhook removed.")).toBeVisible();
  expect(removed).toEqual(["w1"]);
});

test("shows a webhook's deliveries and their results", async () => {
  await open([webhook()]);
  answer({
    "GET /users/me/webhooks/:id/deliveries": {
      deliveries: [
        delivery({ answer: "noted" }),
        delivery({ id: "a", type: "transcription.completed", transcriptionId: "t1", attempts: 2, status: 301 }),
        delivery({ id: "b", type: "transcription.failed", state: "failed", status: 399, attempts: 3 }),
        delivery({ id: "c", state: "waiting", attempts: 0, status: null, nextAt: at }),
        delivery({ id: "d", state: "waiting", attempts: 1, status: 400, nextAt: "2026-03-01T13:00:00.000Z" }),
        delivery({ id: "e", state: "held", status: null, error: "urlRefused" }),
        delivery({ id: "f", status: null, error: "urlTimeout" }),
        delivery({ id: "g", status: null, error: "internal", attempts: 2 }),
        delivery({ id: "h", state: "waiting", attempts: 1, status: 500, nextAt: null }),
      ],
    },
  });
  await button(`Log of ${url}`).click();
  await expect.element(card.getByRole("heading", { name: "Delivery log" })).toHaveFocus();
  await expect.element(card.getByText("noted")).toBeVisible();
  expect(rows()).toEqual([
    `Test ${when} Delivered Your server answered 200. noted Send again`,
    `Transcription completed ${when} Delivered Open the transcript Your server answered with a redirect (301), which we don’t follow. Enter the address it leads to. 2 attempts Send again`,
    `Transcription failed ${when} Given up Your server answered with a redirect (399), which we don’t follow. Enter the address it leads to. 3 attempts Send again`,
    `Test ${when} Sending… Send again`,
    `Test ${when} Next attempt: 1 Mar 2026, 14:00 Your server answered 400. Send again`,
    `Test ${when} Waits until the webhook resumes Not sent: the address leads to a server that is not public. Send again`,
    `Test ${when} Delivered No answer within 15 seconds. Send again`,
    `Test ${when} Delivered Your server couldn’t be reached. 2 attempts Send again`,
    `Test ${when} Sending… Your server answered 500. Send again`,
  ]);
  await expect.element(card.getByRole("link", { name: "Open the transcript" })).toHaveAttribute("href", "/transcription/t1");
  await button("Back to your webhooks").click();
  await expect.element(card.getByRole("heading", { name: "Your webhooks" })).toHaveFocus();
});

test("sends a test message, and sends a message again", async () => {
  await open([webhook()]);
  const sent: string[] = [];
  const slow = holdAnswer();
  answer({
    "GET /users/me/webhooks/:id/deliveries": { deliveries: [] },
    "POST /users/me/webhooks/:id/test": ({ params }) => {
      sent.push(`test ${params.id}`);
      return slow.answer();
    },
    "POST /users/me/webhooks/:id/deliveries/:delivery/replay": ({ params }) => {
      sent.push(`replay ${params.id} ${params.delivery}`);
      return delivery({ id: "new", answer: "second" });
    },
  });
  await button(`Log of ${url}`).click();
  await expect.element(card.getByText("Nothing sent yet.")).toBeVisible();
  answer({ "GET /users/me/webhooks/:id/deliveries": { deliveries: [delivery({ id: "new", answer: "first" })] } });
  await button("Send test").click();
  await expect.element(button("Send test")).toHaveAttribute("aria-busy", "true");
  slow.give(Response.json(delivery({ id: "new", answer: "first" }), { status: 201 }));
  await expect.element(card.getByText("first")).toBeVisible();
  await expect.element(card.getByText("Nothing sent yet.")).not.toBeInTheDocument();
  await button(`Send again: Test, ${when}`).click();
  await expect.element(card.getByText("second")).toBeVisible();
  expect(sent).toEqual(["test w1", "replay w1 new"]);
  answer({ "POST /users/me/webhooks/:id/test": refusal(409, "conflict") });
  await button("Send test").click();
  await expect.element(card.getByRole("alert")).toHaveTextContent("This webhook is paused. Resume it first.");
});

test("says that the webhooks or the log can't be loaded, and loads them on retry", async () => {
  answer({ "GET /users/me/webhooks": refusal(500, "internal") });
  await openPage("/settings/developer");
  await expect.element(card.getByText("Couldn’t load your webhooks.")).toBeVisible();
  await expect.element(button("New webhook…")).not.toBeInTheDocument();
  const slow = holdAnswer();
  answer({ "GET /users/me/webhooks": slow.answer, "GET /users/me/webhooks/:id/deliveries": refusal(500, "internal") });
  await card.getByRole("button", { name: "Try again" }).click();
  await expect.element(card.getByText("Loading…")).toBeVisible();
  slow.give({ webhooks: [webhook()] });
  await button(`Log of ${url}`).click();
  await expect.element(card.getByText("Couldn’t load the log.")).toBeVisible();
  await expect.element(button("Send test")).not.toBeInTheDocument();
  answer({ "GET /users/me/webhooks/:id/deliveries": { deliveries: [delivery()] } });
  await card.getByRole("button", { name: "Try again" }).click();
  await expect.element(button("Send test")).toBeVisible();
});
