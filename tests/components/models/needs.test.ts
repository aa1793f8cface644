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

test("offers one model for each need, with its reason, size and licence", async () => {
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
  expect(titles()).toEqual(["Better English", "The other languages", "Who spoke", "Translation into Spanish", "Natural voices"]);
  await expect.element(need("The other languages")).toMatchTextContent("Whisper small recognizes French and German.");
  await expect.element(need("Who spoke")).toMatchTextContent("Two small models find out who spoke when, in any language.");
  await expect.element(need("Natural voices")).toMatchTextContent("Reads aloud in a voice that sounds like a person’s: English.");
  await expect.element(need("Translation into Spanish")).toMatchTextContent("Nothing for this fits this machine.");
  await expect.element(need("Translation into Spanish").getByRole("button")).not.toBeInTheDocument();
});

test("says what meets a need, without a button", async () => {
  await openModels([
    builtIn,
    { ...parakeet, installed: here },
    { ...others, installed: here },
    { ...voice, installed: here },
    { ...segmentation, installed: here },
    { ...embedding, installed: here },
  ]);
  await expect.element(english).toMatchTextContent(/^Better EnglishEnglish is recognized with Parakeet TDT 0.6B v2\.Installed$/);
  await expect.element(need("The other languages")).toMatchTextContent("Recognized here: French and German.Installed");
  await expect.element(need("Natural voices")).toMatchTextContent("Natural voices read aloud: English.Installed");
  await expect.element(need("Who spoke")).toMatchTextContent(/Installed$/);
  await expect.element(needs.getByRole("button")).not.toBeInTheDocument();
});

test("installs all models of a need with one button, and the title takes the focus", async () => {
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
  await need("Who spoke").getByRole("button", { name: "Install: Who spoke" }).click();
  await expect.poll(() => asked).toEqual(["segmentation", "embedding"]);
  await expect.element(need("Who spoke").getByRole("heading", { name: "Who spoke" })).toHaveFocus();
  await expect.poll(() => need("Who spoke").getByRole("progressbar").elements()).toHaveLength(2);
  await expect.element(need("Who spoke").getByRole("button", { name: "Install: Who spoke" })).not.toBeInTheDocument();
  await expect.element(need("Who spoke").getByRole("button", { name: "Pause: Pyannote" })).toBeVisible();
});

test("installs only what a need lacks", async () => {
  const asked: unknown[] = [];
  await openModels([builtIn, { ...segmentation, installed: here }, embedding]);
  answer({
    "POST /admin/models/:id/install": ({ params }) => {
      asked.push(params.id);
      return installation();
    },
  });
  await need("Who spoke").getByRole("button", { name: "Install: Who spoke" }).click();
  await expect.poll(() => asked).toEqual(["embedding"]);
});

test("translates into the language that is chosen, of those that models know", async () => {
  await openModels([builtIn, pair("en", "de"), pair("de", "en"), pair("en", "fr"), pair("fr", "en")]);
  const target = needs.getByRole("combobox", { name: "Language" });
  await expect.element(target).toHaveValue("es");
  expect(target.element().textContent).toBe("FrenchGermanSpanish");
  await target.selectOptions("de");
  const german = need("Translation into German");
  await expect.element(german).toMatchTextContent("Two models translate between English and this language, both ways.");
  await expect
    .element(german)
    .toMatchTextContent("English → German100 byte downloadMITGerman → English100 byte downloadMITInstall");
});

test("warns in the need of what the machine lacks, and of a licence", async () => {
  await openModels([builtIn, { ...parakeet, lacks: ["memory"], licence: "CC-BY-NC-4.0", caveat: "nonCommercial" }]);
  await expect
    .element(english)
    .toMatchTextContent("Needs about 1 GB of memory. This machine has 8 GB: it would be slow, or not start at all.");
  await expect.element(english).toMatchTextContent("Licence: CC-BY-NC-4.0. Its licence forbids commercial use.");
  await expect.element(english).not.toMatchTextContent("downloadCC-BY-NC-4.0");
});

test("a superuser gets from the choice of language to the need for other languages, which takes the focus", async () => {
  answer({ "GET /admin/models": answerWith(builtIn, others) });
  await openPage("/file-upload-config", { as: "superuser" });
  await page.getByText(/^Why (is|are) \d+ languages? not available/).click();
  await page
    .getByText("For other languages this server needs a model.")
    .getByRole("link", { name: "Install models for more languages" })
    .click();
  await expect.element(needs.getByRole("heading", { name: "The other languages" })).toHaveFocus();
  await expect.element(need("The other languages")).toHaveAttribute("data-asked", "true");
  await expect.element(english).not.toHaveAttribute("data-asked");
});

test("tells about the machine, and where downloads come from", async () => {
  const machine = { cores: 4, memoryBytes: 8e9, freeMemoryBytes: 3.2e9, freeDiskBytes: 50e9 };
  await openModels([builtIn], { machine, mirror: "mirror.example" });
  const facts = page.getByRole("region", { name: "This machine" });
  await expect
    .element(facts)
    .toMatchTextContent(
      "This machine4 cores8 GB of memory, 3.2 GB free50 GB free on the diskDownloads come from mirror.example (MODELS_MIRROR).",
    );
});

test("names no mirror when there is none, and counts a single core", async () => {
  await openModels([builtIn], { machine: { cores: 1, memoryBytes: 8e9, freeMemoryBytes: 3.2e9, freeDiskBytes: 50e9 } });
  await expect.element(page.getByRole("region", { name: "This machine" })).toMatchTextContent(/1 core8 GB.*on the disk$/);
});
