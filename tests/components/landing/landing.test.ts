import { afterEach, expect, onTestFinished, test } from "vitest";
import type { EngineInfo, EnginesAnswer } from "#contract/index.ts";
import { infoSections } from "#src/features/landing/sections.ts";
import { i18n } from "#src/i18n/index.ts";
import { answer, engines, lost, openPage, page, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";

afterEach(() => i18n.changeLanguage("en"));

const pricing = page.getByRole("region", { name: "Start free" });
const way = (name: string) => pricing.getByRole("link", { name }).element().getAttribute("href");

// SPEC 1: "There is a free tier with a cap of 10 translation minutes per month"
// SPEC 9: "Billing interval values"
test("shows yearly and monthly prices, with a link to each plan", async () => {
  await openPage("/", { as: "visitor" });
  const yearly = pricing.getByRole("radio", { name: "Yearly, save €48" });
  const premium = pricing.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Premium" }) });
  await expect.element(yearly).toBeChecked();
  await expect.poll(() => textsOf(premium)[0]).toContain("€96 a year");
  expect(textsOf(premium)[0]).toContain("€8 a month, billed once a year.");
  expect(way("Choose Premium")).toBe("/signup?plan=premium&interval=year");
  yearly.element().focus();
  await userEvent.keyboard("{ArrowLeft}");
  await expect.poll(() => textsOf(premium)[0]).toContain("€12 a month");
  await expect.element(pricing.getByRole("radio", { name: "Monthly" })).toBeChecked();
  expect(textsOf(pricing)[0]).toContain("€0 a month");
  expect(textsOf(pricing)[0]).toContain("10 free minutes a month");
  expect(textsOf(pricing)[0]).toContain("Encrypted audio that only you can open");
  expect([way("Create account"), way("Choose Premium")]).toEqual(["/signup", "/signup?plan=premium&interval=month"]);
  await i18n.changeLanguage("de");
  await expect.poll(() => document.querySelector("#pricing")?.textContent).toMatch(/12\s€\sim Monat/);
});

test("links a signed-in user to recording and to the subscription", async () => {
  await openPage("/");
  await expect
    .element(page.getByRole("main").getByRole("link", { name: "Start speaking" }).first())
    .toHaveAttribute("href", "/speech-to-text");
  expect([way("Start speaking"), way("Choose Premium")]).toEqual(["/speech-to-text", "/subscription?plan=premium&interval=year"]);
});

/** Writes a fact into the head as the server's HTML does. */
function writeFact(name: string, content: string): void {
  const meta = Object.assign(document.createElement("meta"), { name: `parlance-${name}`, content });
  document.head.append(meta);
  onTestFinished(() => meta.remove());
}

test("says which languages the server recognizes, and that the visitor's language is missing", async () => {
  writeFact("hears", "en");
  writeFact("translates", "es");
  await openPage("/", { as: "visitor" });
  await expect.element(page.getByText("This server recognizes English. It translates into Spanish.")).toBeVisible();
  await expect.element(page.getByText("is not among them")).not.toBeInTheDocument();
  await i18n.changeLanguage("de");
  await expect.element(page.getByText("Deutsch ist nicht dabei.")).toBeVisible();
  await openPage("/signup", { as: "visitor" });
  await expect.element(page.getByText("Dieser Server erkennt Englisch.")).toBeVisible();
  await expect.element(page.getByText("Deutsch ist nicht dabei.")).toBeVisible();
});

// SPEC 2 Public routes: "Information pages"
test("links the landing page to the information pages, and these to each other", async () => {
  await openPage("/", { as: "visitor" });
  const footer = [...document.querySelectorAll("footer a")].map((link) => link.getAttribute("href"));
  expect(footer).toEqual(["/blog", "/waitlist", "/terms", "/privacy", "/about", "/contact"]);
  await page.getByRole("link", { name: "Terms" }).click();
  await expect.element(page.getByText("10 spoken minutes a month are free.")).toBeVisible();
  await expect.element(page.getByText("It costs €12 a month or €96 a year")).toBeVisible();
  const others = page.getByRole("navigation", { name: "More about Parlance" }).getByRole("link");
  expect(textsOf(others)).toEqual(["Privacy", "About", "Contact"]);
  await others.first().click();
  await expect.element(page.getByRole("heading", { level: 1, name: "Privacy" })).toBeVisible();
  const contents = page.getByRole("navigation", { name: "On this page" }).getByRole("link");
  expect(contents.elements()).toHaveLength(infoSections.privacy.length);
  await contents.filter({ hasText: "Deleting" }).click();
  expect(location.hash).toBe("#deleting");
  await expect.element(page.getByText("stay in the trash for 30 days")).toBeVisible();
  await expect.poll(() => document.querySelector("#deleting")?.getBoundingClientRect().top ?? 999).toBeLessThan(200);
});

// SPEC 2 Public routes: "/terms, /privacy, /about, /contact | Information pages"
// PROMISE speech: Only a configured engine outside of the machine is used; the page names it
test("names the available engines and external services, and says when the server does not answer", async () => {
  await openPage("/privacy", { as: "visitor" });
  const lines = () => textsOf(page.getByRole("status")).join(" | ");
  await expect.poll(lines).toContain("Moonshine tiny – on this server. Nothing is sent elsewhere.");
  expect(lines()).toContain("Apertium – on this server. Nothing is sent elsewhere.");
  const engine: EngineInfo = { id: "openai", name: "whisper-1 (api.example.org)", offline: false, available: true };
  const away = { ...engine, id: "away", name: "broken", available: false };
  const other: EnginesAnswer = {
    ...engines,
    speech: { engines: [engine, away], languages: [] },
    translation: { engines: [], pairs: [] },
  };
  answer({ "GET /api/v1/engines": other });
  await openPage("/about", { as: "visitor" });
  await expect.poll(lines).toContain("whisper-1 (api.example.org) – an outside service. Your audio or text is sent there.");
  expect(lines()).toContain("None.");
  expect(lines()).not.toContain("broken");
  answer({ "GET /api/v1/engines": lost });
  await openPage("/privacy", { as: "visitor" });
  await expect.poll(lines).toContain("The server can’t be reached right now.");
});
