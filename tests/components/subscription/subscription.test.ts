import { expect, test } from "vitest";
import type { Invoice, Subscription } from "#contract/index.ts";
import { answer, holdAnswer, lost, openPage, page, refusal, subscription, usage, userEvent } from "#tests/components/harness.ts";

const plan = page.getByRole("region", { name: "Your plan", exact: true });
const month = page.getByRole("region", { name: "This month", exact: true });
const invoices = page.getByRole("region", { name: "Invoices", exact: true });
const dialog = page.getByRole("dialog");
const button = (name: string) => page.getByRole("button", { name, exact: true });
const alert = (text: string) => expect.element(page.getByRole("alert").getByText(text, { exact: true })).toBeVisible();
const detailsCall = "GET /subscriptions/account/subscription";
const internal = refusal(500, "internal");
/** The address of a checkout or portal. Only the page's hash changes, so the page itself stays. */
const elsewhere = { url: "#paying" };
const leaves = () => expect.poll(() => location.hash).toBe("#paying");

/** Each test has its own user, because the page caches a user's subscription for a minute. */
let people = 0;
const somebody = () => ({ id: `subscriber-${people++}` });
const open = (path = "/subscription", as: "free" | "premium" = "free") => openPage(path, { as, profile: somebody() });

test("offers the upgrade to the free plan, with both prices and the saving per year", async () => {
  await open();
  await expect.element(plan.getByText("Free", { exact: true })).toBeVisible();
  await expect
    .element(plan.getByText("Ten free minutes a month. Silence doesn’t count. What you have made stays yours."))
    .toBeVisible();
  const gains = [
    "Unlimited minutes for dictation, uploads and translation",
    "Encrypted recordings that only you can open",
    "Everything in the free plan",
  ];
  expect(
    plan
      .getByRole("listitem")
      .elements()
      .map((gain) => gain.textContent),
  ).toEqual(gains);
  await expect.element(plan.getByText("€96 a year", { exact: false }).first()).toBeVisible();
  await expect.element(plan.getByText("€8 a month, you save €48")).toBeVisible();
  await expect.element(plan.getByText("Cancel anytime")).toBeVisible();
  await expect.element(page.getByRole("radio", { name: "€96 a year" })).toBeChecked();
  await expect.element(button("Upgrade for €96 a year")).toBeVisible();
  await plan.getByText("€12 a month").click();
  await expect.element(page.getByRole("radio", { name: "€12 a month" })).toBeChecked();
  await expect.element(button("Upgrade for €12 a month")).toBeVisible();
  await expect.element(button("Cancel subscription")).not.toBeInTheDocument();
});

test.each([
  ["year", "Upgrade for €96 a year"],
  ["month", "Upgrade for €12 a month"],
])("opens the checkout for a %s only once", async (interval, name) => {
  const sent: unknown[] = [];
  const held = holdAnswer();
  answer({
    "POST /subscriptions/account/checkout-session": async ({ request }) => {
      sent.push(await request.json());
      return held.answer();
    },
  });
  await open(`/subscription?interval=${interval}`);
  await button(name).click();
  await expect.element(page.getByRole("status").getByText("Opening checkout…")).toBeInTheDocument();
  await button(name).click({ force: true });
  await expect.poll(held.calls).toBe(1);
  held.give(elsewhere);
  await leaves();
  expect(sent).toEqual([{ plan: "premium", interval }]);
});

test("leaves the page only for an HTTP address", async () => {
  answer({ "POST /subscriptions/account/checkout-session": { url: "ftp://nowhere.example/" } });
  await open();
  await button("Upgrade for €96 a year").click();
  await alert("Failed to create checkout session");
});

test("opens the checkout at once for a plan in the address, and removes the plan from the address", async () => {
  const sent: unknown[] = [];
  answer({
    "POST /subscriptions/account/checkout-session": async ({ request }) => {
      sent.push(await request.json());
      return elsewhere;
    },
  });
  await open("/subscription?plan=premium&interval=month");
  await leaves();
  expect([location.search, sent]).toEqual(["?interval=month", [{ plan: "premium", interval: "month" }]]);
});

test("opens no checkout for a user who already has premium", async () => {
  await open("/subscription?plan=premium&interval=month", "premium");
  await expect.element(plan.getByText("Premium", { exact: true })).toBeVisible();
  expect(location.search).toBe("?interval=month");
  await expect.element(button("Upgrade for €12 a month")).not.toBeInTheDocument();
});

const end = "2026-03-04T11:00:00.000Z";
const states: [string, Partial<Subscription>, string, "manage" | "offer" | "cancelled" | "nothing"][] = [
  ["active", { currentPeriodEnd: end }, "Renews on 4 March 2026.", "manage"],
  [
    "trialing",
    { status: "trialing", currentPeriodEnd: end },
    "Your trial ends on 4 March 2026. Then the subscription renews.",
    "manage",
  ],
  ["open-ended", { currentPeriodEnd: null }, "Active until canceled.", "manage"],
  [
    "cancelled",
    { currentPeriodEnd: end, cancelAtPeriodEnd: true },
    "Canceled. You keep Premium until 4 March 2026, then you switch to the free plan.",
    "cancelled",
  ],
  ["given", { granted: true, currentPeriodEnd: end }, "You have Premium for free until 4 March 2026.", "nothing"],
  ["given for ever", { granted: true, currentPeriodEnd: null }, "You have Premium for free.", "nothing"],
  [
    "unpaid",
    { status: "past_due" },
    "Your last payment failed. Update your payment details to keep your subscription.",
    "manage",
  ],
  ["free", { status: "free" }, "Ten free minutes a month. Silence doesn’t count. What you have made stays yours.", "offer"],
  ["over", { status: "canceled" }, "Your subscription has ended. Everything you have made is still here.", "offer"],
  [
    "given and over",
    { status: "canceled", granted: true },
    "Your subscription has ended. Everything you have made is still here.",
    "offer",
  ],
];
test.each(states)("shows the state and the possible actions of a subscription that is %s", async (_, details, text, actions) => {
  answer({ [detailsCall]: { ...subscription, ...details } });
  await open();
  await expect.element(plan.getByText(text, { exact: true })).toBeVisible();
  const isPremium = ["active", "trialing"].includes(details.status ?? "active");
  await expect.element(plan.getByText(isPremium ? "Premium" : "Free", { exact: true })).toBeVisible();
  const shown = ["Invoices and payment details", "Cancel subscription", "Upgrade for €96 a year"].map(
    (name) => button(name).elements().length,
  );
  expect(shown).toEqual({ manage: [1, 1, 0], cancelled: [1, 0, 0], nothing: [0, 0, 0], offer: [0, 0, 1] }[actions]);
});

test("cancels a subscription after confirmation, and shows until when premium lasts", async () => {
  let details = { ...subscription, currentPeriodEnd: end };
  let calls = 0;
  answer({
    [detailsCall]: () => details,
    "POST /subscriptions/account/cancel-subscription": () => {
      calls += 1;
      details = { ...details, cancelAtPeriodEnd: true };
      return {};
    },
  });
  await open();
  await button("Cancel subscription").click();
  const lost =
    "You keep Premium until 4 March 2026. After that you have ten free minutes a month and can’t encrypt anything new.";
  await expect.element(dialog.getByText(lost)).toBeVisible();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  await button("Cancel subscription").click();
  await dialog.getByRole("button", { name: "Keep subscription" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(calls).toBe(0);
  await button("Cancel subscription").click();
  await dialog.getByRole("button", { name: "Cancel subscription" }).click();
  await expect.element(page.getByRole("status").getByText("Subscription canceled.", { exact: true })).toBeVisible();
  await expect
    .element(plan.getByText("Canceled. You keep Premium until 4 March 2026, then you switch to the free plan."))
    .toBeVisible();
  await expect.element(button("Cancel subscription")).not.toBeInTheDocument();
  expect(calls).toBe(1);
});

test("adapts the question for a subscription without an end, and says when the cancellation fails", async () => {
  answer({
    [detailsCall]: { ...subscription, currentPeriodEnd: null },
    "POST /subscriptions/account/cancel-subscription": internal,
  });
  await open();
  await button("Cancel subscription").click();
  await expect.element(dialog.getByText("You lose unlimited minutes and new encrypted recordings.")).toBeVisible();
  await dialog.getByRole("button", { name: "Cancel subscription" }).click();
  await alert("Failed to cancel subscription");
  await expect.element(button("Cancel subscription")).toBeVisible();
});

test("opens the billing portal, and says when it is unavailable", async () => {
  answer({ "POST /subscriptions/account/billing-portal": {} });
  await open("/subscription", "premium");
  await button("Invoices and payment details").click();
  await alert("Failed to get billing portal URL");
  answer({ "POST /subscriptions/account/billing-portal": elsewhere });
  await button("Invoices and payment details").click();
  await leaves();
});

test("says that the subscription could not be fetched, and fetches it on retry", async () => {
  const held = holdAnswer();
  answer({ [detailsCall]: held.answer });
  await open();
  await expect.element(page.getByText("Loading…", { exact: true })).toBeVisible();
  held.give(internal);
  await alert("Failed to fetch subscription details");
  answer({ [detailsCall]: { ...subscription, currentPeriodEnd: end } });
  await button("Try again").click();
  await expect.element(plan.getByText("Renews on 4 March 2026.")).toBeVisible();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});

test("lists the invoices with date, amount and state, and links to their pages", async () => {
  const invoice = (id: string, more: Partial<Invoice> = {}): Invoice => ({
    ...{ id, date: end, amount: 1_200, currency: "EUR", status: "paid", url: null },
    ...more,
  });
  answer({
    "GET /subscriptions/account/invoices": {
      invoices: [
        invoice("1", { url: "https://billing.example/1" }),
        invoice("2", { amount: 9_650, status: "open" }),
        invoice("3", { currency: "USD", status: "void" }),
        invoice("4", { status: "uncollectible" }),
      ],
    },
  });
  await open();
  await expect.poll(() => invoices.getByRole("row").elements().length).toBe(5);
  const cells = invoices
    .getByRole("row")
    .elements()
    .map((row) => [...row.children].map((cell) => cell.textContent));
  expect(cells).toEqual([
    ["Date", "Amount", "Status"],
    ["4 March 2026", "€12", "Paid"],
    ["4 March 2026", "€96.50", "Open"],
    ["4 March 2026", expect.stringMatching(/^(US)?\$12$/), "Void"],
    ["4 March 2026", "€12", "uncollectible"],
  ]);
  const links = invoices
    .getByRole("link")
    .elements()
    .map((link) => link.getAttribute("href"));
  expect(links).toEqual(["https://billing.example/1"]);
});

test("says that there are no invoices, or that they can't be fetched", async () => {
  await open();
  await expect.element(invoices.getByText("No invoices yet.", { exact: true })).toBeVisible();
  await openPage("/feedback");
  answer({ "GET /subscriptions/account/invoices": lost });
  await open();
  await expect.element(invoices.getByRole("alert").getByText("Couldn’t load your invoices.")).toBeVisible();
  await expect.element(invoices.getByText("No invoices yet.")).not.toBeInTheDocument();
  answer({ "GET /subscriptions/account/invoices": { invoices: [] } });
  await invoices.getByRole("button", { name: "Try again" }).click();
  await expect.element(invoices.getByText("No invoices yet.")).toBeVisible();
  await openPage("/feedback");
  answer({ "GET /subscriptions/account/invoices": refusal(404, "notOffered") });
  await open();
  await expect.element(plan).toBeVisible();
  await expect.element(invoices).not.toBeInTheDocument();
});

test("shows the month's minutes on a meter, or as a number without a limit", async () => {
  const resetsAt = end;
  answer({ "GET /api/v1/usage": { ...usage, usedTranslationMinutes: 3.25, limitMinutes: 10, resetsAt } });
  await open();
  await expect.element(month.getByText(/^3\.[23] of 10 free minutes used this month$/)).toBeVisible();
  await expect.element(month.getByText("Resets on 4 March 2026.", { exact: true })).toBeVisible();
  await openPage("/feedback");
  answer({ "GET /api/v1/usage": { ...usage, usedTranslationMinutes: 31.42, limitMinutes: null, resetsAt } });
  await open("/subscription", "premium");
  await expect.element(month.getByText("31.4 minutes used, unlimited.", { exact: true })).toBeVisible();
  await openPage("/feedback");
  answer({ "GET /api/v1/usage": refusal(404, "notOffered") });
  await open();
  await expect.element(plan).toBeVisible();
  await expect.element(month).not.toBeInTheDocument();
  answer({ "GET /api/v1/usage": refusal(500, "internal") });
  await openPage("/feedback");
  await open();
  await expect.element(plan).toBeVisible();
  await expect.element(month).not.toBeInTheDocument();
});
