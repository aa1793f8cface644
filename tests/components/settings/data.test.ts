import { expect, test } from "vitest";
import { answer, lost, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";

// Storage, notices by mail, the download of all data, and the deletion of the account.

const card = (name: string) => page.getByRole("region", { name, exact: true });
const stored = card("Storage");
const mails = card("By e-mail");
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const dialog = page.getByRole("dialog");

test.each([
  [0, 5_368_709_120, "0 byte of 5.4 GB used.", 0, false],
  [4_831_838_207, 5_368_709_120, "4.8 GB of 5.4 GB used.", 0.9, false],
  [4_831_838_208, 5_368_709_120, "4.8 GB of 5.4 GB used.", 0.9, true],
  [5_400_000_000, 5_368_709_120, "5.4 GB of 5.4 GB used.", 1, true],
  [1, 0, "1 byte of 0 byte used.", 1, true],
])("shows %i used bytes of a quota of %i on a meter", async (usedBytes, quotaBytes, text, value, isNear) => {
  answer({ "GET /api/v1/storage": { usedBytes, quotaBytes } });
  await openPage("/settings/data");
  await expect.element(stored.getByText(text, { exact: true })).toBeVisible();
  const meter = stored.getByRole("meter", { name: text });
  const element = await meter.findElement();
  expect(Number("value" in element && element.value)).toBeCloseTo(value, 5);
  expect("max" in element && element.max).toBe(1);
  expect(element.parentElement?.className.includes("near")).toBe(isNear);
  const full = stored.getByText("Your storage is full. Delete what you don’t need anymore, or upgrade.");
  expect(full.elements()).toHaveLength(usedBytes >= quotaBytes ? 1 : 0);
});

test("shows the used storage without a meter when there is no limit, and links to what can be deleted", async () => {
  answer({ "GET /api/v1/storage": { usedBytes: 1_234_567, quotaBytes: null } });
  await openPage("/settings/data");
  await expect.element(stored.getByText("1.2 MB stored on this server.", { exact: true })).toBeVisible();
  await expect.element(stored.getByRole("meter")).not.toBeInTheDocument();
  const links = stored.getByRole("link").elements();
  expect(links.map((link) => link.getAttribute("href"))).toEqual(["/dashboard", "/encrypted-audio", "/trash"]);
});

test.each([refusal(404, "notOffered"), refusal(500, "internal")])(
  "hides the storage card when the server does not report the storage",
  async (no) => {
    answer({ "GET /api/v1/storage": no });
    await openPage("/settings/data");
    await expect.element(card("Download all my data")).toBeVisible();
    await expect.element(stored).not.toBeInTheDocument();
    await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  },
);

test("saves the wanted mails, and reverts a choice that could not be saved", async () => {
  const sent: unknown[] = [];
  answer({
    "PUT /users/me/notices": async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 2 ? refusal(500, "internal") : { completed: true, failed: false, mails: "none" };
    },
  });
  await openPage("/settings/notifications");
  const completed = mails.getByLabelText("When a transcript is ready");
  const failed = mails.getByLabelText("When a transcription fails");
  await expect.element(completed).not.toBeChecked();
  await expect.element(mails.getByText("This server can’t send e-mail")).not.toBeInTheDocument();
  await completed.click();
  await expect.element(mails.getByRole("status").getByText("Notification settings saved.")).toBeVisible();
  await expect.element(completed).toBeChecked();
  await expect.element(mails.getByText("This server can’t send e-mail")).toBeVisible();
  await failed.click();
  await expect.element(mails.getByRole("alert")).toBeVisible();
  await expect.element(failed).not.toBeChecked();
  await expect.element(completed).toBeChecked();
  expect(sent).toEqual([
    { completed: true, failed: false },
    { completed: true, failed: true },
  ]);
});

test("retries loading the choice of mails", async () => {
  answer({ "GET /users/me/notices": lost });
  await openPage("/settings/notifications");
  await expect.element(mails.getByRole("alert").getByText("Couldn’t load your notification settings.")).toBeVisible();
  await expect.element(mails.getByRole("checkbox")).not.toBeInTheDocument();
  answer({ "GET /users/me/notices": { completed: false, failed: true, mails: "sent" } });
  await mails.getByRole("button", { name: "Try again" }).click();
  await expect.element(mails.getByLabelText("When a transcription fails")).toBeChecked();
});

test("says why the download of all data can't start", async () => {
  const asked: string[] = [];
  const codes = ["tooManyAtOnce", "tooManyRequests"] as const;
  answer({ "POST /users/me/export-access": () => refusal(429, codes[asked.push("access") - 1] ?? "internal") });
  await openPage("/settings/data");
  const data = card("Download all my data");
  for (const said of ["Too many of these are running at once.", "Too many attempts. Wait a minute and try again."]) {
    await press("Download everything");
    await expect.element(data.getByRole("alert").getByText(said)).toBeVisible();
  }
  expect(asked).toEqual(["access", "access"]);
});

test("lists what is deleted with the account, and lets the user cancel", async () => {
  await openPage("/settings/data");
  await press("Delete my account…");
  await expect.element(dialog.getByRole("heading", { name: "Delete your account?" })).toBeVisible();
  expect(
    dialog
      .getByRole("listitem")
      .elements()
      .map((item) => item.textContent),
  ).toEqual([
    "all transcripts, translations and recordings,",
    "your vault with all encrypted audio,",
    "your account, its active sessions and its subscription,",
    "what is stored only in this browser: drafts and unsaved recordings.",
  ]);
  await expect.element(dialog.getByLabelText("Current password", { exact: true })).toHaveFocus();
  await userEvent.keyboard("{Escape}");
  await expect.element(dialog).not.toBeInTheDocument();
  await expect.element(page.getByRole("button", { name: "Delete my account…" })).toHaveFocus();
  await press("Delete my account…");
  await dialog.getByRole("button", { name: "Keep account" }).click();
  await expect.element(dialog).not.toBeInTheDocument();
});

test("requires the password before it deletes the account, and says why the server refused", async () => {
  const sent: unknown[] = [];
  answer({
    "DELETE /users/me": async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1 ? refusal(403, "wrongPassword") : refusal(409, "lastSuperuser");
    },
  });
  await openPage("/settings/data");
  await press("Delete my account…");
  const password = dialog.getByLabelText("Current password", { exact: true });
  await press("Delete everything");
  await expect.element(password).toHaveAccessibleDescription("Enter your password.");
  expect(sent).toEqual([]);
  await password.fill("wrong");
  await press("Delete everything");
  await expect.element(dialog.getByRole("alert").getByText("Wrong password.")).toBeVisible();
  await password.fill("correct horse");
  await press("Delete everything");
  const only =
    "You are the only administrator. Make someone else an administrator in the Admin Panel first. Then you can delete your account.";
  await expect.element(dialog.getByRole("alert").getByText(only)).toBeVisible();
  expect(sent).toEqual([{ password: "wrong" }, { password: "correct horse" }]);
});

test("signs the user out after their account is deleted, and clears their data from the browser", async () => {
  answer({ "DELETE /users/me": new Response(null, { status: 204 }) });
  await openPage("/settings/data");
  localStorage.setItem("draft:ada:feedback", "a secret");
  localStorage.setItem("draft:eve:feedback", "hers");
  localStorage.setItem("transcriptions", JSON.stringify([{ ownerId: "ada" }, { ownerId: "eve" }]));
  await press("Delete my account…");
  await dialog.getByLabelText("Current password", { exact: true }).fill("correct horse");
  await press("Delete everything");
  await expect.element(page.getByText("Your account and all its data were deleted.")).toBeVisible();
  await expect.poll(() => location.pathname).toBe("/");
  const left = () => [localStorage.getItem("jwtToken"), localStorage.getItem("draft:ada:feedback")];
  await expect.poll(left).toEqual([null, null]);
  expect(localStorage.getItem("draft:eve:feedback")).toBe("hers");
  expect(JSON.parse(localStorage.getItem("transcriptions") ?? "")).toEqual([{ ownerId: "eve" }]);
  await expect.element(page.getByText("Your session has expired")).not.toBeInTheDocument();
});

test("asks a user without a password to confirm at a provider before it deletes the account", async () => {
  const bob = { id: "bob", hasPassword: false } as const;
  answer({ "DELETE /users/me": refusal(403, "freshSignInRequired") });
  await openPage("/settings/data", { profile: bob });
  await press("Delete my account…");
  await expect.element(dialog.getByLabelText("Current password")).not.toBeInTheDocument();
  await expect.element(dialog.getByText("You have no password here yet.")).toBeVisible();
  await press("Delete everything");
  await expect.element(dialog.getByRole("alert").getByText("Please confirm that it’s you")).toBeVisible();
});
