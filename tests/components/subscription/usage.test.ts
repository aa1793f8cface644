import { expect, test } from "vitest";
import { builtInLanguages } from "#contract/built-in-languages.ts";
import type { Usage } from "#contract/index.ts";
import { i18n } from "#src/i18n/index.ts";
import { answer, type OpenOptions, openPage, openStream, page, usage } from "#tests/components/harness.ts";

// The free tier's minutes (SPEC.md section 5, "Free-tier usage warning"; section 9, "Free-tier limit").

const remaining = "You have 1.6 minutes remaining in your free tier.";
const reached = "You've reached your 10-minute monthly limit. Upgrade for unlimited usage.";
const meter = page.getByTestId("usage");
const record = page.getByRole("button", { name: "Start recording" });
const toasts = () => [...document.querySelectorAll(".Toastify__toast")].map(({ textContent }) => textContent);
const follow = (name: string) => page.getByRole("navigation").getByRole("link", { name }).first().click();
const heading = (name: string) => expect.element(page.getByRole("heading", { name, level: 1 })).toBeVisible();

let people = 0;
/**
 * Opens the page for a new user, whose usage is not cached.
 * @returns the user's usage, and the number of requests for it
 */
async function open(path: string, used: number, { as = "free", ...options }: OpenOptions = {}) {
  const known: Usage = { ...usage, usedTranslationMinutes: used, limitMinutes: as === "free" ? 10 : null };
  const state = { known, asked: 0 };
  answer({
    "GET /languages/codes": builtInLanguages,
    "GET /api/v1/usage": () => {
      state.asked += 1;
      return state.known;
    },
  });
  await openPage(path, { as, ...options, profile: { id: `user-${people++}` } });
  return state;
}

test.each([
  [7.99, [], "8.0 of 10 free minutes used this month"],
  [8, ["You have 2.0 minutes remaining in your free tier."], "8.0 of 10 free minutes used this month"],
  [9.99, ["You have 0.0 minutes remaining in your free tier."], "10.0 of 10 free minutes used this month"],
])("warns a user after %f free minutes when the threshold is reached", async (used, warnings, text) => {
  await open("/speech-to-text", used);
  await expect.element(meter.getByText(text, { exact: true })).toBeVisible();
  await expect.poll(() => toasts().map((one) => one?.replace("Upgrade", ""))).toEqual(warnings);
  expect(meter.element().classList.contains("wrong")).toBe(warnings.length > 0);
});

// SPEC 5: "Free-tier usage warning on voice-translator and speech-to-text"
test("warns on each visit of a page that uses minutes, and on no other page", async () => {
  const state = await open("/dashboard", 8.4, { preloads: true });
  await expect.element(page.getByText(remaining)).toBeVisible();
  const ring = () => document.querySelector<HTMLElement>('a[href="/subscription"][data-low]');
  await expect.poll(() => ring()?.textContent).toMatch(/^1\.6 free minutes left/);
  expect(ring()?.querySelector("[stroke-dasharray]")?.getAttribute("stroke-dasharray")).toMatch(/^0\.1[56]\d* 1$/);
  const before = state.asked;
  // Hovering over a link is not a visit.
  await page.getByRole("navigation").getByRole("link", { name: "Speech to text" }).first().hover();
  expect([toasts(), state.asked]).toEqual([[], before]);
  for (const name of ["Speech to text", "Voice translator", "Speech to text"]) {
    await follow(name);
    await expect.poll(toasts).toEqual([`${remaining}Upgrade`]);
    await page.getByRole("button", { name: "Close" }).click();
    await expect.poll(toasts).toEqual([]);
    await follow("Dashboard");
    await heading("Dashboard");
  }
  expect(toasts()).toEqual([]);
});

test("shows the warning for five seconds, with a link to the subscription", async () => {
  await open("/voice-translator", 8.4);
  const duration = () => document.querySelector<HTMLElement>(".Toastify__progress-bar")?.style.animationDuration;
  await expect.poll(duration).toBe("5000ms");
  await page.getByRole("status").filter({ hasText: remaining }).getByRole("button", { name: "Upgrade" }).click();
  await expect.poll(() => location.pathname).toBe("/subscription");
});

test("warns when an open page crosses the threshold, and again at the limit", async () => {
  const stream = openStream();
  answer({ "GET /api/v1/audio-transcriptions/events": stream.response });
  const state = await open("/speech-to-text", 7.9);
  await expect.element(meter.getByText("7.9 of 10 free minutes used this month")).toBeVisible();
  expect(toasts()).toEqual([]);
  for (const [used, text] of [
    [8.3, "You have 1.7 minutes remaining in your free tier."],
    [10, reached],
  ] as const) {
    state.known = { ...state.known, usedTranslationMinutes: used };
    stream.send("transcription", { transcription: { id: "a", status: "completed" } });
    await expect.poll(() => toasts().join()).toContain(text);
  }
});

test("formats the free minutes in the user's language", async () => {
  await i18n.changeLanguage("de");
  try {
    await open("/speech-to-text", 8.4);
    await expect.element(page.getByText("In Ihrem kostenlosen Tarif bleiben Ihnen noch 1,6 Minuten.")).toBeVisible();
    await expect.element(meter.getByText("8,4 von 10 Freiminuten in diesem Monat verbraucht")).toBeVisible();
  } finally {
    await i18n.changeLanguage("en");
  }
});

test.each(["premium", "superuser"] as const)("shows no warning and no meter to a user with rights %s", async (as) => {
  const state = await open("/speech-to-text", 25, { as });
  await expect.element(record).toBeVisible();
  await expect.poll(() => state.asked).toBeGreaterThan(0);
  await expect.element(record).not.toHaveAttribute("aria-disabled");
  expect(toasts()).toEqual([]);
  await expect.element(meter).not.toBeInTheDocument();
});

test("blocks recording and uploading at the limit, says why, and links to the subscription", async () => {
  await open("/speech-to-text", 10);
  await expect.poll(() => toasts().join()).toContain(reached);
  await expect.element(record).toHaveAttribute("aria-disabled", "true");
  await expect.element(record).toHaveAccessibleDescription(reached);
  await expect.element(page.getByTestId("drop-zone").getByText(reached)).toBeVisible();
  await expect.element(page.getByRole("button", { name: "Choose files" })).not.toBeInTheDocument();
  await expect.element(page.getByText(/^Resets on .*2100.*Everything you have made stays here\.$/).first()).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Upgrade" }).first().click();
  await expect.poll(() => location.pathname).toBe("/subscription");
});
