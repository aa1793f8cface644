import { expect, onTestFinished, test } from "vitest";
import { pageRouter } from "#src/browser/page-router.ts";
import { showBanner } from "#src/features/analytics/banner.tsx";
import { createAnalytics } from "#src/features/analytics/create-analytics.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { openPage, page } from "#tests/components/harness.ts";

// The question for consent. The tests' page has no analytics, so this test creates its own, whose script never loads.

const banner = page.getByRole("region", { name: "May we measure how you use this page?" });
const button = (name: string) => banner.getByRole("button", { name, exact: true });

test("asks for consent at the start of the page, and remembers a refusal", async () => {
  await openPage("/about", { as: "visitor" });
  const facts = { analytics: `${location.origin}/no-such-script.js`, geolocation: "https://places.example/here" };
  const metas = Object.entries(facts).map(([name, content]) =>
    Object.assign(document.createElement("meta"), { name: `parlance-${name}`, content }),
  );
  document.head.append(...metas);
  await loadTexts("analytics");
  const analytics = createAnalytics(pageRouter());
  for (const meta of metas) meta.remove();
  showBanner(analytics);
  onTestFinished(() => void analytics.actor.stop());
  await expect.element(banner.getByText(`If you agree, ${location.host} learns which kinds of pages you open`)).toBeVisible();
  await expect.element(banner.getByText("Once a session, places.example is asked which city you seem to be in.")).toBeVisible();
  await expect.element(banner.getByRole("link", { name: "Learn more" })).toHaveAttribute("href", "/privacy#analytics");
  // Keyboard users reach the question before everything that it covers.
  expect(document.body.firstElementChild?.contains(button("Refuse").element())).toBe(true);
  expect(localStorage.getItem("analyticsConsent")).toBeNull();
  await button("Refuse").click();
  await expect.element(banner).not.toBeInTheDocument();
  expect(localStorage.getItem("analyticsConsent")).toBe("refused");
  expect(document.querySelector('script[src*="no-such-script"]')).toBeNull();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
});
