import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { errorCodes } from "#contract/error.ts";
import { interfaceLanguages } from "#contract/interface-languages.ts";

const root = join(import.meta.dirname, "../../..");
const namespaces = readdirSync(join(root, "public/locales/en")).map((file) => file.replace(/\.json$/, ""));

type Tree = { [key: string]: string | Tree };
const Tree: v.GenericSchema<Tree> = v.record(v.string(), v.union([v.string(), v.lazy(() => Tree)]));

/** The texts of one file by dotted key, in the file's order. */
function textsOf(language: string, namespace: string): Map<string, string> {
  const flat = (tree: Tree, prefix: string): [string, string][] =>
    Object.entries(tree).flatMap(([key, value]): [string, string][] =>
      typeof value === "string" ? [[prefix + key, value]] : flat(value, `${prefix}${key}.`),
    );
  const file = readFileSync(join(root, "public/locales", language, `${namespace}.json`), "utf8");
  return new Map(flat(v.parse(Tree, JSON.parse(file)), ""));
}

const english = (namespace: string): Map<string, string> => textsIn.get(namespace) ?? new Map();
const textsIn = new Map(namespaces.map((namespace) => [namespace, textsOf("en", namespace)]));

const withoutPlural = (key: string) => key.replace(/_(zero|one|two|few|many|other)$/, "");
const isPlural = (texts: Map<string, string>, key: string) => texts.has(`${key}_other`);

/** The English keys, in English order, with the plural forms that the language needs. */
function expectedKeys(language: string, texts: Map<string, string>): string[] {
  const needed = new Set<string>(new Intl.PluralRules(language).resolvedOptions().pluralCategories);
  const forms = ["zero", "one", "two", "few", "many", "other"].filter((form) => needed.has(form));
  return [...new Set([...texts.keys()].map(withoutPlural))].flatMap((key) =>
    isPlural(texts, key) ? forms.map((form) => `${key}_${form}`) : [key],
  );
}

const englishFor = (namespace: string, key: string) =>
  english(namespace).get(key) ?? english(namespace).get(`${withoutPlural(key)}_other`) ?? "";

/** Includes the closing tags of elements that a component puts around words. */
const placeholder = /\{\{.*?\}\}|<\/\w+>/g;
const placeholdersOf = (text: string) => (text.match(placeholder) ?? []).sort();
const wordsOf = (text: string) => text.replace(placeholder, " ").match(/\p{L}+/gu) ?? [];

// SPEC 1: "The interface is available in 7 languages."
// SPEC 3: "Interface languages (7)"
it("public/locales has one folder per interface language", () => {
  expect(interfaceLanguages.map(({ code }) => code)).toEqual(["en", "de", "es", "fr", "pt-BR", "nl", "da"]);
  const folders = readdirSync(join(root, "public/locales"));
  expect(folders.sort()).toEqual(interfaceLanguages.map(({ code }) => code).sort());
});

describe.each(interfaceLanguages.map(({ code }) => code))("texts in %s", (language) => {
  describe.each(namespaces)("namespace %s", (namespace) => {
    const texts = textsOf(language, namespace);

    it("has the keys of English and the plural forms of its language", () => {
      expect([...texts.keys()]).toEqual(expectedKeys(language, english(namespace)));
    });

    it("has English's placeholders in every text, and no empty text", () => {
      const wrong = [...texts].filter(
        ([key, text]) => text.trim() === "" || placeholdersOf(text).join() !== placeholdersOf(englishFor(namespace, key)).join(),
      );
      expect(wrong).toEqual([]);
    });

    it.skipIf(language === "en")("no sentence is left in English", () => {
      const left = [...texts].filter(([key, text]) => wordsOf(text).length > 3 && text === englishFor(namespace, key));
      expect(left).toEqual([]);
    });

    it("uses typographic quotation marks, and no-break spaces in French", () => {
      const wrong = [...texts.values()].filter((text) => text.includes('"') || (language === "fr" && / [:;!?»]|« /.test(text)));
      expect(wrong).toEqual([]);
    });
  });
});

it("each locale has a sentence for every error code", () => {
  expect(errorCodes.filter((code) => !english("translation").has(`errors.${code}`))).toEqual([]);
});

describe("locale keys in the source code", () => {
  const sources = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));

  /** The argument of `t(…)` and `i18n.t(…)` up to the first comma or bracket. */
  const calls = /\bt\(\s*([^(),]+(?:\([^()]*\)[^(),]*)*)/g;
  /** The values of `key:`, `titleKey:`, `keyWithStatus:` and the like, but not of React's `key={…}`. */
  const properties = /\b(?:key|\w+Key|key[A-Z]\w*):\s*((?:\{[^}]*\}|[^,;{}\n])+)|\b\w+Key=("[^"]*")/g;
  const dotted = /"((?:\w+:)?[a-z]\w*(?:\.\w+)+)"/g;
  const sole = /^"([\w:]+)"$/;
  const template = /`((?:\w+:)?\w+\.[^`]*)`/g;

  const escaped = (text: string) => text.replaceAll(".", "\\.");
  const firstGroups = (matches: Iterable<RegExpMatchArray>) => [...matches].map((match) => (match[1] ?? match[2] ?? "").trim());

  /** Patterns for the keys in one file; a template's `${…}` matches any one part of a key. */
  function patternsOf(source: string): string[] {
    const called = firstGroups(source.matchAll(calls));
    return [
      ...called.flatMap((text) => sole.exec(text)?.[1] ?? []),
      ...[...called, ...firstGroups(source.matchAll(properties))].flatMap((text) => [
        ...firstGroups(text.matchAll(dotted)).map(escaped),
        ...firstGroups(text.matchAll(template)).map((inside) =>
          inside
            .split(/\$\{[^}]*\}/)
            .map(escaped)
            .join("[\\w-]+"),
        ),
      ]),
    ];
  }

  /** Whether a namespace that the file uses has the key: its own first, then `translation` (i18next's fallbackNS). */
  function exists(pattern: string, source: string): boolean {
    const [, named, rest = pattern] = /^(\w+):(.*)$/.exec(pattern) ?? [];
    const sees = (namespace: string) =>
      named === namespace ||
      (named === undefined &&
        [`useTranslation("${namespace}")`, `TFunction<"${namespace}">`].some((hook) => source.includes(hook)));
    const own = namespaces.filter(sees).flatMap((namespace) => [...english(namespace).keys()]);
    const keys = [...english("translation").keys(), ...own];
    return keys.some((key) => new RegExp(`^${rest}$`).test(withoutPlural(key)));
  }

  it("locale keys in the source code are found if literal, chosen or composed", () => {
    const source = `
      t("loading"); t(
        name ? "nav.menu" : "nav.label", { name });
      t(\`errors.\${error.code ?? "internal"}\`);
      const item = { key: "app:speech.stop", to: 1 };
      <Row key="none" titleKey="titles.signIn" onClick={() => actor.send({ type: "stop.requested" })} />`;
    const keys = ["loading", "nav\\.menu", "nav\\.label", "errors\\.[\\w-]+", "app:speech\\.stop", "titles\\.signIn"];
    expect(patternsOf(source)).toEqual(keys);
    expect(keys.filter((key) => !exists(key, source))).toEqual([]);
    expect(exists("speech\\.stop", source)).toBe(false);
    expect(exists("speech\\.stop", 'useTranslation("app")')).toBe(true);
    expect(exists("speech\\.stop", 't: TFunction<"app">;')).toBe(true);
    expect(exists("nav\\.nothing", source)).toBe(false);
  });

  it.each(sources)("locale keys in the source code exist for src/%s", (path) => {
    const source = readFileSync(join(root, "src", path), "utf8");
    expect(patternsOf(source).filter((pattern) => !exists(pattern, source))).toEqual([]);
  });
});

/** English texts that SPEC.md quotes, with their section. */
const quoted = [
  ["2", "nav.features", "Features"],
  ["2", "nav.pricing", "Pricing"],
  ["2", "nav.dashboard", "Dashboard"],
  ["2", "nav.speechToText", "Speech to text"],
  // SPEC 2 Navigation: "'Something went wrong'"
  ["2", "errorBoundary.title", "Something went wrong"],
  // SPEC 2 Navigation: "'The application encountered an error. Please try refreshing the page.'"
  ["2", "errorBoundary.text", "The application encountered an error. Please try refreshing the page."],
  // SPEC 2 Navigation: "a Refresh Page button"
  ["2", "errorBoundary.refresh", "Refresh Page"],
  ["2", "checking.authenticating", "Authenticating..."],
  ["2", "checking.loadingProfile", "Loading user profile..."],
  // SPEC 2 Route guard: "Verifying permissions..."
  ["2", "checking.verifyingPermissions", "Verifying permissions..."],
  ["2", "checking.checkingSubscription", "Checking subscription status..."],
  ["2", "titles.voiceTranslator", "Voice translator"],
  ["2", "titles.feedback", "Feedback"],
  ["2", "titles.settings", "Settings"],
  ["2", "titles.admin", "Admin Panel"],
  ["2", "titles.blogAdmin", "Blog Admin"],
  // SPEC 4 Registration: "'Please check your email to verify your account.'"
  ["4", "account.checkEmail", "Please check your email to verify your account."],
  // SPEC 5: "'This feature requires an active subscription'"
  ["5", "toast.subscriptionNeeded", "This feature requires an active subscription"],
  // SPEC 5: "'Access Denied: Administrator privileges required.'"
  ["5", "toast.accessDenied", "Access Denied: Administrator privileges required."],
  // SPEC 5: "'No access token received'"
  ["5", "account.noAccessToken", "No access token received"],
  // SPEC 8: "'Login failed with status {status}'"
  ["8", "account.loginFailedStatus", "Login failed with status {{status}}"],
  // SPEC 8: "'Cannot connect to server."
  ["8", "errors.network", "Cannot connect to server. Please ensure the backend is running or check your network connection."],
  // SPEC 8: "'Login failed'"
  ["8", "toast.loginFailed", "Login failed"],
  ["8", "toast.registrationFailed", "Registration failed"],
  ["8", "toast.signOutFailed", "Logout failed"],
  ["8", "toast.authCheckFailed", "Authentication check failed"],
  ["8", "toast.profileFailed", "Failed to load user profile. Please try again."],
  // SPEC 8: "'Failed to fetch subscription'"
  ["8", "toast.subscriptionFailed", "Failed to fetch subscription"],
  // SPEC 8: "'Failed to fetch transcriptions'"
  ["8", "toast.fetchFailed", "Failed to fetch transcriptions"],
  // SPEC 8: "'Failed to delete transcription'"
  ["8", "toast.deleteFailed", "Failed to delete transcription"],
  // SPEC 8: "'Failed to update transcription'"
  ["8", "toast.updateFailed", "Failed to update transcription"],
  // SPEC 8: "'Failed to save transcription'"
  ["8", "toast.saveFailed", "Failed to save transcription"],
] as const;

it.each(quoted)("the English texts match SPEC.md section %s: %s", (_section, key, text) => {
  expect(english("translation").get(key)).toBe(text);
});

// SPEC 8: "Similar failed-to-do-X messages for the other blog calls."
it("names failed blog analytics as in SPEC.md section 8", () => {
  expect(english("blog-analytics").get("failed")).toBe("Failed to fetch blog analytics");
});

// SPEC 5: "minutes remaining in your free tier."
// SPEC 5: "'You've reached your 10-minute monthly limit."
it("words the free tier's warnings as in SPEC.md section 5", () => {
  expect(english("app").get("usage.remaining")).toBe("You have {{n}} minutes remaining in your free tier.");
  expect(english("app").get("usage.reached")).toBe("You've reached your 10-minute monthly limit. Upgrade for unlimited usage.");
});

// SPEC 8: "'Scheduled posting feature not yet implemented' messages"
// SPEC 8: "Network errors give 'Network error - could not fetch status'"
it("words scheduled posting as in SPEC.md section 8", () => {
  expect(english("scheduled-posting").get("notImplemented")).toBe("Scheduled posting feature not yet implemented");
  expect(english("scheduled-posting").get("network.fetch")).toBe("Network error - could not fetch status");
  expect(english("scheduled-posting").get("network.trigger")).toBe("Network error - could not trigger scheduled post");
  expect(english("scheduled-posting").get("network.skip")).toBe("Network error - could not skip scheduled post");
});

/** Wrong forms of address: the product says Sie, je, tú, vous, você and (lower-case) du. */
const wrongAddress = {
  de: /\b(du|dich|dir|dein(e[mnrs]?)?)\b/iu,
  nl: /\b(u|uw)\b/iu,
  es: /\b(usted|ustedes)\b/iu,
  fr: /(?<!\p{L})(tu|toi|tes)(?!\p{L})/iu,
  "pt-BR": /\b(tu|teu|tua|contigo)\b/iu,
  da: /\bDeres\b/u,
};

it.each(Object.entries(wrongAddress))("addresses people consistently in %s", (language, wrong) => {
  const texts = namespaces.flatMap((namespace) =>
    [...textsOf(language, namespace)].filter(([, text]) => wrong.test(text)).map(([key, text]) => `${namespace}:${key}: ${text}`),
  );
  expect(texts).toEqual([]);
});

/** Words that texts used besides those of docs/develop/words.md. */
const otherWords = {
  de: /verschrift|Sprechende[nr]?\b|Sprach-Engine|freie[nr]? Minuten|(?<!E-)\bMails?\b(?!server)|von außen/u,
  nl: /uitgeschreven|uitschrijven|\b(aanmelding(en)?|afmelden|afgemeld|voorgoed|fragment(en)?|hernoemen)\b/iu,
  da: /talemotor|udskrift|hentning|operatør|udefra|\b(Annuller|Rediger|Opdater|Installer|Accepter|Kopier)\b/u,
  es: /(?<!\p{L})(borra[rsn]?|borrad[oa]s?|no se pud(o|ieron))(?!\p{L})/iu,
  fr: /(?<!\p{L})(microphones?|locuteurs?|jet(er|ée?s?)|travaux)(?!\p{L})/iu,
  "pt-BR": /\b(mecanismos?|apaga[rd]\w*|trabalhos|localizar|upgrade|jogar fora)\b/iu,
};

it.each(Object.entries(otherWords))("uses one word for one thing in %s", (language, wrong) => {
  const texts = namespaces.flatMap((namespace) =>
    [...textsOf(language, namespace)].filter(([, text]) => wrong.test(text)).map(([key, text]) => `${namespace}:${key}: ${text}`),
  );
  expect(texts).toEqual([]);
});

it.each(["es", "fr", "pt-BR"])("writes millions in digits like other numbers in %s", (language) => {
  const all = namespaces.flatMap((namespace) => {
    const texts = textsOf(language, namespace);
    return [...texts].filter(([key, text]) => key.endsWith("_many") && text !== texts.get(key.replace(/_many$/, "_other")));
  });
  expect(all).toEqual([]);
});

/**
 * Marks that docs/develop/words.md forbids in this language: quotation marks, the space before an ellipsis. Also the
 * plan's name without its capital.
 */
const wrongMarks = {
  de: /(?<![ \u00a0])…|\.\.\.|[»«”‘]/u,
  nl: / …|\.\.\.|[„»«‘]|\bpremium\b/u,
  da: / …|\.\.\.|[„“”‘]|\bpremium\b/u,
};

it.each(Object.entries(wrongMarks))("uses the punctuation marks of %s", (language, wrong) => {
  const texts = namespaces.flatMap((namespace) =>
    [...textsOf(language, namespace)].filter(([, text]) => wrong.test(text)).map(([key, text]) => `${namespace}:${key}: ${text}`),
  );
  expect(texts).toEqual([]);
});
