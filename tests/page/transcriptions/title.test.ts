import { describe, expect, test } from "vitest";
import { contentStart, fileTitle, titleByDate, titleOf, titleOfWords } from "#contract/index.ts";

describe("title made of words", () => {
  test.each([
    ["en", "Um, so, okay, hello everyone, today we talk about the budget", "Today we talk about the budget"],
    ["en", "so today we talk about the budget", "Today we talk about the budget"],
    ["en", "Good morning, this is the weekly meeting. We begin with the budget.", "This is the weekly meeting"],
    ["en", "Well, you know, can you hear me now? I think so.", "Can you hear me now?"],
    ["de-DE", "Ähm, also guten Morgen zusammen, wir beginnen mit dem Haushalt.", "Wir beginnen mit dem Haushalt"],
    ["de-DE", "Um acht Uhr beginnt der Unterricht.", "Um acht Uhr beginnt der Unterricht"],
    ["es-ES", "Eh, bueno, hola a todos, ¿empezamos con el presupuesto?", "¿Empezamos con el presupuesto?"],
    ["fr-FR", "Euh, alors bonjour à tous et à toutes, on commence par le budget.", "On commence par le budget"],
    ["pt-br", "Então, bom dia pessoal, um novo projeto começa hoje.", "Um novo projeto começa hoje"],
    ["nl-NL", "Eh, nou, goedemorgen allemaal, we beginnen met de begroting.", "We beginnen met de begroting"],
    ["da", "Øh, altså, godmorgen alle sammen, vi begynder med budgettet.", "Vi begynder med budgettet"],
    ["it-IT", "Allora, buongiorno a tutti, cominciamo dal bilancio.", "Cominciamo dal bilancio"],
    ["sv-SE", "Hej alla, vi börjar med budgeten.", "Vi börjar med budgeten"],
    ["no-NO", "Hei alle sammen, vi begynner med budsjettet.", "Vi begynner med budsjettet"],
    ["fi-FI", "No niin, hyvää huomenta kaikille, aloitetaan budjetista nyt.", "Aloitetaan budjetista nyt"],
    // The language is unknown, and "um" is a word in some languages.
    ["auto", "Ähm, um, so it is", "Um, so it is"],
  ])("a title in the language %s is made of the words %j: %j", (language, text, title) => {
    expect(titleOfWords(text, language)).toBe(title);
  });

  test.each([
    // These words are no fillers here.
    ["So far we have talked about nothing", "So far we have talked about nothing"],
    ["Well water is not always clean", "Well water is not always clean"],
    ["You know what happened in Rome", "You know what happened in Rome"],
    ["Welcome to the harbour, said the man", "Welcome to the harbour, said the man"],
    // At most a single word would be left.
    ["Hello Anna", "Hello Anna"],
    ["Okay. Okay.", "Okay. Okay"],
    ["Um, uh, hmm.", ""],
    ["Um, okay.", "Okay"],
    ["", ""],
    // The title does not end at an abbreviation, at a number, or after too few words.
    ["Yes. We met Dr. Smith in the station. He left.", "We met Dr. Smith in the station"],
    ["We sold 3. Then it rained all night long. Goodbye.", "We sold 3. Then it rained all night long"],
  ])("a title is made of the words %j: %j", (text, title) => {
    expect(titleOfWords(text, "en")).toBe(title);
  });

  test("a dictation's title ends at a clause or after eight words", () => {
    const clause = "We will begin with the budget, and then talk about the people who are leaving us.";
    expect(titleOfWords(clause, "en")).toBe("We will begin with the budget…");
    const words = "We will begin with the budget and then talk about the people who are leaving us.";
    expect(titleOfWords(words, "en")).toBe("We will begin with the budget and then…");
    expect(titleOfWords("これは市場です。".repeat(3), "ja")).toBe("これは市場です。これは市場です");
  });

  test("the title made of words is found again in its text, quickly even in a very long one", () => {
    expect(contentStart("Um, hello, the budget is short", "en")).toBe(11);
    expect(titleOfWords("um, ".repeat(100_000), "en")).toBe("");
    expect(titleOfWords("so ".repeat(100_000), "en").length).toBeLessThanOrEqual(60);
  });
});

describe("transcription's title", () => {
  const date = "2026-03-01T10:00:00.000Z";
  const of = (title: string, text = "Um, the budget is short.") => ({ title, text, sourceLanguage: "en", date });

  test("the transcription's title is the typed one, else the first words, or empty", () => {
    expect(titleByDate(Date.parse(date))).toBe("2026-03-01 10:00");
    for (const typed of ["um, so", "Budget", "2026-03-01 11:00"]) expect(titleOf(of(typed))).toBe(typed);
    expect([titleOf(of("")), titleOf(of("2026-03-01 10:00"))]).toEqual(["The budget is short", "The budget is short"]);
    expect(titleOf(of("2026-03-01 10:00", "Um."))).toBe("");
    // A server that sends no date.
    expect(titleOf({ ...of("2026-03-01 10:00"), date: "" })).toBe("2026-03-01 10:00");
  });

  test("names its file, with the day if the title was made of words", () => {
    expect(fileTitle(of("Budget"), "Budget", "2026-03-01")).toBe("Budget");
    expect(fileTitle(of(""), "The budget is short", "2026-03-01")).toBe("2026-03-01 The budget is short");
    expect(fileTitle(of(""), "The budget is short", "")).toBe("The budget is short");
    expect(fileTitle(of("", ""), "Dictated, 1 Mar 2026, 10:00", "2026-03-01")).toBe("Dictated, 1 Mar 2026, 10:00");
  });
});
