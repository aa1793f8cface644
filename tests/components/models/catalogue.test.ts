import { expect, test } from "vitest";
import { builtIn, group, here, item, model, openModels, pair, parakeet, voice } from "./harness-models.ts";

const catalogue = group("All models");
const count = catalogue.getByRole("status");
const names = () =>
  catalogue
    .getByRole("heading", { level: 3 })
    .elements()
    .map((heading) => heading.textContent);
const search = catalogue.getByRole("searchbox", { name: "Search" });
const whisper = model({ id: "whisper-small", name: "Whisper small", languages: ["de", "en", "fr"] });
const others = Array.from({ length: 11 }, (_, index) =>
  model({ id: `m${index}`, name: `Model ${index + 10}`, languages: ["is"] }),
);

test("lists a purpose's models, the recommended ones first, then by name", async () => {
  await openModels([whisper, builtIn, parakeet, voice]);
  await expect.element(count).toHaveTextContent("3 models");
  expect(names()).toEqual(["Parakeet TDT 0.6B v2", "Moonshine tiny", "Whisper small"]);
  const purposes = catalogue
    .getByRole("radio")
    .elements()
    .map((radio) => radio.closest("label")?.textContent);
  expect(purposes).toEqual(["Speech recognition", "Reading aloud"]);
  await catalogue.getByText("Reading aloud").click();
  await expect.poll(names).toEqual(["Lessac"]);
  await expect.element(count).toHaveTextContent("1 model");
  await expect.element(catalogue.getByRole("combobox")).not.toBeInTheDocument();
});

test("finds models by the words of their name, id and languages, and by language", async () => {
  await openModels([whisper, builtIn, parakeet]);
  for (const [typed, found] of [
    ["  PARAKEET 0.6b ", ["Parakeet TDT 0.6B v2"]],
    ["moonshine-tiny-en", ["Moonshine tiny"]],
    ["french small", ["Whisper small"]],
    ["french tiny", []],
  ] as const) {
    await search.fill(typed);
    await expect.poll(names).toEqual(found);
  }
  await expect.element(count).toHaveTextContent("No model matches this search.");
  await search.fill("");
  const language = catalogue.getByRole("combobox", { name: "Language" });
  expect(language.element().textContent).toBe("AnyEnglishFrenchGerman");
  await language.selectOptions("de");
  await expect.poll(names).toEqual(["Whisper small"]);
  await language.selectOptions("");
  await expect.element(count).toHaveTextContent("3 models");
});

test("shows ten models at first, and moves the focus to the eleventh when it shows all", async () => {
  await openModels([builtIn, ...others]);
  await expect.poll(names).toHaveLength(10);
  await expect.element(count).toHaveTextContent("12 models");
  await catalogue.getByRole("button", { name: "Show 2 more" }).click();
  await expect.poll(names).toHaveLength(12);
  await expect.element(item("All models", "Model 19").getByRole("heading")).toHaveFocus();
  await expect.element(catalogue.getByRole("button", { name: /^Show/ })).not.toBeInTheDocument();
  await search.fill("model");
  await expect.poll(names).toHaveLength(10);
  await expect.element(catalogue.getByRole("button", { name: "Show 1 more" })).toBeVisible();
});

test("lists no translation model before the user chooses a language", async () => {
  await openModels([builtIn, pair("en", "de"), pair("de", "en"), pair("en", "fr"), { ...pair("fr", "en"), installed: here }]);
  await catalogue.getByText("Translation").click();
  await expect.element(count).toHaveTextContent("4 models. Choose a language to see them.");
  expect(names()).toEqual([]);
  await expect.element(catalogue.getByRole("button", { name: /^Show/ })).not.toBeInTheDocument();
  const [from, into] = ["From", "Into"].map((name) => catalogue.getByRole("combobox", { name, exact: true }));
  await from?.selectOptions("en");
  await expect.poll(names).toEqual(["English → French", "English → German"]);
  await into?.selectOptions("de");
  await expect.poll(names).toEqual(["English → German"]);
  await from?.selectOptions("");
  await into?.selectOptions("en");
  await expect.poll(names).toEqual(["French → English", "German → English"]);
  await search.fill("german");
  await expect.poll(names).toEqual(["German → English"]);
  // Each purpose has its own choice of languages.
  await catalogue.getByText("Speech recognition").click();
  await catalogue.getByText("Translation").click();
  await expect.element(into ?? catalogue).toHaveValue("");
});

test("marks a model as recommended without naming languages when there are many", async () => {
  await openModels([
    builtIn,
    { ...whisper, recommendedFor: ["de", "fr", "es", "it"] },
    model({ id: "three", name: "Three", languages: ["de", "fr", "es"], recommendedFor: ["de", "fr", "es"] }),
  ]);
  await expect.element(item("All models", "Whisper small").getByText("Recommended", { exact: true })).toBeVisible();
  await expect.element(item("All models", "Three").getByText("Recommended for German, French, and Spanish")).toBeVisible();
});
