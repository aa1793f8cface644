import * as v from "valibot";

/** More people than this are not told apart. */
export const mostSpeakers = 20;
/** The numbers of people that are offered to choose from; more are found out. */
export const offeredSpeakers = [2, 3, 4, 5, 6, 7, 8, 9, 10] as const;
export const SpeakerCount = v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(mostSpeakers));
/** As labelled by the engine ("1", "2", …), or named by a person. */
export const SpeakerName = v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(80));
