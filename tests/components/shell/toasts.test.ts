import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { loadingToast } from "#src/browser/loading-toast.ts";
import { type Toast, toast } from "#src/browser/toasts.ts";
import { openPage, page, userEvent } from "#tests/components/harness.ts";

// SPEC.md section 9, "Toast durations" and "Toast limits".

const shown = () => [...document.querySelectorAll<HTMLElement>(".Toastify__toast")];
const texts = () => shown().map(({ textContent }) => textContent.trim());
/** The number of toasts that are not closing. */
const staying = () => shown().filter(({ dataset }) => dataset.in === "true").length;
const messageOf = (text: string) => page.getByText(text, { exact: true });

const saved: Toast = { kind: "success", key: "toast.saved" };
const failed: Toast = { kind: "error", key: "toast.signOutFailed" };
const copied: Toast = { kind: "plain", key: "toast.copied" };
const imported: Toast = { kind: "warning", key: "toast.signedIn" };

/** The timers of the toasts. A timer is an animation of the browser, which the library pauses and resumes. */
const timers = () =>
  document.getAnimations().filter((it) => it instanceof CSSAnimation && it.animationName === "Toastify__trackProgress");
const running = () => timers().filter((it) => it.playState === "running" && it.playbackRate === 0);

/** Stops a toast's timer, so that its time passes only through `pass`. */
function stopTime({ target, animationName }: AnimationEvent): void {
  if (animationName !== "Toastify__trackProgress" || !(target instanceof Element)) return;
  for (const timer of target.getAnimations()) {
    timer.playbackRate = 0;
    timer.currentTime = 0;
  }
}

/** Advances the running timers of the toasts by this many ms. */
function pass(ms: number): void {
  for (const timer of running()) {
    const time = Number(timer.currentTime) + ms;
    if (time < Number(timer.effect?.getComputedTiming().endTime)) timer.currentTime = time;
    else {
      timer.playbackRate = 1;
      timer.finish();
    }
  }
}

beforeEach(async () => {
  document.addEventListener("animationstart", stopTime);
  onTestFinished(() => document.removeEventListener("animationstart", stopTime));
  await openPage("/terms", { as: "visitor" });
  // A toast under the pointer stays open.
  await page.getByRole("heading", { level: 1 }).hover();
});

// SPEC 9: "error and blank 4 s, success 2 s"
// SPEC 9: "free-tier warnings 5 s"
test("shows a success for 2 s, errors and plain messages for 4 s, warnings for 5 s", async () => {
  for (const message of [saved, failed, copied, imported]) toast(message);
  await expect.poll(() => running().length).toBe(4);
  expect(texts()).toEqual(["You are signed in.", "Copied.", "Logout failed", "Saved."]);
  expect(shown().map((it) => [it.getAttribute("role"), it.querySelectorAll("svg").length])).toEqual([
    ...[
      ["status", 2],
      ["status", 1],
    ],
    ...[
      ["alert", 2],
      ["status", 2],
    ],
  ]);
  pass(1_999);
  expect(staying()).toBe(4);
  pass(1);
  await expect.poll(texts).toEqual(["You are signed in.", "Copied.", "Logout failed"]);
  pass(1_999);
  expect(staying()).toBe(3);
  pass(1);
  await expect.poll(texts).toEqual(["You are signed in."]);
  pass(999);
  expect(staying()).toBe(1);
  pass(1);
  await expect.poll(texts).toEqual([]);
});

// SPEC 9: "at most 20 toasts, shown top-right"
test("keeps a toast open while the pointer or the focus is on it", async () => {
  toast(saved);
  await expect.poll(() => running().length).toBe(1);
  await messageOf("Saved.").hover();
  await expect.poll(() => running().length).toBe(0);
  const { right = 0, top = 999 } = shown()[0]?.getBoundingClientRect() ?? {};
  expect(innerWidth - right).toBeLessThan(40);
  expect(top).toBeLessThan(120);
  await page.getByRole("heading", { level: 1 }).hover();
  await expect.poll(() => running().length).toBe(1);
  page.getByRole("button", { name: "Close" }).element().focus();
  await expect.poll(() => running().length).toBe(0);
  await userEvent.keyboard("{Enter}");
  await expect.poll(texts).toEqual([]);
});

// SPEC 9: "loading unlimited"
test("shows a loading toast until it is settled, then as long as its outcome lasts", async () => {
  const [first, second, third] = [{ key: "toast.signingOut" }, { key: "loading" }, { key: "toast.saving" }].map(loadingToast);
  await expect.poll(() => shown().length).toBe(3);
  expect(timers()).toEqual([]);
  expect(page.getByRole("button", { name: "Close" }).elements()).toEqual([]);
  third?.dismiss();
  await expect.poll(() => shown().length).toBe(2);
  await page.getByText("Loading").click();
  expect(staying()).toBe(2);
  first?.settle(saved);
  await expect.poll(() => running().length).toBe(1);
  pass(1_999);
  expect(staying()).toBe(2);
  pass(1);
  await expect.poll(() => shown().length).toBe(1);
  second?.settle(failed);
  await expect.element(page.getByRole("alert")).toHaveTextContent("Logout failed");
  await page.getByRole("button", { name: "Close" }).click();
  await expect.poll(texts).toEqual([]);
});

// SPEC 9: "at most 20 toasts, shown top-right"
test("shows at most twenty different toasts, and the others afterwards", async () => {
  const all = Array.from(
    { length: 25 },
    (_, index): Toast => ({ kind: "error", key: "errors.providerFailed", values: { provider: `No. ${index}` } }),
  );
  for (const message of [...all, ...all.slice(0, 5)]) toast(message);
  await expect.poll(() => running().length).toBe(20);
  expect(new Set(texts()).size).toBe(20);
  expect(shown().every((it) => it.getAttribute("role") === "alert")).toBe(true);
  pass(4_000);
  await expect.element(page.getByText("No. 24 authentication failed")).toBeVisible();
});

test("closes only the toast whose action is taken when two have the same message", async () => {
  const run = vi.fn();
  const undo = (): Toast => ({ ...copied, action: { key: "nav.signOut", run } });
  toast(undo());
  toast(undo());
  await expect.poll(() => shown().length).toBe(2);
  await page.getByRole("button", { name: "Log out" }).first().click();
  await expect.poll(() => shown().length).toBe(1);
  expect(run).toHaveBeenCalledTimes(1);
});

test("shows an undo toast for 10 s, and removes it when the action can no longer be undone", async () => {
  const undo: Toast = { kind: "undo", key: "toast.saved", action: { key: "toast.copied", run: () => undefined } };
  const closed = vi.fn();
  const over = new AbortController();
  toast({ ...undo, onClose: closed });
  await expect.poll(() => running().length).toBe(1);
  pass(9_999);
  expect([staying(), closed.mock.calls.length]).toEqual([1, 0]);
  pass(1);
  await expect.poll(() => [staying(), closed.mock.calls.length]).toEqual([0, 1]);
  toast({ ...undo, signal: over.signal });
  await expect.poll(staying).toBe(1);
  over.abort();
  await expect.poll(staying).toBe(0);
});

test("gives the text of an undo toast more room than its buttons on a phone", async () => {
  onTestFinished(() => page.viewport(1280, 800));
  await page.viewport(390, 844);
  const title = "We did not know what would happen next";
  toast({ kind: "undo", key: "app:history.deleted", values: { title }, action: { key: "app:history.undo", run: () => {} } });
  const text = await vi.waitUntil(() => document.querySelector(".Toastify__toast p"));
  expect(text.getBoundingClientRect().width).toBeGreaterThan(250);
});
