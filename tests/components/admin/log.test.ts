import { expect, test } from "vitest";
import type { AuditEntry } from "#contract/index.ts";
import { answer, openPage, page, refusal } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { paged } from "./rows.ts";

const entry = (change: Partial<AuditEntry>): AuditEntry => ({
  id: crypto.randomUUID(),
  at: "2026-03-01T12:00:00.000Z",
  action: "grantPremium",
  actor: { id: "root", email: "root@example.org" },
  user: { id: "u1", email: "ada@example.org" },
  before: {},
  after: {},
  reason: "",
  ...change,
});

const rows = () => textsOf(page.getByRole("table").getByRole("row")).slice(1);
/** The texts of the column "Change". */
const changes = () =>
  textsOf(page.getByRole("table").getByRole("row"))
    .slice(1)
    .map((_, at) => cells(at)[1]);
const cells = (at: number) =>
  textsOf(
    page
      .getByRole("table")
      .getByRole("row")
      .nth(at + 1)
      .getByRole("cell"),
  );

async function open(entries: AuditEntry[], total = entries.length): Promise<void> {
  answer({ "GET /admin/audit": { entries, pagination: paged(total) } });
  await openPage("/admin?section=log", { as: "superuser" });
}

test("shows who changed what for whom, when and why", async () => {
  await open(
    [
      entry({ before: { premium: false }, after: { premium: true, until: "2026-05-01T21:59:59.000Z" }, reason: "A friend" }),
      entry({ action: "makeBackup", user: null }),
      entry({ action: "deleteUser", user: { id: "0123456789", email: null }, actor: { id: "9876543210", email: null } }),
    ],
    1_234,
  );
  await expect.element(page.getByText("Entries: 1,234")).toBeVisible();
  expect(rows()).toEqual([
    "Grant premium 1 Mar 2026, 13:00 ada@example.org Free → Premium until 1 May 2026 A friend root@example.org",
    "Create a backup 1 Mar 2026, 13:00 – – – root@example.org",
    "Delete the account 1 Mar 2026, 13:00 Deleted account 01234567 – – Deleted account 98765432",
  ]);
  await expect.element(page.getByRole("link", { name: "ada@" })).toHaveAttribute("href", "/admin?section=users&user=u1");
  await expect.element(page.getByRole("link", { name: "root@" })).not.toBeInTheDocument();
  expect(textsOf(page.getByRole("columnheader"))).toEqual(["What and when", "About", "Change", "Reason", "By"]);
});

test("describes the state before and after each change in words", async () => {
  const until = "2026-05-01T21:59:59.000Z";
  await open([
    entry({ before: { premium: true, until }, after: { premium: false, until } }),
    entry({ before: { premium: true, until: null }, after: { premium: true, status: "cancelAtPeriodEnd" } }),
    entry({ before: { superuser: true }, after: { superuser: false, status: "active" } }),
    entry({ before: { confirmed: false }, after: { confirmed: true } }),
    entry({ before: { blocked: false, signIns: 1_000 }, after: { blocked: true, signIns: 0 } }),
    entry({ action: "installModel", user: null, before: {}, after: { model: "whisper-small" } }),
    entry({ action: "removeModel", user: null, before: { model: "whisper-small" } }),
  ]);
  await expect.element(page.getByText("Entries: 7")).toBeVisible();
  expect(changes()).toEqual([
    "Premium until 1 May 2026 → Free",
    "Premium → Premium, canceled",
    "Administrator → No administrator",
    "E-mail not confirmed → E-mail confirmed",
    "not blocked, Sign-ins: 1,000 → Blocked, Sign-ins: 0",
    "– → whisper-small",
    "whisper-small → –",
  ]);
});

test("pages through the log, and keeps the page in the address", async () => {
  const asked: string[] = [];
  answer({
    "GET /admin/audit": ({ request }) => {
      asked.push(new URL(request.url).search);
      return { entries: [entry({})], pagination: paged(60, asked.length + 1) };
    },
  });
  await openPage("/admin?section=log&page=2", { as: "superuser" });
  await page.getByText("Next page").click();
  await expect.poll(() => location.search).toBe("?section=log&page=3");
  await expect.poll(() => asked).toEqual(["?page=2", "?page=3"]);
});

test("says that the log is empty, or that it can't be fetched", async () => {
  await open([]);
  await expect.element(page.getByText("No changes yet.")).toBeVisible();
  await openPage("/about");
  answer({ "GET /admin/audit": refusal(500, "internal") });
  await openPage("/admin?section=log", { as: "superuser" });
  await expect.element(page.getByRole("alert")).toMatchTextContent(/^Failed to fetch audit log/);
  answer({ "GET /admin/audit": { entries: [entry({})], pagination: paged(1) } });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(page.getByText("Entries: 1")).toBeVisible();
});
