import type { i18n } from "i18next";
import { fallbackLanguage } from "./languages.ts";

// i18next asks again for a file that could not be had, for more than ten seconds. Who can read the fallback does not wait for that.

const stumbles = new Map<string, PromiseWithResolvers<void>>();

function stumbleOf(namespace: string): PromiseWithResolvers<void> {
  const stumble = stumbles.get(namespace) ?? Promise.withResolvers<void>();
  stumbles.set(namespace, stumble);
  return stumble;
}

/** As `fetch`, for the files of texts ("/locales/de/app.json"). */
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

/** Resolves when one of the namespace's files could not be had and the fallback's is there. */
export async function inFallback(texts: i18n, namespace: string): Promise<void> {
  await stumbleOf(namespace).promise;
  await isThere(texts, fallbackLanguage, namespace);
}

/** Resolves when the file is there, whatever becomes of others that were asked for with it. */
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
