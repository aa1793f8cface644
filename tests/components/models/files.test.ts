import { beforeEach, expect, test, vi } from "vitest";
import { answer, page, refusal } from "#tests/components/harness.ts";
import { chooseFiles } from "#tests/components/harness-files.ts";
import { builtIn, group, here, installation, item, model, openModels } from "./harness-models.ts";

const files = group("Without internet");
const choose = files.getByLabelText("Import a file …");
const archive = new File([new Uint8Array(2_000)], "own model.tar.bz2");

beforeEach(() => {
  // Restored for the next test, also when one fails.
  vi.restoreAllMocks();
});

test("sends a file as a model, and shows it once the server has it", async () => {
  const sent: { name: string | null; type: string | null; bytes: number }[] = [];
  const served = await openModels([builtIn]);
  answer({
    "POST /admin/models/import": async ({ request }) => {
      const { byteLength: bytes } = await request.arrayBuffer();
      sent.push({ name: new URL(request.url).searchParams.get("name"), type: request.headers.get("Content-Type"), bytes });
      served.models = [builtIn, model({ id: "own", name: "own", installed: { ...here, source: "file" } })];
      return Response.json({ id: "own", installation: installation({ state: "waiting" }) }, { status: 202 });
    },
  });
  await chooseFiles(choose, archive);
  await expect.element(item("On this server", "own")).toBeVisible();
  expect(sent).toEqual([{ name: "own model.tar.bz2", type: "application/octet-stream", bytes: 2_000 }]);
  await expect.element(choose).toBeInTheDocument();
  await expect.element(choose).toHaveAttribute("accept", ".bz2,.tar,.gz,.tgz");
});

test("shows that a file is being sent, and gives it up", async () => {
  await openModels([builtIn]);
  const held = Promise.withResolvers<Response>();
  answer({ "POST /admin/models/import": () => held.promise });
  await chooseFiles(choose, archive);
  const bar = files.getByRole("progressbar", { name: "Sending own model.tar.bz2" });
  await expect.poll(() => bar.element().getAttribute("aria-valuetext")).toMatch(/^\d+%, .+ of 2 kB$/);
  await expect.element(choose).not.toBeInTheDocument();
  await files.getByRole("button", { name: "Cancel" }).click();
  await expect.element(choose).toBeInTheDocument();
  await expect.element(bar).not.toBeInTheDocument();
  held.resolve(refusal(400, "badRequest"));
  await expect.element(files.getByText("could not be sent")).not.toBeInTheDocument();
});

test("says why a file could not be sent, sends it again, and forgets it", async () => {
  let calls = 0;
  await openModels([builtIn]);
  answer({
    "POST /admin/models/import": () => {
      calls += 1;
      return calls === 1 ? refusal(507, "storageFull") : refusal(400, "badRequest");
    },
  });
  await chooseFiles(choose, archive);
  await expect.element(files.getByText("own model.tar.bz2 could not be sent.")).toBeVisible();
  await expect.element(files.getByText("There is no room left to store this. Free some space and try again.")).toBeVisible();
  await files.getByRole("button", { name: "Try again" }).click();
  await expect.element(files.getByText("It is not an archive that Parlance can read.")).toBeVisible();
  await files.getByRole("button", { name: "OK" }).click();
  await expect.element(files.getByText("could not be sent")).not.toBeInTheDocument();
  expect(calls).toBe(2);
});

test("gives the list of what is installed as a file, or says that it can't", async () => {
  await openModels([builtIn]);
  answer({ "GET /admin/models/export": { product: "parlance", models: [], choices: {} } });
  const saved: { name: string; text: Promise<string> }[] = [];
  const blobs: Blob[] = [];
  vi.spyOn(URL, "createObjectURL").mockImplementation((blob) => {
    if (blob instanceof Blob) blobs.push(blob);
    return "blob:list";
  });
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, text: blobs[0]?.text() ?? Promise.resolve("") });
  });
  const button = files.getByRole("button", { name: "Export the list" });
  await button.click();
  await expect.poll(() => saved[0]?.name).toBe("parlance-models.json");
  expect(await saved[0]?.text).toContain('"product":"parlance"');
  answer({ "GET /admin/models/export": refusal(500, "internal") });
  await button.click();
  await expect.element(page.getByText("The list could not be had.")).toBeVisible();
});
