import { describe, expect, test } from "vitest";
import { builtInLanguages } from "#contract/built-in-languages.ts";
import { createCall, createPlainSend } from "#src/api/http.ts";
import { acceptLanguages, languagePaths } from "#src/api/languages.ts";
import { createLanguageList } from "#src/features/engines/languages.ts";

const welsh = { code: "cy", name: "Welsh", nativeName: "Cymraeg" };
const maori = { code: "mi", name: "Maori", nativeName: "Te reo Māori" };

/** Scripts that combine several Unicode scripts or have another name there. */
const writtenIn = new Map([
  ["Jpan", "[\\p{sc=Han}\\p{sc=Hira}\\p{sc=Kana}]"],
  ["Kore", "\\p{sc=Hang}"],
  ["Hans", "\\p{sc=Han}"],
  ["Hant", "\\p{sc=Han}"],
]);

/** An API that gives these answers, fails on other paths, and records the paths. */
function scripted(answers: Record<string, () => Response | Promise<Response>>) {
  const asked: string[] = [];
  const ask = async (url: string | URL | Request) => {
    const path = new URL(String(url)).pathname;
    asked.push(path);
    const answer = answers[path];
    if (answer === undefined) throw new TypeError("Failed to fetch");
    return answer();
  };
  return { asked, languageList: createLanguageList(createCall(createPlainSend("http://api", ask))) };
}

describe("built-in list of languages", () => {
  // SPEC 3: "About 110 languages are built in, from English through Zulu"
  test("goes from English to Zulu, sorted, each code once, with zh and zh-TW", () => {
    expect(builtInLanguages.length).toBeGreaterThanOrEqual(105);
    expect(builtInLanguages.at(0)).toEqual({ code: "en", name: "English", nativeName: "English" });
    expect(builtInLanguages.at(-1)).toEqual({ code: "zu", name: "Zulu", nativeName: "isiZulu" });
    const names = builtInLanguages.slice(1).map(({ name }) => name);
    expect(names).toEqual(names.toSorted((one, other) => one.localeCompare(other, "en")));
    const codes = builtInLanguages.map(({ code }) => code);
    expect(new Set(codes).size).toBe(codes.length);
    expect(codes).toEqual(expect.arrayContaining(["zh", "zh-TW"]));
  });

  // SPEC 3: "Language: code, name, nativeName."
  test.each(builtInLanguages)("the list of languages has $code: $nativeName in its own script", ({ code, nativeName }) => {
    expect(Intl.getCanonicalLocales(code)).toHaveLength(1);
    expect(new Intl.DisplayNames(["en"], { type: "language", fallback: "none" }).of(code)).toBeTypeOf("string");
    const script = new Intl.Locale(code).maximize().script ?? "";
    const letter = writtenIn.get(script) ?? `\\p{sc=${script}}`;
    expect(nativeName).toMatch(new RegExp(`^(?:${letter}|[\\p{Mn}\\p{Lm} ])+$`, "u"));
  });
});

describe("answer of the /languages calls", () => {
  // SPEC 7 Languages and health: "It accepts an array, or a list under languages, data or supportedLanguages"
  test.each([
    ["array", [welsh, maori]],
    ["languages", { languages: [welsh, maori], groups: [] }],
    ["data", { data: [welsh, maori] }],
    ["supportedLanguages", { supportedLanguages: [welsh, maori] }],
  ])("the answer of the /languages calls is accepted as %s", (shape, answer) => {
    expect(acceptLanguages(answer)).toEqual({ shape, languages: [welsh, maori], leftOut: 0 });
  });

  // SPEC 7 Languages and health: "It accepts an array, or a list under languages, data or supportedLanguages"
  test("the list of languages drops invalid and repeated entries", () => {
    const broken = [null, "cy", {}, { code: "cy" }, { ...maori, code: " " }, { ...maori, name: "" }, { ...maori, nativeName: 3 }];
    const answer = [...broken, { ...welsh, flag: "🏴" }, { ...welsh, name: "Again" }, maori];
    expect(acceptLanguages(answer)).toEqual({ shape: "array", languages: [welsh, maori], leftOut: 8 });
  });

  test("the answer of the /languages calls is taken from the first field with entries", () => {
    expect(acceptLanguages({ languages: [], data: [welsh] })).toEqual({ shape: "data", languages: [welsh], leftOut: 0 });
  });

  test.each([[[]], [{}], [{ languages: [] }], [{ languages: { cy: "Welsh" } }], [{ list: [welsh] }], [null], ["cy"], [[["cy"]]]])(
    "the list of languages rejects %j",
    (answer) => {
      expect(acceptLanguages(answer)).toBeNull();
    },
  );
});

describe("list of languages", () => {
  test("the list of languages comes from the first call if it works, once", async () => {
    const { asked, languageList } = scripted({ "/languages/codes": () => Response.json([welsh]) });
    expect(await Promise.all([languageList(), languageList()])).toEqual([[welsh], [welsh]]);
    expect(await languageList()).toEqual([welsh]);
    expect(asked).toEqual(["/languages/codes"]);
  });

  // SPEC 7 Languages and health: "The product tries GET /languages/codes, /languages/supported"
  test("the list of languages comes from the first working call in the specification's order", async () => {
    const { asked, languageList } = scripted({
      "/languages/codes": () => Response.json({ message: "No." }, { status: 404 }),
      "/languages/supported": () => new Response("<h1>Welcome</h1>"),
      "/languages/grouped": () => Response.json({ languages: [] }),
      "/languages": () => Response.json({ data: [maori] }),
    });
    expect(await languageList()).toEqual([maori]);
    expect(asked).toEqual([...languagePaths]);
    expect(languagePaths).toEqual(["/languages/codes", "/languages/supported", "/languages/grouped", "/languages"]);
  });

  // SPEC 7 Languages and health: "If none works, the built-in list is used."
  test("the list of languages falls back to the built-in one", async () => {
    const { asked, languageList } = scripted({});
    expect(await languageList()).toBe(builtInLanguages);
    expect(await languageList()).toBe(builtInLanguages);
    expect(asked).toEqual([...languagePaths]);
  });

  test("one caller's abort leaves the shared languages request running", async () => {
    const answer = Promise.withResolvers<Response>();
    const { asked, languageList } = scripted({ "/languages/codes": () => answer.promise });
    const impatient = new AbortController();
    const [gone, patient] = [languageList(impatient.signal), languageList(new AbortController().signal)];
    impatient.abort(new DOMException("left", "AbortError"));
    await expect(gone).rejects.toMatchObject({ name: "AbortError" });
    await expect(languageList(impatient.signal)).rejects.toMatchObject({ name: "AbortError" });
    answer.resolve(Response.json([welsh]));
    expect(await patient).toEqual([welsh]);
    expect(asked).toHaveLength(1);
  });
});
