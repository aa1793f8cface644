import type { BackendModule, ReadCallback } from "i18next";
import { fetchTexts } from "./fallback.ts";

/** Where i18next has its texts from: GET /locales/{lng}/{ns}.json (SPEC.md section 7). It asks again itself for what may come later. */
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
    // A file that is not there, or is no JSON, will be neither in a moment.
    mayCome = answer.status >= 500;
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    callback(null, JSON.parse(text));
  } catch (error) {
    callback(error instanceof Error ? error : String(error), mayCome);
  }
}
