import type { LanguageChoiceValue } from "#src/features/engines/language-choice.tsx";

/** Of files about which nothing more is said than their languages. */
export const plainOptions = (languages: LanguageChoiceValue) => ({ ...languages, title: "", vocabulary: "", speakers: false });
