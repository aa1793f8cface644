import i18next from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { beforeAll, expect, test, vi } from "vitest";
import { useTranslation } from "#src/i18n/use-translation.ts";

// The files of a worker share the libraries: this one speaks for itself.
vi.mock(import("i18next"), async (original) => {
  const library = await original();
  return { ...library, default: library.default.createInstance() };
});

const seen: unknown[] = [];

function Shown({ of: namespace }: { of?: string | readonly string[] }) {
  const { t, i18n } = useTranslation(namespace);
  seen.push(t);
  return (
    <p>
      {i18n.language}: {t("title")}, {t("shell")}, {t("vault:title")}
    </p>
  );
}

const shown = (namespace?: string | readonly string[]) => renderToStaticMarkup(<Shown {...(namespace && { of: namespace })} />);

beforeAll(async () => {
  await i18next.init({
    lng: "de",
    fallbackLng: "en",
    fallbackNS: "translation",
    resources: {
      en: { translation: { title: "Start", shell: "frame" }, vault: { title: "Vault" }, app: { title: "History" } },
      de: { translation: { title: "Anfang", shell: "Rahmen" }, vault: { title: "Tresor" } },
    },
  });
});

test("texts are those of the namespace, of the first one of several, and of the shell where it has none", () => {
  expect(shown()).toBe("<p>de: Anfang, Rahmen, Tresor</p>");
  expect(shown("vault")).toBe("<p>de: Tresor, Rahmen, Tresor</p>");
  expect(shown(["vault", "app"])).toBe("<p>de: Tresor, Rahmen, Tresor</p>");
});

test("what shows them changes with the language, and with a file that comes late, and is the same otherwise", async () => {
  expect(shown("app")).toBe("<p>de: History, Rahmen, Tresor</p>");
  shown("app");
  const [before, again] = seen.slice(-2);
  expect(again).toBe(before);
  i18next.addResourceBundle("de", "app", { title: "Verlauf" });
  expect(shown("app")).toBe("<p>de: Verlauf, Rahmen, Tresor</p>");
  expect(seen.at(-1)).not.toBe(before);
  await i18next.changeLanguage("en");
  expect(shown("app")).toBe("<p>en: History, frame, Vault</p>");
});
