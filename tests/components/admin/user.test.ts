import { expect, test } from "vitest";
import type { AdminUser } from "#contract/index.ts";
import { answer, holdAnswer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { person, subscribed } from "#tests/machines/admin/harness.ts";

async function open(user: AdminUser): Promise<void> {
  answer({ "GET /admin/users/:id": user });
  await openPage(`/admin?section=users&user=${user.id}`, { as: "superuser" });
  await expect.element(page.getByRole("heading", { name: user.email })).toBeVisible();
}
const region = (name: string) => page.getByRole("region", { name });
const manage = region("Subscription and account");
const choices = () => textsOf(manage.getByRole("group").getByText(/./)).slice(1);

test("shows facts about a user, but nothing of their transcripts", async () => {
  await open(
    person({
      lastSeenAt: "2026-03-02T08:15:00.000Z",
      minutesThisMonth: 12.34,
      language: "de",
      vault: { items: 1_234, bytes: 5_000_000 },
    }),
  );
  const facts = [...document.querySelectorAll("main dl > div")].map((one) => one.textContent);
  expect(facts).toEqual([
    "NameAda",
    "Registered1 Mar 2026, 11:00",
    "Last seen2 Mar 2026, 09:15",
    "Minutes this month12.3",
    "LanguageGerman",
    "Signs in withE-mail and password",
    "VaultRecordings: 1,234, 5 MB",
    "Idu1",
  ]);
  await expect.element(page.getByText("No subscription: the free plan.")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "All users" })).toHaveAttribute("href", "/admin?section=users");
  expect(textsOf(region("Active sessions"))).toEqual(["Active sessions Unknown device Last used: 1 Mar 2026, 11:00"]);
  expect(textsOf(region("Usage by month"))).toEqual(["Usage by month None yet."]);
  expect(textsOf(region("Invoices"))).toEqual(["Invoices None."]);
  await expect.element(region("Transcriptions")).toMatchTextContent(/no titles and no texts\. None\.$/);
});

test("shows dashes and explanations for unknown facts about a user", async () => {
  await open(person({ name: "", hasPassword: false, signIns: [], invoices: null }));
  const facts = [...document.querySelectorAll("main dl > div")].map((one) => one.textContent);
  expect(facts.filter((_, at) => [0, 2, 5, 6].includes(at))).toEqual([
    "Name–",
    "Last seenNever, or long ago",
    "Signs in withAnother provider",
    "VaultNone",
  ]);
  await expect.element(region("Active sessions").getByText("None.")).toBeVisible();
  await expect.element(region("Invoices").getByRole("alert")).toHaveTextContent("Failed to fetch invoices");
});

test("lists devices, months, invoices and transcriptions", async () => {
  const device = "Mozilla/5.0 (X11; Linux x86_64; rv:150.0) Gecko/20100101 Firefox/150.0";
  const invoice = {
    id: "i1",
    date: "2026-03-01T12:00:00.000Z",
    amount: 960,
    currency: "eur",
    status: "paid",
    url: null,
    number: null,
  };
  const transcription = {
    id: "t1",
    date: "2026-03-01T12:00:00.000Z",
    origin: "upload",
    language: "auto",
    status: "completed",
    durationSeconds: 65,
    size: 2_100_000,
    error: null,
  } as const;
  await open(
    person({
      signIns: [
        { id: "s1", device, createdAt: "2026-03-01T10:00:00.000Z", seenAt: "2026-03-02T10:00:00.000Z", current: true },
        { id: "s2", device: "curl", createdAt: "2026-03-01T10:00:00.000Z", seenAt: null, current: false },
      ],
      usage: [{ month: "2026-03", minutes: 1_234.56 }],
      invoices: [invoice, { ...invoice, id: "i2", amount: 9_600, status: "draft" }],
      transcriptions: {
        total: 1_234,
        latest: [
          transcription,
          {
            ...transcription,
            id: "t2",
            language: "de",
            status: "failed",
            durationSeconds: null,
            size: null,
            error: "noSpeech",
            origin: "url",
          },
        ],
      },
    }),
  );
  expect(textsOf(region("Active sessions").getByRole("listitem"))).toEqual([
    "Firefox, Linux This device Last used: 2 Mar 2026, 11:00",
    "Unknown device Last used: 1 Mar 2026, 11:00",
  ]);
  expect(textsOf(region("Usage by month").getByRole("row"))).toEqual(["Month Minutes", "March 2026 1,234.6"]);
  expect(textsOf(region("Invoices").getByRole("row"))).toEqual([
    "Date Amount State",
    "1 March 2026 €9.60 Paid",
    "1 March 2026 €96 draft",
  ]);
  await expect.element(region("Transcriptions").getByText("The latest 2 of 1,234.")).toBeVisible();
  expect(textsOf(region("Transcriptions").getByRole("row"))).toEqual([
    "Date Made by Language Status Length Audio",
    "1 Mar 2026, 13:00 File Detect automatically Done 1:05 2.1 MB",
    "1 Mar 2026, 13:00 Link German Failed No speech detected. Check that you used the right microphone or file and that it is loud enough. – –",
  ]);
});

test("describes the state of a subscription", async () => {
  const end = "2026-05-01T21:59:59.000Z";
  const cases = [
    [{ premium: false, status: "canceled" }, "The subscription has ended: the free plan."],
    [{ premium: false, status: "past_due" }, "A payment failed. The payment provider will try again."],
    [{ currentPeriodEnd: null }, "Premium, granted without an end date."],
    [{ currentPeriodEnd: end }, "Premium, granted until 1 May 2026."],
    [{ provider: "stripe", currentPeriodEnd: null }, "Premium, paid through Stripe."],
    [{ provider: "test", currentPeriodEnd: end }, "Premium, paid through test payments, renews on 1 May 2026."],
    [
      { provider: "stripe", currentPeriodEnd: end, cancelAtPeriodEnd: true },
      "Premium, paid through Stripe, canceled: ends on 1 May 2026.",
    ],
  ] as const;
  for (const [at, [change, said]] of cases.entries()) {
    await open({ ...subscribed(change), id: `u${at}` });
    await expect.element(manage.getByText(said, { exact: true })).toBeVisible();
  }
});

test("gives premium only until a future day, with a reason, and after confirmation", async () => {
  await open(person());
  expect(choices()).toEqual([
    "Grant premium",
    "Sign out of all devices",
    "Make administrator",
    "Block the account",
    "Delete the account",
  ]);
  await expect.element(page.getByRole("button", { name: "Continue" })).not.toBeInTheDocument();
  await page.getByRole("radio", { name: "Grant premium" }).click();
  const [day, reason, goOn] = [
    page.getByLabelText("Last day"),
    page.getByRole("textbox", { name: "Reason" }),
    page.getByRole("button", { name: "Continue" }),
  ];
  await goOn.click();
  await expect.element(page.getByText("Choose a day in the future.")).toBeVisible();
  await expect.element(day).toHaveAttribute("aria-invalid", "true");
  const next = new Date().getFullYear() + 1;
  await day.fill(`${next}-05-01`);
  await reason.fill("ab");
  await goOn.click();
  await expect.element(page.getByText("Enter a reason of at least three letters.")).toBeVisible();
  await expect.element(page.getByText("Choose a day in the future.")).not.toBeInTheDocument();
  await reason.fill(" A friend ");
  await goOn.click();
  const dialog = page.getByRole("dialog", { name: "Grant premium" });
  await expect.element(dialog).toMatchTextContent(`ada@example.org gets premium until 1 May ${next}, without paying.`);
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(reason).toHaveValue(" A friend ");

  answer({ "PATCH /admin/users/:id/subscription": refusal(500, "internal") });
  await goOn.click();
  await dialog.getByRole("button", { name: "Yes, do it" }).click();
  await expect.element(page.getByRole("alert")).toMatchTextContent(/^Failed to update userSomething went wrong/);
  await expect.element(reason).toHaveValue(" A friend ");

  const sent: unknown[] = [];
  const slow = holdAnswer();
  answer({
    "PATCH /admin/users/:id/subscription": async ({ request, params }) => {
      sent.push(params.id, await request.json());
      return slow.answer();
    },
  });
  await goOn.click();
  await dialog.getByRole("button", { name: "Yes, do it" }).click();
  await expect.element(goOn).toHaveAttribute("aria-busy", "true");
  await expect.element(page.getByText("Working…")).toBeInTheDocument();
  slow.give(subscribed());
  await expect.element(page.getByText("Premium granted.")).toBeVisible();
  await expect.element(reason).not.toBeInTheDocument();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  expect(sent).toEqual(["u1", { plan: "premium", periodEnd: `${next}-05-01T21:59:59.000Z`, reason: "A friend" }]);
});

test("offers the premium's last day, and says when the server refuses the change", async () => {
  await open(subscribed({ currentPeriodEnd: "2026-05-01T22:00:00.000Z" }));
  expect(choices().slice(0, 2)).toEqual(["Change the end of granted premium", "End granted premium"]);
  await page.getByRole("radio", { name: "Change the end of granted premium" }).click();
  await expect.element(page.getByLabelText("Last day")).toHaveValue("2026-05-02");
  await page.getByRole("radio", { name: "End granted premium" }).click();
  await expect.element(page.getByLabelText("Last day")).not.toBeInTheDocument();
  answer({ "PATCH /admin/users/:id/subscription": refusal(409, "conflict") });
  await page.getByRole("textbox", { name: "Reason" }).fill("Enough");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Yes, do it" }).click();
  await expect.element(page.getByRole("alert")).toMatchTextContent(/^Failed to update userThis isn’t possible right now/);
});

test("sends each change of a user to its own endpoint with its own body", async () => {
  const sent: unknown[] = [];
  let next = person();
  const note = async ({ request }: { request: Request }) => {
    sent.push([request.method, new URL(request.url).pathname.replace(/^.*\/users/, ""), await request.json()]);
    return next;
  };
  answer({
    "PATCH /admin/users/:id": note,
    "PATCH /admin/users/:id/subscription": note,
    "PATCH /admin/users/:id/blocked": note,
    "POST /admin/users/:id/sign-out": note,
    "POST /admin/users/:id/confirm": note,
  });
  const paying = subscribed({ provider: "stripe" });
  const reason = "Because";
  const cases: [AdminUser, string, string, unknown[]][] = [
    [subscribed(), "End granted premium", "Premium ended.", ["PATCH", "/u1/subscription", { plan: "free", reason }]],
    [paying, "Cancel the paid subscription", "Subscription canceled.", ["PATCH", "/u1/subscription", { plan: "free", reason }]],
    [person(), "Sign out of all devices", "Signed out of all devices.", ["POST", "/u1/sign-out", { reason }]],
    [person({ confirmed: false }), "Confirm the e-mail", "Address confirmed.", ["POST", "/u1/confirm", { reason }]],
    [person(), "Make administrator", "Administrator rights granted.", ["PATCH", "/u1", { superuser: true, reason }]],
    [
      person({ superuser: true }),
      "Remove administrator rights",
      "Administrator rights removed.",
      ["PATCH", "/u1", { superuser: false, reason }],
    ],
    [person(), "Block the account", "Account blocked.", ["PATCH", "/u1/blocked", { blocked: true, reason }]],
    [
      person({ blocked: true }),
      "Unblock the account",
      "Account unblocked.",
      ["PATCH", "/u1/blocked", { blocked: false, reason }],
    ],
  ];
  await open(cases[0]?.[0] ?? person());
  for (const [at, [, action, said, expected]] of cases.entries()) {
    // The user as the server returns them after this change.
    next = cases[at + 1]?.[0] ?? person();
    await page.getByRole("radio", { name: action }).click();
    await page.getByRole("textbox", { name: "Reason" }).fill(reason);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Yes, do it" }).click();
    await expect.element(page.getByText(said)).toBeVisible();
    expect(sent.at(-1)).toEqual(expected);
  }
});

test("returns to the list after an account is deleted, and offers no deletion of one's own account", async () => {
  const sent: unknown[] = [];
  answer({
    "DELETE /admin/users/:id": async ({ request }) => {
      sent.push(await request.json());
      return new Response(null, { status: 204 });
    },
    "GET /admin/users": { users: [], pagination: { page: 1, limit: 20, total: 0, totalPages: 0 } },
  });
  await open(person());
  await page.getByRole("radio", { name: "Delete the account" }).click();
  await page.getByRole("textbox", { name: "Reason" }).fill("They asked");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("dialog", { name: "Delete the account" }).getByRole("button", { name: "Yes, do it" }).click();
  await expect.element(page.getByText("Account deleted.")).toBeVisible();
  await expect.element(page.getByText("No users found.")).toBeVisible();
  expect(location.search).toBe("?section=users");
  expect(sent).toEqual([{ reason: "They asked" }]);
  await open(person({ self: true, superuser: true }));
  expect(choices()).toEqual(["Grant premium", "Sign out of all devices", "Remove administrator rights"]);
});

test("focuses the heading when a user is opened from the list, and when the list is opened again", async () => {
  answer({
    "GET /admin/users": { users: [person()], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } },
    "GET /admin/users/:id": person(),
  });
  await openPage("/admin?section=users", { as: "superuser" });
  await page.getByRole("link", { name: "ada@example.org" }).click();
  await expect.element(page.getByRole("heading", { name: "ada@example.org" })).toHaveFocus();
  await page.getByRole("link", { name: "All users" }).click();
  await expect.element(page.getByRole("heading", { name: "Users" })).toHaveFocus();
});

test("says that the account does not exist, and retries on request", async () => {
  answer({ "GET /admin/users/:id": refusal(404, "notFound") });
  await openPage("/admin?section=users&user=u1", { as: "superuser" });
  await expect
    .element(page.getByRole("alert"))
    .toMatchTextContent(/^Failed to fetch userThis account doesn’t exist, or not anymore\./);
  await expect.element(page.getByRole("heading", { name: "User", exact: true })).toBeVisible();
  const slow = holdAnswer();
  answer({ "GET /admin/users/:id": slow.answer });
  await page.getByRole("button", { name: "Try again" }).click();
  slow.give(person());
  await expect.element(page.getByRole("heading", { name: "ada@example.org" })).toBeVisible();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});
