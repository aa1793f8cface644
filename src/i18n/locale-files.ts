import type { BackendModule, ReadCallback } from "i18next";
import { fetchTexts } from "./fallback.ts";

/** The i18next backend: GET /locales/{lng}/{ns}.json (SPEC.md section 7). i18next itself retries temporary failures. */
export const localeFiles: BackendModule = {
  type: "backend",
  init: () => {},
  read: (language, namespace, callback) => void read(`/locales/${language}/${namespace}.json`, callback),
};

async function read(url: string, callback: ReadCallback): Promise<void> {
  let mayCome = true;
  try {
    const answer = await fetchTexts(url);
    const text = await answer.text();
    // A missing file, or one that is no JSON, is a permanent failure.
    mayCome = answer.status >= 500;
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    callback(null, JSON.parse(text));
  } catch (error) {
    callback(error instanceof Error ? error : String(error), mayCome);
  }
}
