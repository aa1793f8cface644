import { readFile } from "node:fs/promises";
import * as v from "valibot";
import { test } from "vitest";
import { Segment } from "#contract/index.ts";
import { expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

const shared = sharedParlance({ acrossFiles: true });
const Demonstration = v.object({ segments: v.array(Segment) });

test("plays a recording with its transcript on the landing page without an account", { tags: "quick" }, async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  // At double speed, because the recording is eleven seconds long.
  await page.addInitScript(() => {
    const play = HTMLMediaElement.prototype.play;
    HTMLMediaElement.prototype.play = function () {
      this.playbackRate = 2;
      return play.call(this);
    };
  });
  await page.goto(shared.at("/"));
  // The server's HTML contains the languages.
  await page.getByText("This server recognizes English. It translates into Spanish.").waitFor();
  const figure = page.getByRole("figure");
  const { segments } = v.parse(Demonstration, JSON.parse(await readFile("public/demo/jfk.json", "utf8")));
  // The figure shows the same text before it plays.
  await expect(figure.locator("p[lang]")).toHaveText(segments.flatMap(({ text, translation = "" }) => [text, translation]));
  await figure.getByRole("button", { name: "Play" }).click();
  await figure.getByRole("button", { name: "Pause" }).waitFor();
  // Words that were not spoken yet are hidden.
  await figure.getByText("fellow", { exact: true }).waitFor({ state: "visible" });
  await expect(figure.getByText("country.", { exact: true })).not.toBeVisible();
  await figure.getByText("pedir qué puedes hacer para vuestro país.").waitFor({ state: "visible" });
  await figure.getByRole("button", { name: "Play again" }).waitFor();
});
