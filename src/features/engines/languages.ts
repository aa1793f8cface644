import { createCall } from "#src/api/http.ts";
import { plainSend } from "#src/features/session/actor.ts";
import { createLanguageList, type LanguageList } from "./create-language-list.ts";

/**
 * All languages that the product knows: the API's, else the built-in ones. Requested once per page.
 * @throws the signal's reason, for this caller only; nothing else: there is always a list
 */
export const languageList: LanguageList = createLanguageList(createCall(plainSend));
