import { expect, test, vi } from "vitest";
import type { AdminBackups, Backup } from "#contract/index.ts";
import { answer, holdAnswer, openPage, page, refusal } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { backups, runningBackup } from "#tests/machines/admin/harness.ts";

const backup: Backup = {
  name: "parlance-2026-03-01.tar.zst",
  host: "one",
  folder: "/backups",
  createdAt: "2026-03-01T03:30:00.000Z",
  size: 48_123_456,
  isEncrypted: false,
  checkedAt: "2026-03-01T03:31:00.000Z",
  command: "npm run restore -- /backups/parlance-2026-03-01.tar.zst",
};
const elsewhere: Backup = {
  ...backup,
  name: "parlance-2026-02-28.tar.zst.age",
  host: "two",
  folder: "/mnt/other",
  isEncrypted: true,
  checkedAt: null,
  command: "npm run restore -- --identity key.txt",
};

async function open(seen: AdminBackups): Promise<void> {
  answer({ "GET /admin/backups": seen });
  await openPage("/admin?section=backups", { as: "superuser" });
  await expect.element(page.getByText("Stop Parlance and its workers")).toBeVisible();
}
const now = page.getByRole("button", { name: "Back up now" });

/** Time passes only when the test says so. */
async function withTime(work: (pass: (ms: number) => Promise<unknown>) => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await work((ms) => vi.advanceTimersByTimeAsync(ms));
  } finally {
    vi.useRealTimers();
  }
}

test("lists the backups with what brings each back, and where it is", async () => {
  await open(backups({ backups: [backup, elsewhere], nextAt: "2026-03-02T03:30:00.000Z", keep: 1_000, files: "bucket" }));
  expect(textsOf(page.getByRole("row"))).toEqual([
    "Made on Size Checked Where Brings it back",
    `1 Mar 2026, 04:30 ${backup.name} 48.1 MB Read back and compared one ${backup.command}`,
    `1 Mar 2026, 04:30 ${elsewhere.name} 48.1 MB Not checked Encrypted two: /mnt/other ${elsewhere.command}`,
  ]);
  expect([...document.querySelectorAll("tbody span[data-tone]")]).toHaveLength(1);
  await expect.element(page.getByText("The next one is made on 2 Mar 2026, 04:30. The newest 1,000 are kept.")).toBeVisible();
  await expect.element(page.getByText("Where they are written: /backups")).toBeVisible();
  await expect.element(page.getByText("They are not encrypted: whoever can read the file can read everything.")).toBeVisible();
  await expect.element(page.getByText("The files in the bucket are part of each backup.")).toBeVisible();
  await expect.element(page.getByText("There is no backup yet.")).not.toBeInTheDocument();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});

test("says that there is no backup, and that none is made by itself", async () => {
  await open(backups({ isEncrypted: true }));
  await expect.element(page.getByText("There is no backup yet.")).toBeVisible();
  await expect
    .element(page.getByText("No backups are made by themselves: BACKUP_SCHEDULE is not set. The newest 7 are kept."))
    .toBeVisible();
  await expect.element(page.getByText("They are encrypted: only whoever has the secret key can open them.")).toBeVisible();
  await expect.element(page.getByText("bucket")).not.toBeInTheDocument();
  await expect.element(page.getByRole("table")).not.toBeInTheDocument();
});

test("says of a bucket that keeps its files itself what a backup has of it", async () => {
  await open(backups({ files: "bucketKeepsThem" }));
  await expect.element(page.getByText("Of the bucket, a backup has only the list of its files")).toBeVisible();
});

test("begins a backup, follows it each second, and says when it is made", async () => {
  await withTime(async (pass) => {
    await open(backups());
    const slow = holdAnswer();
    answer({ "POST /admin/backups": slow.answer });
    await now.click();
    await expect.element(now).toHaveAttribute("aria-busy", "true");
    slow.give(Response.json(backups({ running: { ...runningBackup, phase: "database", done: 1_234 } }), { status: 202 }));
    await expect.element(page.getByText("Copying the database")).toBeVisible();
    await expect.element(page.getByText("Rows so far: 1,234")).toBeVisible();
    await expect.element(page.getByRole("progressbar", { name: "A backup is being made" })).toBeVisible();
    await expect.element(now).toHaveAttribute("aria-disabled", "true");
    await now.click({ force: true });
    expect(slow.calls()).toBe(1);
    answer({ "GET /admin/backups": backups({ running: { ...runningBackup, done: 12_345_678 } }) });
    await pass(1_000);
    await expect.element(page.getByText("Adding the files")).toBeVisible();
    await expect.element(page.getByText("So far: 12.3 MB")).toBeVisible();
    answer({ "GET /admin/backups": backups({ running: { ...runningBackup, phase: "checking", done: 1 } }) });
    await pass(1_000);
    await expect.element(page.getByText("Reading it back and comparing")).toBeVisible();
    answer({ "GET /admin/backups": backups({ backups: [backup] }) });
    await pass(1_000);
    await expect.element(page.getByText("A backup was made.")).toBeVisible();
    await expect.element(page.getByRole("progressbar")).not.toBeInTheDocument();
    await expect.element(now).not.toHaveAttribute("aria-disabled");
  });
});

test("says why the last backup failed", async () => {
  await withTime(async (pass) => {
    await open(backups({ running: runningBackup }));
    const failure = { at: "2026-03-01T12:00:00.000Z", message: "ENOSPC: no space left on device" };
    answer({ "GET /admin/backups": backups({ failure }) });
    await pass(1_000);
    await expect.element(page.getByText("The backup failed.")).toBeVisible();
    const said = "The last backup failed on 1 Mar 2026, 13:00ENOSPC: no space left on device";
    await expect.element(page.getByRole("alert").filter({ hasText: "ENOSPC" })).toHaveTextContent(said);
    await expect.element(page.getByText("ENOSPC")).toHaveAttribute("lang", "en");
  });
});

test("says why no backup was begun", async () => {
  await open(backups());
  for (const [refused, said] of [
    [refusal(409, "conflict"), "One is being made already."],
    [refusal(403, "forbidden"), "You don't have permission to do this."],
  ] as const) {
    answer({ "POST /admin/backups": refused });
    await now.click();
    await expect.element(page.getByRole("alert")).toHaveTextContent(`No backup was begun${said}`);
  }
});

test("keeps the list when it can't be brought up to date, and does so when asked", async () => {
  await withTime(async (pass) => {
    await open(backups({ backups: [backup], running: runningBackup }));
    answer({ "GET /admin/backups": refusal(500, "internal") });
    await pass(1_000);
    const alert = page.getByRole("alert");
    await expect.element(alert).toMatchTextContent(/^The list could not be brought up to date/);
    await expect.element(page.getByText(backup.command)).toBeVisible();
    answer({ "GET /admin/backups": backups({ backups: [backup] }) });
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect.element(alert).not.toBeInTheDocument();
  });
});

test("says that backups can't be fetched, and fetches them when asked again", async () => {
  const slow = holdAnswer();
  answer({ "GET /admin/backups": slow.answer });
  await openPage("/admin?section=backups", { as: "superuser" });
  await expect.element(page.getByRole("status").getByText("Loading…")).toBeVisible();
  await expect.element(now).not.toBeInTheDocument();
  slow.give(refusal(500, "internal"));
  await expect.element(page.getByRole("alert")).toMatchTextContent(/^Failed to fetch backups/);
  answer({ "GET /admin/backups": backups() });
  await page.getByRole("button", { name: "Try again" }).click();
  await expect.element(now).toBeVisible();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});
