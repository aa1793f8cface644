import type { i18n } from "i18next";
import { fallbackLanguage } from "#contract/first-visit/interface-languages.ts";

// i18next retries a missing file for more than ten seconds. When the fallback is readable, nobody waits for that.

const stumbles = new Map<string, PromiseWithResolvers<void>>();

function stumbleOf(namespace: string): PromiseWithResolvers<void> {
  const stumble = stumbles.get(namespace) ?? Promise.withResolvers<void>();
  stumbles.set(namespace, stumble);
  return stumble;
}

/** Like `fetch`, for locale files ("/locales/de/app.json"). */
export async function fetchTexts(url: string, init?: RequestInit): Promise<Response> {
  const missed = () => stumbleOf(/([^/]+)\.json$/.exec(url)?.[1] ?? "").resolve();
  try {
    const answer = await fetch(url, init);
    if (!answer.ok) missed();
    return answer;
  } catch (error) {
    missed();
    throw error;
  }
}

/** Resolves when one of the namespace's files could not be loaded and the fallback's has been. */
export async function inFallback(texts: i18n, namespace: string): Promise<void> {
  await stumbleOf(namespace).promise;
  await isThere(texts, fallbackLanguage, namespace);
}

/** Resolves when the file is loaded, whatever happens to others requested along with it. */
export async function isThere(texts: i18n, language: string, namespace: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const check = () => {
    if (texts.hasResourceBundle(language, namespace)) resolve();
  };
  texts.store.on("added", check);
  check();
  await promise;
  texts.store.off("added", check);
}
