import { expect, test } from "vitest";
import { openPage, page } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";

// The server of this test has no analytics, so the page can only do a dry run. tests/browser/analytics covers a script
// and a lookup.

const rows = () => textsOf(page.getByTestId("events").getByRole("row")).slice(1);
const sent = (name: string) => [...document.querySelectorAll(`[data-event=${name}][data-delivered=dryRun]`)];
const fact = (name: string) => page.getByTestId(`fact-${name}`);
const button = (name: string) => page.getByRole("button", { name, exact: true });
const dry = page.getByRole("checkbox", { name: "Dry run" });
const marks = () => textsOf(page.getByRole("listitem").filter({ hasText: /%/ }));

async function open(): Promise<void> {
  await openPage("/analytics-test", { as: "visitor" });
  await expect.element(dry).not.toBeChecked();
}

test("says that analytics is not configured, and sends nothing", async () => {
  await open();
  await expect.element(fact("consent")).toHaveAttribute("data-state", "notConfigured");
  const facts = ["configured", "consent", "tag", "place", "session", "started", "idle", "path"].map(
    (name) => fact(name).element().textContent,
  );
  expect(facts).toEqual([
    "Configuredno: ANALYTICS_TAG_URL is not set",
    "Consentnot asked",
    "Scriptnot loaded",
    "Placeno: GEOLOCATION_URL is not set",
    "Sessionnone",
    "Startednone",
    "Idleno activity",
    expect.stringMatching(/^Route/),
  ]);
  for (const name of ["Send a test event", "Send a page view", "Send a heartbeat"])
    await expect.element(button(name)).toBeDisabled();
  await expect.element(page.getByText("Nothing is measured right now, so nothing can be sent.")).toBeVisible();
  await expect.element(page.getByRole("heading", { name: "Usage measurement" })).not.toBeInTheDocument();
  expect(window.parlanceAnalytics?.event("nothing")).toBeUndefined();
});

// SPEC 2 Public routes: "/analytics-test"
// SPEC 7 Third-party: "Developer console helpers for sending test analytics events are exposed"
test("shows each event of a dry run at once, and ends the dry run when the page is left", async () => {
  await open();
  await dry.click();
  await expect
    .element(page.getByText("Dry run: nothing leaves this machine. Nothing is loaded, looked up or stored."))
    .toBeVisible();
  await expect.element(page.getByText("Nothing is measured right now, so nothing can be sent")).not.toBeInTheDocument();
  await expect.element(fact("session")).toHaveAttribute("data-state", "running");
  await expect.element(fact("idle")).toMatchTextContent(/last activity at .*; ends at /);
  await expect.element(fact("path")).toHaveTextContent("Route/analytics-test");
  await expect.poll(() => sent("page_view").length).toBe(1);
  await button("Send a test event").click();
  await expect.poll(() => sent("test_event").length).toBe(1);
  expect(rows()[0]).toMatch(/ test_event .*source: analytics_test.* nobody \(dry run\)$/);
  await button("Send a heartbeat").click();
  await expect.poll(() => sent("session_heartbeat").length).toBe(1);

  expect(marks().slice(0, 3)).toEqual(["50% not yet", "75% not yet", "90% not yet"]);
  const area = page.getByRole("textbox", { name: "Scroll area" });
  const scroll = (share: number) => area.element().scrollTo(0, share * area.element().scrollHeight);
  scroll(1);
  await expect.poll(() => marks().slice(0, 3)).toEqual(["50% sent", "75% sent", "90% sent"]);
  expect(sent("scroll_depth")).toHaveLength(3);
  await button("Send a page view").click();
  await expect.poll(() => marks().slice(0, 3)).toEqual(["50% not yet", "75% not yet", "90% not yet"]);
  expect(sent("page_view")).toHaveLength(2);

  const helped = window.parlanceAnalytics?.event("by_hand", { mail: "ada@example.org", n: 1 });
  expect(helped).toMatchObject({ name: "by_hand", params: { mail: "•••", n: 1 }, delivered: "dryRun" });
  expect(window.parlanceAnalytics?.pageView()).toMatchObject({ name: "page_view" });
  expect(window.parlanceAnalytics?.heartbeat()).toMatchObject({ name: "session_heartbeat" });
  expect(() => window.parlanceAnalytics?.event("1 wrong name")).toThrow(TypeError);
  expect(window.parlanceAnalytics?.status()).toMatchObject({
    consent: "notConfigured",
    dryRun: true,
    tag: "none",
    recipients: [],
    path: "/analytics-test",
  });
  await expect.poll(() => sent("by_hand").length).toBe(1);
  const total = document.querySelectorAll("[data-event]").length;
  await expect.element(page.getByRole("heading", { name: `Events: ${total}` })).toBeVisible();
  expect(Object.keys(localStorage).filter((key) => key.startsWith("analytics"))).toEqual([]);
  expect("dataLayer" in window).toBe(false);

  await openPage("/terms", { as: "visitor" });
  await expect.poll(() => window.parlanceAnalytics?.status()).toMatchObject({ dryRun: false, session: null });
});

test("lists the console helpers for test events", async () => {
  await open();
  const console = page.getByRole("region", { name: "In the console" });
  expect(textsOf(console.getByRole("listitem"))).toEqual([
    'parlanceAnalytics.event("test_event", { works: true })',
    "parlanceAnalytics.pageView()",
    "parlanceAnalytics.heartbeat()",
    "parlanceAnalytics.status()",
  ]);
});
