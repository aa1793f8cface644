import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { test } from "vitest";
import { Segment } from "#contract/index.ts";
import { expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

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
  // The HTML says what the server recognizes.
  await page.getByText("This server recognises English. It translates into Spanish.").waitFor();
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
