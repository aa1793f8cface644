import { describe, expect, it, test } from "vitest";
import { withCapitalsOf } from "#server/translation/tidy.ts";
import { scriptedTranslation } from "#tests/server/jobs/scripted.ts";
import { withTidyBlanks } from "#translation/tidy-blanks.ts";

describe("blanks in a translation", () => {
  it.each([
    ["Hola , mundo .", "es", "Hola, mundo."],
    ["This sends . What said : here ; there ?", "en", "This sends. What said: here; there?"],
    ["Oui , merci . Vraiment ? Non ! Voici : ceci ; cela .", "fr-FR", "Oui, merci. Vraiment ? Non ! Voici : ceci ; cela."],
    ["El  zorro   salta", "es", "El zorro salta"],
    ["uno ... dos .5 .NET 10 . 30", "es", "uno... dos .5 .NET 10. 30"],
    ["uno\n  dos , tres\n\n", "es", "uno\n  dos, tres\n\n"],
    ["   ", "es", "   "],
  ])("tidies blanks: %j in %s becomes %j", (given, language, expected) => expect(withTidyBlanks(given, language)).toBe(expected));

  it("tidies the blanks of a translation from any engine", async () => {
    const translation = scriptedTranslation(async () => ["Hola , mundo ."]);
    expect(await translation.translate(["x"], { source: "en", target: "es", person: "ann" })).toEqual(["Hola, mundo."]);
  });
});

// Translations as Apertium returns them.
test.each([
  ["Good morning everyone", "Buenos días Todo el mundo", "Buenos días todo el mundo"],
  ["Fetching the recording", "Fetching El registro", "Fetching el registro"],
  ["Silence costs no minutes", "El silencio No cuesta ningún minuto", "El silencio no cuesta ningún minuto"],
  ["it was late. it was cold", "era tarde. Era frío", "era tarde. era frío"],
  ["I like it. I don't, though.", "Me gusta. no, aun así.", "Me gusta. No, aun así."],
  ["Premium ha terminado.", "Premium Has ended up.", "Premium has ended up."],
  // Names, and words that English capitalizes.
  ["John Smith is in London on Monday", "John Herrero es en Londres el lunes", "John Herrero es en Londres el lunes"],
  ["La Haya y Los Ángeles", "The Hague and Los Angeles", "The Hague and Los Angeles"],
  ["Hablo inglés los lunes", "I speak English the Mondays", "I speak English the Mondays"],
  ["Peter's house in The Hague", "La casa de Pedro en La Haya", "La casa de Pedro en La Haya"],
])("restores capitals: for %j, %j becomes %j", (line, translated, expected) =>
  expect(withCapitalsOf(line, translated)).toBe(expected),
);
