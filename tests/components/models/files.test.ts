import { beforeEach, expect, test, vi } from "vitest";
import { answer, page, refusal } from "#tests/components/harness.ts";
import { chooseFiles } from "#tests/components/harness-files.ts";
import { builtIn, group, here, installation, item, model, openModels } from "./harness-models.ts";

const files = group("Without internet");
const choose = files.getByLabelText("Import file…");
const archive = new File([new Uint8Array(2_000)], "own model.tar.bz2");

beforeEach(() => {
  // Restores the mocks for the next test, even after a failure.
  vi.restoreAllMocks();
});

test("uploads a file as a model, and lists the model afterwards", async () => {
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

test("shows the progress of an upload, and cancels it", async () => {
  await openModels([builtIn]);
  const held = Promise.withResolvers<Response>();
  answer({ "POST /admin/models/import": () => held.promise });
  await chooseFiles(choose, archive);
  const bar = files.getByRole("progressbar", { name: "Uploading own model.tar.bz2" });
  await expect.poll(() => bar.element().getAttribute("aria-valuetext")).toMatch(/^\d+%, .+ of 2 kB$/);
  await expect.element(choose).not.toBeInTheDocument();
  await files.getByRole("button", { name: "Cancel" }).click();
  await expect.element(choose).toBeInTheDocument();
  await expect.element(bar).not.toBeInTheDocument();
  held.resolve(refusal(400, "badRequest"));
  await expect.element(files.getByText("Couldn’t upload")).not.toBeInTheDocument();
});

test("says why a file could not be uploaded, and retries or dismisses it", async () => {
  let calls = 0;
  await openModels([builtIn]);
  answer({
    "POST /admin/models/import": () => {
      calls += 1;
      return calls === 1 ? refusal(507, "storageFull") : refusal(400, "badRequest");
    },
  });
  await chooseFiles(choose, archive);
  await expect.element(files.getByText("Couldn’t upload own model.tar.bz2.")).toBeVisible();
  await expect.element(files.getByText("The server is out of storage. Free some space and try again.")).toBeVisible();
  await files.getByRole("button", { name: "Try again" }).click();
  await expect.element(files.getByText("Parlance can’t read this archive.")).toBeVisible();
  await files.getByRole("button", { name: "OK" }).click();
  await expect.element(files.getByText("Couldn’t upload")).not.toBeInTheDocument();
  expect(calls).toBe(2);
});

test("exports the list of installed models as a file, or says that it can't", async () => {
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
  const button = files.getByRole("button", { name: "Export list" });
  await button.click();
  await expect.poll(() => saved[0]?.name).toBe("parlance-models.json");
  expect(await saved[0]?.text).toContain('"product":"parlance"');
  answer({ "GET /admin/models/export": refusal(500, "internal") });
  await button.click();
  await expect.element(page.getByText("Couldn’t load the list.")).toBeVisible();
});
