import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { test } from "vitest";
import { Segment } from "#contract/index.ts";
import { enter, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

const shared = sharedParlance({ acrossFiles: true });
const Demonstration = v.object({ segments: v.array(Segment) });

test("the landing page writes down a recording while it plays, without an account", { tags: "quick" }, async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  // At twice the speed: it is eleven seconds long.
  await page.addInitScript(() => {
    const play = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function () {
      this.playbackRate = 2;
      return play.call(this);
    };
  });
  await page.goto(shared.at("/"));
  const figure = page.getByRole("figure");
  const { segments } = v.parse(Demonstration, JSON.parse(await readFile("public/demo/jfk.json", "utf8")));
  // What stands there before is the same text.
  await expect(figure.locator("p[lang]")).toHaveText(segments.flatMap(({ text, translation = "" }) => [text, translation]));
  await figure.getByRole("button", { name: "Play it" }).click();
  await figure.getByRole("button", { name: "Pause" }).waitFor();
  // What has not been said yet is not to be seen.
  await figure.getByText("fellow", { exact: true }).waitFor({ state: "visible" });
  await expect(figure.getByText("country.", { exact: true })).not.toBeVisible();
  await figure.getByText("pedir qué puedes hacer para vuestro país.").waitFor({ state: "visible" });
  await figure.getByRole("button", { name: "Play it again" }).waitFor();
});

test("its prices are by the year and by the month, in the person's language, with a way into each plan", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await page.goto(shared.at("/#pricing"));
  const pricing = page.getByRole("region", { name: "Start free" });
  const premium = pricing.getByRole("listitem").filter({ has: page.getByRole("heading", { name: "Premium" }) });
  await premium.getByText("€96 a year").waitFor();
  await premium.getByText("€8 a month, paid once a year.").waitFor();
  const yearly = pricing.getByRole("radio", { name: "Yearly, save €48" });
  await expect(yearly).toBeChecked();
  await yearly.press("ArrowLeft");
  await premium.getByText("€12 a month").waitFor();
  await expect(pricing.getByRole("radio", { name: "Monthly" })).toBeChecked();
  await pricing.getByText("€0 a month").waitFor();
  await pricing.getByText("10 free minutes a month", { exact: true }).waitFor();
  await premium.getByText("Encrypted audio that only you can open").waitFor();
  const leadsTo = (name: string) => pricing.getByRole("link", { name }).getAttribute("href");
  expect([await leadsTo("Start free"), await leadsTo("Choose Premium")]).toEqual([
    "/signup",
    "/signup?plan=premium&interval=month",
  ]);
  await page.goto(shared.at("/?lng=de"));
  await page.getByText(/^96\s€\sim Jahr/).waitFor();
});

test("somebody who is signed in is led to what they came for", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404/] });
  const { page } = visit;
  await enter(page, shared.server);
  await page.goto(shared.at("/"));
  await page.getByRole("link", { name: "Start free" }).click();
  await page.waitForURL("**/speech-to-text");
  await page.goBack();
  await page.getByRole("link", { name: "Choose Premium" }).click();
  await page.waitForURL(/\/billing\/test\//);
});

test("whom the server does not hear is told on the landing page and before signing up", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await page.goto(shared.at("/"));
  await page.getByText("This server recognises English. It translates into Spanish.").waitFor();
  await expect(page.getByText("is not among them")).toHaveCount(0);
  await page.goto(shared.at("/?lng=de"));
  await page.getByText("Deutsch ist nicht dabei.").waitFor();
  await page.goto(shared.at("/signup"));
  await page.getByText("Dieser Server erkennt Englisch.").waitFor();
  await page.getByText("Deutsch ist nicht dabei.").waitFor();
});
