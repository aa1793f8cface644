import { is } from "valibot";
import { InterfaceLanguage } from "#contract/index.ts";

/** The interface language as the contract has it; null for one that it does not know. */
export const interfaceLanguageOf = (code: string): InterfaceLanguage | null => (is(InterfaceLanguage, code) ? code : null);
