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

/** Runs the work with fake timers: time passes only through the given function. */
async function withTime(work: (pass: (ms: number) => Promise<unknown>) => Promise<void>): Promise<void> {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  try {
    await work((ms) => vi.advanceTimersByTimeAsync(ms));
  } finally {
    vi.useRealTimers();
  }
}

test("lists each backup with its place and the command that restores it", async () => {
  await open(backups({ backups: [backup, elsewhere], nextAt: "2026-03-02T03:30:00.000Z", keep: 1_000, files: "bucket" }));
  expect(textsOf(page.getByRole("row"))).toEqual([
    "Created Size Verified Location Restore command",
    `1 Mar 2026, 04:30 ${backup.name} 48.1 MB Verified one ${backup.command}`,
    `1 Mar 2026, 04:30 ${elsewhere.name} 48.1 MB Not verified Encrypted two: /mnt/other ${elsewhere.command}`,
  ]);
  expect([...document.querySelectorAll("tbody span[data-tone]")]).toHaveLength(1);
  await expect.element(page.getByText("Next backup: 2 Mar 2026, 04:30. The newest 1,000 are kept.")).toBeVisible();
  await expect.element(page.getByText("Saved in: /backups")).toBeVisible();
  await expect
    .element(page.getByText("Backups are not encrypted. Anyone who can read the file can read everything in it."))
    .toBeVisible();
  await expect.element(page.getByText("The files in the bucket are part of each backup.")).toBeVisible();
  await expect.element(page.getByText("No backups yet.")).not.toBeInTheDocument();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
});

test("says that no backup exists and that none is scheduled", async () => {
  await open(backups({ isEncrypted: true }));
  await expect.element(page.getByText("No backups yet.")).toBeVisible();
  await expect
    .element(page.getByText("Automatic backups are off: BACKUP_SCHEDULE is not set. The newest 7 are kept."))
    .toBeVisible();
  await expect.element(page.getByText("Backups are encrypted. Only the secret key can open them.")).toBeVisible();
  await expect.element(page.getByText("bucket")).not.toBeInTheDocument();
  await expect.element(page.getByRole("table")).not.toBeInTheDocument();
});

test("explains that the backup has only the list of files when the bucket keeps its own files", async () => {
  await open(backups({ files: "bucketKeepsThem" }));
  await expect.element(page.getByText("Backups only list the files in the bucket")).toBeVisible();
});

test("starts a backup, polls its progress every second, and announces its end", async () => {
  await withTime(async (pass) => {
    await open(backups());
    const slow = holdAnswer();
    answer({ "POST /admin/backups": slow.answer });
    await now.click();
    await expect.element(now).toHaveAttribute("aria-busy", "true");
    slow.give(Response.json(backups({ running: { ...runningBackup, phase: "database", done: 1_234 } }), { status: 202 }));
    await expect.element(page.getByText("Copying the database")).toBeVisible();
    await expect.element(page.getByText("Rows so far: 1,234")).toBeVisible();
    await expect.element(page.getByRole("progressbar", { name: "Backup in progress" })).toBeVisible();
    await expect.element(now).toHaveAttribute("aria-disabled", "true");
    await now.click({ force: true });
    expect(slow.calls()).toBe(1);
    answer({ "GET /admin/backups": backups({ running: { ...runningBackup, done: 12_345_678 } }) });
    await pass(1_000);
    await expect.element(page.getByText("Adding the files")).toBeVisible();
    await expect.element(page.getByText("So far: 12.3 MB")).toBeVisible();
    answer({ "GET /admin/backups": backups({ running: { ...runningBackup, phase: "checking", done: 1 } }) });
    await pass(1_000);
    await expect.element(page.getByText("Verifying")).toBeVisible();
    answer({ "GET /admin/backups": backups({ backups: [backup] }) });
    await pass(1_000);
    await expect.element(page.getByText("Backup complete.")).toBeVisible();
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

test("says why a backup could not be started", async () => {
  await open(backups());
  for (const [refused, said] of [
    [refusal(409, "conflict"), "A backup is already running."],
    [refusal(403, "forbidden"), "You don’t have permission to do this."],
  ] as const) {
    answer({ "POST /admin/backups": refused });
    await now.click();
    await expect.element(page.getByRole("alert")).toHaveTextContent(`Couldn’t start the backup${said}`);
  }
});

test("keeps the list of backups when polling fails, and polls again on request", async () => {
  await withTime(async (pass) => {
    await open(backups({ backups: [backup], running: runningBackup }));
    answer({ "GET /admin/backups": refusal(500, "internal") });
    await pass(1_000);
    const alert = page.getByRole("alert");
    await expect.element(alert).toMatchTextContent(/^Couldn’t update the list/);
    await expect.element(page.getByText(backup.command)).toBeVisible();
    answer({ "GET /admin/backups": backups({ backups: [backup] }) });
    await alert.getByRole("button", { name: "Try again" }).click();
    await expect.element(alert).not.toBeInTheDocument();
  });
});

test("says that backups can't be fetched, and fetches them on retry", async () => {
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
