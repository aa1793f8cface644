import { expect, test } from "vitest";
import { openPage, page } from "#tests/components/harness.ts";
import { chooseFiles } from "#tests/components/harness-files.ts";
import { textsOf } from "#tests/components/harness-texts.ts";

const wav = (name: string, bytes = 72_000) => new File([new Uint8Array(bytes)], name, { type: "audio/wav", lastModified: 1_000 });
const chosen = page.getByTestId("chosen").getByRole("listitem");
const title = page.getByRole("textbox", { name: "Title" });

test("nothing is begun without a file, and what was typed is there when the page is opened again", async () => {
  await openPage("/file-upload-config");
  await title.fill("A talk about  a bridge ");
  await page.getByRole("button", { name: "Start" }).click();
  await expect.element(page.getByText("Choose at least one file.")).toBeVisible();
  await openPage("/about");
  await openPage("/file-upload-config");
  await expect.element(title).toHaveValue("A talk about  a bridge ");
  await expect.element(page.getByText("Choose at least one file.")).not.toBeInTheDocument();
  await title.fill("");
});

test("files are chosen, counted, and left out again; several have no title of their own", async () => {
  await openPage("/file-upload-config");
  await expect.element(page.getByTestId("drop-zone")).toBeVisible();
  await chooseFiles(page.getByLabelText("Choose files"), wav("market.wav"), wav("talk.wav", 1_500_000));
  await expect.element(page.getByText("2 files chosen")).toBeVisible();
  expect(textsOf(chosen)).toEqual([expect.stringMatching(/^market\.wav ?72 kB$/), expect.stringMatching(/^talk\.wav ?1\.5 MB$/)]);
  await expect.element(page.getByRole("button", { name: "Start with 2 files" })).toBeVisible();
  await expect.element(title).toBeDisabled();
  await expect.element(page.getByText("With several files, each one is named after its file.")).toBeVisible();
  await page.getByRole("button", { name: "Don’t upload talk.wav" }).click();
  await expect.element(page.getByText("1 file chosen")).toBeVisible();
  await expect.element(page.getByTestId("chosen")).toHaveFocus();
  await expect.element(title).toBeEnabled();
  await expect.element(page.getByRole("button", { name: "Start with 1 file", exact: true })).toBeVisible();
});
