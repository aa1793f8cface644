import { test } from "vitest";
import type { AdminBackups, RunningBackup } from "#contract/index.ts";
import { enterAsSuperuser, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";

const shared = sharedParlance();
/** What the server says of backups, with one that is there. */
const answer: AdminBackups = {
  backups: [
    {
      name: "parlance-2026-03-01T03-30-00Z.tar.zst",
      host: "one",
      folder: "/var/lib/parlance/backups",
      createdAt: "2026-03-01T03:30:00.000Z",
      size: 48_123_456,
      isEncrypted: false,
      checkedAt: "2026-03-01T03:31:00.000Z",
      command: "npm run restore -- /var/lib/parlance/backups/parlance-2026-03-01T03-30-00Z.tar.zst",
    },
    {
      name: "parlance-2026-02-28T03-30-00Z.tar.zst.age",
      host: "two",
      folder: "/mnt/other machine/backups",
      createdAt: "2026-02-28T03:30:00.000Z",
      size: 47_000_000,
      isEncrypted: true,
      checkedAt: null,
      command: "npm run restore -- '/mnt/other machine/backups/parlance-2026-02-28T03-30-00Z.tar.zst.age' --identity key.txt",
    },
  ],
  running: null,
  failure: null,
  nextAt: "2026-03-02T03:30:00.000Z",
  keep: 7,
  folder: "/var/lib/parlance/backups",
  isEncrypted: false,
  files: "bucket",
};
const running: RunningBackup = { host: "one", startedAt: "2026-03-01T12:00:00.000Z", phase: "files", done: 12_345_678 };

test("a superuser sees the backups with what brings each back, begins one, follows it, and reads why one failed", async () => {
  await using own = await openPage(shared.browser, { expected: [/409/] });
  const { page } = own;
  await enterAsSuperuser(page, shared.server);
  let [said, begun] = [answer, 0];
  await page.route(`${shared.server.apiUrl}/admin/backups`, async (route) => {
    if (route.request().method() === "POST") {
      begun += 1;
      said = { ...answer, running };
      return route.fulfill({ status: 202, json: said, headers: cors(route.request().headers()) });
    }
    return route.request().method() === "GET"
      ? route.fulfill({ json: said, headers: cors(route.request().headers()) })
      : route.fallback();
  });
  await page.goto(shared.at("/admin?section=backups"));
  await page.getByRole("row").filter({ hasText: "parlance-2026-03-01" }).getByText("Read back and compared").waitFor();
  await page.getByText("--identity key.txt").waitFor();
  // On a telephone the entry of where one is is in sight, among more than there is room for.
  const { width = 1280, height = 720 } = page.viewportSize() ?? {};
  await page.setViewportSize({ width: 390, height });
  await page.reload();
  await expect(page.getByRole("navigation", { name: "Sections" }).locator("[aria-current]")).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width, height });
  const accessible = async () => expect(await violations(page)).toEqual([]);
  await accessible();
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByText("Adding the files").waitFor();
  await page.getByRole("progressbar", { name: "A backup is being made" }).waitFor();
  await accessible();
  await expect(page.getByRole("button", { name: "Back up now" })).toHaveAttribute("aria-disabled", "true");
  expect(begun).toBe(1);
  said = { ...answer, failure: { at: running.startedAt, message: "ENOSPC: no space left on device" } };
  await page.getByText("The last backup failed on").waitFor();
  await page.getByText("ENOSPC: no space left on device").waitFor();
  await accessible();
});

test("a backup that is begun on the page is made, checked, and listed with the command that brings it back", async () => {
  await using own = await openPage(shared.browser);
  const { page } = own;
  await enterAsSuperuser(page, shared.server);
  await page.goto(shared.at("/admin?section=backups"));
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByText("Read back and compared").waitFor();
  await page.getByText(/npm run restore -- .*parlance-/).waitFor();
});

/** What the server says to the page's origin. */
function cors({ origin = "" }: Record<string, string>): Record<string, string> {
  return { "Access-Control-Allow-Origin": origin, "Access-Control-Allow-Credentials": "true" };
}
