import { expect, onTestFinished, test } from "vitest";
import { pageRouter } from "#src/browser/page-router.ts";
import { showBanner } from "#src/features/analytics/banner.tsx";
import { createAnalytics } from "#src/features/analytics/create-analytics.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { openPage, page } from "#tests/components/harness.ts";

// The question for consent. The page of all tests has no analytics: this is one of its own, whose script does not load.

const banner = page.getByRole("region", { name: "May the use of this page be measured?" });
const button = (name: string) => banner.getByRole("button", { name, exact: true });

test("asks first in the page who may measure it, and keeps a refusal", async () => {
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
  await expect.element(banner.getByText("places.example is asked once a session in which city you seem to be.")).toBeVisible();
  await expect.element(banner.getByRole("link", { name: "More about it" })).toHaveAttribute("href", "/privacy#analytics");
  // People who use the keyboard come to the question before all that it covers.
  expect(document.body.firstElementChild?.contains(button("Refuse").element())).toBe(true);
  expect(localStorage.getItem("analyticsConsent")).toBeNull();
  await button("Refuse").click();
  await expect.element(banner).not.toBeInTheDocument();
  expect(localStorage.getItem("analyticsConsent")).toBe("refused");
  expect(document.querySelector('script[src*="no-such-script"]')).toBeNull();
  await expect.element(page.getByRole("heading", { level: 1 })).toHaveFocus();
});
