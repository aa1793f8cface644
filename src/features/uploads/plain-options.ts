import type { LanguageChoiceValue } from "#src/features/engines/language-choice.tsx";

/** The options of files for which the user has chosen only languages. */
export const plainOptions = (languages: LanguageChoiceValue) => ({ ...languages, title: "", vocabulary: "", speakers: false });
