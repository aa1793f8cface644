import { expect, test } from "vitest";
import { createStorage, storageKeys } from "#src/browser/storage.ts";
import { ada, answer, holdAnswer, openPage, page, refusal } from "#tests/components/harness.ts";

// The first paint uses the profile that this browser has stored; the server's profile follows. A file's tests share one
// page: the first test is the page load, the later ones are changes from other tabs.

const storage = createStorage(window);
const links = page.getByRole("navigation", { name: "Main" });
const admin = links.getByRole("link", { name: "Admin Panel" });
const isAt = (path: string) => expect.poll(() => location.pathname).toBe(path);
const chief = { ...ada, id: "superuser", name: "Countess", isSuperUser: true };

/** Stores a profile as another tab does. */
const persist = (user: typeof ada) => storage.write(storageKeys.persistRoot, JSON.stringify({ version: 1, user }));
const persisted = () => JSON.parse(localStorage.getItem("persist:root") ?? "{}").user;

// SPEC 4 Other: "Only the user slice of state is persisted across reloads"
// SPEC 2 Navigation: "Superusers also see Admin Panel and Blog Admin."
test("shows the stored profile at once, then the server's profile after a single request", async () => {
  const held = holdAnswer();
  answer({ "GET /users/me": held.answer });
  await openPage("/settings/account", { profile: { name: "Ada Lovelace" } });
  await expect.element(page.getByText("Ada Lovelace").first()).toBeVisible();
  await expect.element(admin).not.toBeInTheDocument();
  held.give({ ...ada, name: "Countess", isSuperUser: true });
  await expect.element(page.getByText("Countess").first()).toBeVisible();
  await expect.element(admin).toBeVisible();
  expect([location.pathname, held.calls(), persisted().isSuperUser]).toEqual(["/settings/account", 1, true]);
});

test("keeps the page and the profile when the profile can't be loaded again", async () => {
  const held = holdAnswer();
  answer({ "GET /users/me": held.answer });
  held.give(refusal(500, "internal"));
  await openPage("/settings/account", { profile: { id: "bob" } });
  await expect.poll(held.calls).toBe(1);
  await expect.element(page.getByRole("heading", { name: "Account", level: 1 })).toBeVisible();
  await expect.element(page.getByRole("alert")).not.toBeInTheDocument();
  expect(localStorage.getItem("jwtToken")).not.toBeNull();
});

// SPEC 5: "Otherwise the toast says 'Access Denied: Administrator privileges required.' and the user goes to /dashboard."
test("leaves an admin page when another tab learns that the rights are gone", async () => {
  answer({ "GET /admin/models": { engines: [], models: [] } });
  await openPage("/admin/models", { as: "superuser" });
  await isAt("/admin/models");
  await expect.element(admin).toBeVisible();
  persist(chief);
  await expect.element(page.getByText("Countess").first()).toBeVisible();
  expect(location.pathname).toBe("/admin/models");
  answer({ "GET /users/me": { ...chief, isSuperUser: false } });
  persist({ ...chief, isSuperUser: false });
  await isAt("/dashboard");
  const toast = page.getByRole("alert").getByText("Access Denied: Administrator privileges required.");
  await expect.element(toast.first()).toBeVisible();
  await expect.element(admin).not.toBeInTheDocument();
});

// SPEC 4 Unauthorised answers: "If refresh fails, all auth data is cleared and the user is redirected to /signin."
test("signs a user out whose account was deleted or blocked elsewhere", async () => {
  const gone = refusal(401, "unauthorized");
  answer({ "GET /users/me": gone, "POST /auth/refresh": gone });
  await openPage("/settings/account", { profile: { id: "gone" } });
  await isAt("/signin");
  await expect.element(page.getByRole("alert").getByText("Your session has expired. Please sign in again.")).toBeVisible();
  expect(Object.keys(localStorage).filter((key) => key === "jwtToken" || key.startsWith("persist:"))).toEqual([]);
});
