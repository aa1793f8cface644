import { expect, test, vi } from "vitest";
import { answer, noPages, openPage, page, refusal, subscription } from "#tests/components/harness.ts";

// The pages to which a checkout returns.

const heading = (name: string) => expect.element(page.getByRole("heading", { name, level: 1 })).toBeVisible();
const button = (name: string) => page.getByRole("button", { name, exact: true });
const links = () =>
  page
    .getByRole("main")
    .getByRole("link")
    .elements()
    .map((link) => link.getAttribute("href"));
const history = "/api/v1/audio-transcriptions";
const blocked = (id: string, title: string, code = "limitReached") => ({
  ...{ id, title, status: "failed", createdAt: "2026-01-01T00:00:00.000Z", updatedAt: "2026-01-01T00:00:00.000Z" },
  ...{ error: { code, message: code }, sourceLanguage: "en", targetLanguage: null },
});

// SPEC 2 Public routes: "/subscription-success, /subscription-cancelled"
test("waits half a minute for the payment's confirmation, then lets the user check again", async () => {
  let asked = 0;
  answer({
    "GET /subscriptions/me": () => {
      asked += 1;
      return refusal(404, "notFound");
    },
  });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  try {
    await openPage("/subscription-success");
    await heading("Your payment is being confirmed");
    await expect.element(page.getByText("This takes a few seconds.", { exact: true })).toBeVisible();
    for (let time = 1; time < 15; time++) {
      await expect.poll(() => asked).toBe(time);
      await vi.advanceTimersByTimeAsync(2_000);
    }
    await heading("Your payment isn’t confirmed yet");
    expect(asked).toBe(15);
  } finally {
    vi.useRealTimers();
  }
  answer({ "GET /subscriptions/me": { subscription } });
  await button("Try again").click();
  await heading("Welcome to Premium");
  await expect.poll(links).toEqual(["/encrypted-audio", "/subscription"]);
  await expect.element(button("Transcribe now")).not.toBeInTheDocument();
});

test("asks a signed-out user to sign in", async () => {
  await openPage("/subscription-success", { as: "visitor" });
  await heading("Sign in to continue");
  expect(links()).toEqual(["/signin"]);
});

test.each([
  [
    [blocked("a", "market")],
    "“market” was longer than your free minutes. It is stored here",
    "Transcribe now",
    "/file-processing/a",
  ],
  [
    [blocked("a", "market"), blocked("b", "harbor"), blocked("c", "noise", "noSpeech")],
    "2 recordings were longer than your free minutes. They are stored here",
    "Transcribe now",
    "/dashboard",
  ],
])(
  "offers after the payment to transcribe recordings that exceeded the free minutes, and says why it can't start",
  async (data, text, label, path) => {
    const sent: unknown[] = [];
    answer({
      "GET /subscriptions/me": { subscription },
      [`GET ${history}/transcription-history`]: { data, pagination: { ...noPages, total: data.length }, next: null },
      "PUT /audio/remove-transcription/:id": async ({ request, params }) => {
        sent.push([params.id, await request.json()]);
        return sent.length === 1 ? refusal(402, "limitReached") : blocked(String(params.id), "market");
      },
      [`GET ${history}/transcription/:id`]: refusal(404, "notFound"),
    });
    await openPage("/subscription-success", { as: "premium" });
    await heading("Welcome to Premium");
    await expect.element(page.getByText(text)).toBeVisible();
    // One next step, and below it the purchase.
    expect(links()).toEqual(["/subscription"]);
    const bought = page.getByRole("region", { name: "Your plan" });
    await expect.poll(() => bought.element().textContent).toMatch(/Premium.*€.*(a year|a month).*Renews on .*Unlimited minutes/);
    await button(label).click();
    await expect.element(page.getByRole("alert").getByText("You have used up your free minutes for this month.")).toBeVisible();
    expect(sent).toEqual([["a", { retry: true }]]);
    expect(location.pathname).toBe("/subscription-success");
    await button(label).click();
    await expect.poll(() => location.pathname).toBe(path);
    const again = data.filter(({ error }) => error.code === "limitReached").map(({ id }) => [id, { retry: true }]);
    expect(sent.slice(1)).toEqual(again);
  },
);

// SPEC 5: "if no URL is returned the error is 'Could not retrieve checkout session URL from backend.'"
test("says that nothing was paid, and retries the checkout with the same interval", async () => {
  const sent: unknown[] = [];
  answer({
    "POST /subscriptions/create-checkout-session": async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1 ? refusal(500, "internal") : sent.length === 2 ? {} : { url: "#paying" };
    },
  });
  await openPage("/subscription-cancelled?plan=premium&interval=month");
  await heading("Nothing was charged");
  await expect.element(page.getByText("You left the checkout. Your plan is unchanged.")).toBeVisible();
  expect(links()).toEqual(["/subscription?interval=month"]);
  await button("Try again").click();
  await expect.element(page.getByRole("alert").getByText("Failed to create checkout session", { exact: true })).toBeVisible();
  await button("Try again").click();
  const none = "Could not retrieve checkout session URL from backend.";
  await expect.element(page.getByRole("alert").getByText(none, { exact: true })).toBeVisible();
  await button("Try again").click();
  await expect.poll(() => location.hash).toBe("#paying");
  expect(sent).toEqual([{ plan: "month" }, { plan: "month" }, { plan: "month" }]);
});

test("says that the checkout could not be opened", async () => {
  await openPage("/subscription-cancelled?checkout=unavailable&plan=premium&interval=year");
  await heading("Failed to create checkout session");
  await expect.element(page.getByText("Couldn’t open the checkout.")).toBeVisible();
});
