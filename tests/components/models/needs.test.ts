import { expect, test } from "vitest";
import { answer, openPage, page } from "#tests/components/harness.ts";
import { answerWith, builtIn, group, here, installation, model, openModels, pair, parakeet, voice } from "./harness-models.ts";

const needs = group("What do you need?");
const need = (title: string) => needs.getByRole("region", { name: title, exact: true });
const titles = () =>
  needs
    .getByRole("heading", { level: 3 })
    .elements()
    .map((heading) => heading.textContent);
const others = model({ id: "others", name: "Whisper small", languages: ["de", "fr"], recommendedFor: ["de", "fr"] });
const segmentation = model({
  id: "segmentation",
  name: "Pyannote",
  purpose: "speakers",
  kind: "speakerSegmentation",
  languages: [],
});
const embedding = model({ id: "embedding", name: "TitaNet", purpose: "speakers", kind: "speakerEmbedding", languages: [] });
const english = need("Better English");

test("offers one model for each need with its reason, size and license", async () => {
  await openModels([
    builtIn,
    parakeet,
    others,
    segmentation,
    embedding,
    pair("en", "de"),
    pair("de", "en"),
    { ...voice, recommendedFor: ["en"] },
  ]);
  await expect
    .element(english)
    .toMatchTextContent(
      /^Better EnglishParakeet TDT 0.6B v2 gets 6.1% of the words wrong in a published test, the built-in model 12.7%\. ?Parakeet TDT 0.6B v2482.5 MB downloadMITInstall$/,
    );
  expect(titles()).toEqual([
    "Better English",
    "Other languages",
    "Speaker identification",
    "Translation into Spanish",
    "Natural voices",
  ]);
  await expect.element(need("Other languages")).toMatchTextContent("Whisper small recognizes French and German.");
  await expect
    .element(need("Speaker identification"))
    .toMatchTextContent("Two small models identify who spoke when, in any language.");
  await expect.element(need("Natural voices")).toMatchTextContent("Reads aloud in a voice that sounds human: English.");
  await expect.element(need("Translation into Spanish")).toMatchTextContent("No model for this need fits this machine.");
  await expect.element(need("Translation into Spanish").getByRole("button")).not.toBeInTheDocument();
});

test("shows which models meet a need, without a button", async () => {
  await openModels([
    builtIn,
    { ...parakeet, installed: here },
    { ...others, installed: here },
    { ...voice, installed: here },
    { ...segmentation, installed: here },
    { ...embedding, installed: here },
  ]);
  await expect.element(english).toMatchTextContent(/^Better EnglishParakeet TDT 0.6B v2 recognizes English\.Installed$/);
  await expect.element(need("Other languages")).toMatchTextContent("Recognized languages: French and German.Installed");
  await expect.element(need("Natural voices")).toMatchTextContent("Natural voices: English.Installed");
  await expect.element(need("Speaker identification")).toMatchTextContent(/Installed$/);
  await expect.element(needs.getByRole("button")).not.toBeInTheDocument();
});

test("installs all models of a need with one button, and focuses the need's title", async () => {
  const asked: unknown[] = [];
  const served = await openModels([builtIn, segmentation, embedding]);
  answer({
    "POST /admin/models/:id/install": ({ params }) => {
      asked.push(params.id);
      served.models = served.models.map((one) =>
        one.id === params.id ? { ...one, installation: installation({ state: "waiting", bytesDone: 0 }) } : one,
      );
      return installation({ state: "waiting", bytesDone: 0 });
    },
  });
  await need("Speaker identification").getByRole("button", { name: "Install: Speaker identification" }).click();
  await expect.poll(() => asked).toEqual(["segmentation", "embedding"]);
  await expect.element(need("Speaker identification").getByRole("heading", { name: "Speaker identification" })).toHaveFocus();
  await expect.poll(() => need("Speaker identification").getByRole("progressbar").elements()).toHaveLength(2);
  await expect
    .element(need("Speaker identification").getByRole("button", { name: "Install: Speaker identification" }))
    .not.toBeInTheDocument();
  await expect.element(need("Speaker identification").getByRole("button", { name: "Pause: Pyannote" })).toBeVisible();
});

test("installs only the missing models of a need", async () => {
  const asked: unknown[] = [];
  await openModels([builtIn, { ...segmentation, installed: here }, embedding]);
  answer({
    "POST /admin/models/:id/install": ({ params }) => {
      asked.push(params.id);
      return installation();
    },
  });
  await need("Speaker identification").getByRole("button", { name: "Install: Speaker identification" }).click();
  await expect.poll(() => asked).toEqual(["embedding"]);
});

test("offers translation into any language that the models know", async () => {
  await openModels([builtIn, pair("en", "de"), pair("de", "en"), pair("en", "fr"), pair("fr", "en")]);
  const target = needs.getByRole("combobox", { name: "Language" });
  await expect.element(target).toHaveValue("es");
  expect(target.element().textContent).toBe("FrenchGermanSpanish");
  await target.selectOptions("de");
  const german = need("Translation into German");
  await expect.element(german).toMatchTextContent("Two models translate between English and this language, in both directions.");
  await expect
    .element(german)
    .toMatchTextContent("English → German100 byte downloadMITGerman → English100 byte downloadMITInstall");
});

test("warns in the need about too little memory and about a restrictive license", async () => {
  await openModels([builtIn, { ...parakeet, lacks: ["memory"], licence: "CC-BY-NC-4.0", caveat: "nonCommercial" }]);
  await expect
    .element(english)
    .toMatchTextContent("Needs about 1 GB of memory. This machine has 8 GB, so the model would be slow or not start at all.");
  await expect.element(english).toMatchTextContent("License: CC-BY-NC-4.0. The license forbids commercial use.");
  await expect.element(english).not.toMatchTextContent("downloadCC-BY-NC-4.0");
});

test("leads a superuser from the choice of language to the need for other languages", async () => {
  answer({ "GET /admin/models": answerWith(builtIn, others) });
  await openPage("/file-upload-config", { as: "superuser" });
  await page.getByText(/^Why (is|are) \d+ languages? not available/).click();
  await page
    .getByText("Other languages need a model on this server.")
    .getByRole("link", { name: "Install models for more languages" })
    .click();
  await expect.element(needs.getByRole("heading", { name: "Other languages" })).toHaveFocus();
  await expect.element(need("Other languages")).toHaveAttribute("data-asked", "true");
  await expect.element(english).not.toHaveAttribute("data-asked");
});

test("shows the machine's facts and the mirror of its downloads", async () => {
  const machine = { cores: 4, memoryBytes: 8e9, freeMemoryBytes: 3.2e9, freeDiskBytes: 50e9 };
  await openModels([builtIn], { machine, mirror: "mirror.example" });
  const facts = page.getByRole("region", { name: "This machine" });
  await expect
    .element(facts)
    .toMatchTextContent(
      "This machine4 cores8 GB of memory, 3.2 GB free50 GB of disk space freeDownloads come from mirror.example (MODELS_MIRROR).",
    );
});

test('names no mirror when there is none, and says "core" for a single one', async () => {
  await openModels([builtIn], { machine: { cores: 1, memoryBytes: 8e9, freeMemoryBytes: 3.2e9, freeDiskBytes: 50e9 } });
  await expect.element(page.getByRole("region", { name: "This machine" })).toMatchTextContent(/1 core8 GB.*free$/);
});
