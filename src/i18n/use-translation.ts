import i18next, { type i18n, type TFunction } from "i18next";
import { useSyncExternalStore } from "react";
import { renderedLanguage } from "#src/browser/first-sight.ts";

// Takes the place of react-i18next's hook (vite.config.ts), whose types it has: a fifth of its size, which every first visit would load. What it
// does not have, nothing here asks for: Suspense, prefixes of keys, several instances of i18next.

interface Words {
  t: TFunction;
  /** That of the texts: what is still being taken over has them in the language of its HTML, whichever was chosen meanwhile. */
  language: string;
  i18n: i18n;
}

/** What becomes of a namespace in React. */
interface Namespace {
  subscribe(listener: () => void): () => void;
  /** Another one whenever a text may have become another one: "de|true|true". */
  version(): string;
  /** The same for what is being taken over. */
  renderedVersion(): string;
}

const namespaces = new Map<string, Namespace>();
/** By namespace and version: as long as neither changes, `t` is the same, and no effect or memo that it is in runs again. */
const words = new Map<string, Words>();

function namespaceOf(name: string): Namespace {
  // A file that comes late takes the place of the fallback language's texts.
  const versionIn = (language: string) =>
    [language, ...[name, "translation"].map((each) => i18next.hasResourceBundle(language, each))].join("|");
  const known = namespaces.get(name) ?? {
    subscribe: (listener: () => void) => {
      // Whoever shows it before its route has loaded it.
      if (!i18next.hasLoadedNamespace(name)) void i18next.loadNamespaces(name);
      i18next.on("languageChanged", listener);
      i18next.store.on("added", listener);
      return () => {
        i18next.off("languageChanged", listener);
        i18next.store.off("added", listener);
      };
    },
    version: () => versionIn(i18next.language),
    renderedVersion: () => versionIn(renderedLanguage() ?? i18next.language),
  };
  namespaces.set(name, known);
  return known;
}

/**
 * The texts of a namespace, in the language of the page: whatever shows them follows it.
 * @param wanted the namespace; of several, the first one's texts are meant where a key names none
 */
export function useTranslation(wanted: string | readonly string[] = "translation"): Words {
  const name = typeof wanted === "string" ? wanted : (wanted[0] ?? "translation");
  const { subscribe, version, renderedVersion } = namespaceOf(name);
  const now = useSyncExternalStore(subscribe, version, renderedVersion);
  const key = `${now}|${name}`;
  const [language = now] = now.split("|");
  const known = words.get(key) ?? { t: i18next.getFixedT(language, name), language, i18n: i18next };
  words.set(key, known);
  return known;
}
