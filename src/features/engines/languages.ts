import type { Language } from "#contract/index.ts";
import { type Call, createCall } from "#src/api/http.ts";
import { findLanguages } from "#src/api/languages.ts";
import { plainSend } from "#src/features/session/actor.ts";

/**
 * All languages of the product: the API's, or else the built-in ones. Requested once per page.
 * @throws only the signal's reason, for this caller only; there is always a list
 */
export const languageList = createLanguageList(createCall(plainSend));

/** The API's languages, or else the built-in ones. Requested once and shared by all callers. */
export function createLanguageList(call: Call) {
  let asked: Promise<readonly Language[]> | undefined;
  const list = async (signal?: AbortSignal) => {
    signal?.throwIfAborted();
    asked ??= find(call);
    const calledOff = Promise.withResolvers<never>();
    const callOff = () => calledOff.reject(signal?.reason);
    signal?.addEventListener("abort", callOff, { once: true });
    try {
      return await Promise.race([asked, calledOff.promise]);
    } finally {
      signal?.removeEventListener("abort", callOff);
    }
  };
  /** Clears the cache: the next caller requests the list again. */
  const clear = () => {
    asked = undefined;
  };
  return Object.assign(list, { clear });
}

async function find(call: Call): Promise<readonly Language[]> {
  return (await findLanguages(call)) ?? (await import("#contract/built-in-languages.ts")).builtInLanguages;
}
