import { expect, test } from "vitest";
import type { ModelChoices, ModelOptions, ModelsAnswer } from "#contract/index.ts";
import { answer, refusal } from "#tests/components/harness.ts";
import { answerWith, builtIn, group, openModels } from "./harness-models.ts";

const which = group("Which model for what");
const none: ModelChoices = { live: {}, files: {}, translation: {}, voices: {} };
const moonshine = { id: "moonshine-tiny-en", name: "Moonshine tiny", keepsUp: true };
const whisper = { id: "whisper", name: "Whisper", keepsUp: false };
const hears = (language: string): ModelOptions => ({
  language,
  candidates: [moonshine, whisper],
  live: "moonshine-tiny-en",
  files: "whisper",
});
const order = which.getByRole("region", { name: "Translation" });
const engines = () =>
  order
    .getByRole("listitem")
    .elements()
    .map((line) => line.textContent);
const bergamot = { id: "bergamot", name: "Bergamot" };
const apertium = { id: "apertium", name: "Apertium" };
const both = { source: "en", target: "es", engines: [bergamot, apertium] };

/**
 * Opens the page and stores the choices.
 * @returns the saved choices, the newest last
 */
async function open(parts: Partial<ModelsAnswer>): Promise<ModelChoices[]> {
  const saved: ModelChoices[] = [];
  const served = await openModels([builtIn], parts);
  answer({
    "PUT /admin/models/choices": async ({ request }) => {
      const choices: ModelChoices = await request.json();
      saved.push(choices);
      served.choices = choices;
      return choices;
    },
  });
  return saved;
}

test("offers a model for each language and use, saves the choice at once, and clears it", async () => {
  const saved = await open({ speech: [hears("en"), { ...hears("de-DE"), candidates: [whisper] }] });
  const live = which.getByLabelText("English: while you speak");
  const files = which.getByLabelText("English: for files");
  await expect.element(live).toHaveValue("");
  expect(live.element().textContent).toBe(
    "Automatic (Moonshine tiny)Moonshine tinyWhisper – too slow for live speech on this machine",
  );
  expect(files.element().textContent).toBe("Automatic (Whisper)Moonshine tinyWhisper");
  await expect.element(which).not.toMatchTextContent("German");
  await live.selectOptions("whisper");
  await expect.element(which.getByText("Saved", { exact: true })).toBeVisible();
  await files.selectOptions("moonshine-tiny-en");
  await expect.poll(() => saved).toHaveLength(2);
  await expect.element(live).toMatchTextContent(/^AutomaticMoonshine/);
  await live.selectOptions("");
  await expect
    .poll(() => saved)
    .toEqual([
      { ...none, live: { en: "whisper" } },
      { ...none, live: { en: "whisper" }, files: { en: "moonshine-tiny-en" } },
      { ...none, files: { en: "moonshine-tiny-en" } },
    ]);
});

test("changes only its own choice when another superuser has saved meanwhile", async () => {
  const saved = await open({ speech: [hears("en")] });
  await expect.element(which).toBeVisible();
  const choices: ModelChoices = { ...none, voices: { en: "espeak" } };
  answer({ "GET /admin/models": { ...answerWith(builtIn), speech: [hears("en")], choices } });
  await which.getByLabelText("English: for files").selectOptions("whisper");
  await expect.poll(() => saved).toEqual([{ ...choices, files: { en: "whisper" } }]);
});

test("folds away all languages but English when there are more than six", async () => {
  await open({ speech: ["de-DE", "en", "es-ES", "fr-FR", "it-IT", "nl-NL", "pl-PL"].map(hears) });
  await expect.element(which.getByLabelText("English: for files")).toBeVisible();
  const german = which.getByLabelText("German (Germany): for files");
  await expect.element(german).not.toBeVisible();
  await which.getByText("6 more languages").click();
  await expect.element(german).toBeVisible();
});

test("shows six languages without folding any away", async () => {
  await open({ speech: ["de-DE", "en", "es-ES", "fr-FR", "it-IT", "nl-NL"].map(hears) });
  await expect.element(which.getByLabelText("German (Germany): for files")).toBeVisible();
  await expect.element(which.getByText(/more language/)).not.toBeInTheDocument();
});

test("moves a pair's engines earlier and later, and resets them to automatic", async () => {
  const three = { source: "en", target: "de", engines: [bergamot, apertium, { id: "llm", name: "LLM" }] };
  const one = { source: "de", target: "fr", engines: [apertium] };
  const saved = await open({ translation: [both, three, one], choices: { ...none, translation: { "en>de": ["llm"] } } });
  const pairs = order.getByLabelText("Languages");
  await expect.poll(engines).toEqual(["Bergamot", "Apertium"]);
  expect(pairs.element().textContent).toBe("English → SpanishEnglish → German");
  await expect.element(order.getByRole("button", { name: "Move Bergamot up" })).toBeDisabled();
  await expect.element(order.getByRole("button", { name: "Move Apertium down" })).toBeDisabled();
  await expect.element(order.getByRole("button", { name: "Reset to automatic" })).not.toBeInTheDocument();
  await order.getByRole("button", { name: "Move Apertium up" }).click();
  await expect.poll(engines).toEqual(["Apertium", "Bergamot"]);
  await expect.element(order.getByRole("heading", { name: "Translation" })).toHaveFocus();
  await expect.poll(() => saved.at(-1)?.translation).toEqual({ "en>de": ["llm"], "en>es": ["apertium", "bergamot"] });
  await order.getByRole("button", { name: "Reset to automatic" }).click();
  await expect.poll(engines).toEqual(["Bergamot", "Apertium"]);
  await expect.poll(() => saved.at(-1)?.translation).toEqual({ "en>de": ["llm"] });
  await pairs.selectOptions("en>de");
  await expect.poll(engines).toEqual(["LLM", "Bergamot", "Apertium"]);
  await order.getByRole("button", { name: "Move LLM down" }).click();
  await expect.poll(engines).toEqual(["Bergamot", "LLM", "Apertium"]);
  await expect.poll(() => saved.at(-1)?.translation).toEqual({ "en>de": ["bergamot", "llm", "apertium"] });
});

test("offers a choice of voices only for a language with more than one", async () => {
  const voices = [
    {
      language: "en",
      candidates: [
        { id: "lessac", name: "Lessac" },
        { id: "espeak", name: "eSpeak NG" },
      ],
      chosen: "lessac",
    },
    { language: "de", candidates: [{ id: "espeak", name: "eSpeak NG" }], chosen: "espeak" },
  ];
  const saved = await open({ voices });
  const region = which.getByRole("region", { name: "Reading aloud" });
  await expect.element(region.getByRole("combobox")).toHaveTextContent("AutomaticLessaceSpeak NG");
  await region.getByLabelText("English").selectOptions("espeak");
  await expect.poll(() => saved).toEqual([{ ...none, voices: { en: "espeak" } }]);
});

test("offers no choices when each use has only one model", async () => {
  await open({
    speech: [{ ...hears("en"), candidates: [moonshine] }],
    translation: [{ source: "en", target: "es", engines: [apertium] }],
    voices: [{ language: "en", candidates: [{ id: "espeak", name: "eSpeak NG" }], chosen: null }],
  });
  await expect.element(group("All models")).toBeVisible();
  await expect.element(which).not.toBeInTheDocument();
});

test("keeps a choice that could not be saved, and retries or discards it", async () => {
  const saved = await open({ speech: [hears("en")] });
  const live = which.getByLabelText("English: while you speak");
  answer({ "PUT /admin/models/choices": refusal(500, "internal") });
  await live.selectOptions("whisper");
  await expect.element(which.getByText("Couldn’t save this choice.")).toBeVisible();
  await expect.element(live).toHaveValue("whisper");
  answer({ "PUT /admin/models/choices": refusal(400, "badRequest") });
  await which.getByRole("button", { name: "Try again" }).click();
  await expect.element(which.getByText("The model is no longer installed, or doesn’t support this language.")).toBeVisible();
  await which.getByRole("button", { name: "Undo" }).click();
  await expect.element(live).toHaveValue("");
  await expect.element(which.getByText("Couldn’t save this choice.")).not.toBeInTheDocument();
  expect(saved).toEqual([]);
});

test("shows that it saves, and saves a choice that was made meanwhile", async () => {
  const held = Promise.withResolvers<void>();
  const saved: ModelChoices[] = [];
  await openModels([builtIn], { speech: [hears("en")] });
  answer({
    "PUT /admin/models/choices": async ({ request }) => {
      const choices: ModelChoices = await request.json();
      saved.push(choices);
      await held.promise;
      return choices;
    },
  });
  await which.getByLabelText("English: while you speak").selectOptions("whisper");
  await expect.element(which.getByText("Saving…")).toBeVisible();
  await which.getByLabelText("English: for files").selectOptions("whisper");
  held.resolve();
  await expect.element(which.getByText("Saved", { exact: true })).toBeVisible();
  expect(saved.map(({ live, files }) => [live, files])).toEqual([
    [{ en: "whisper" }, {}],
    [{}, { en: "whisper" }],
  ]);
});
