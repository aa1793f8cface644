import * as v from "valibot";
import { SpeakerCount } from "#contract/index.ts";
import type { Details } from "#machines/uploads/config.ts";
import { stored } from "#src/browser/stored.ts";
import { currentUserId } from "#src/features/session/actor.ts";

const Config = v.object({
  title: v.string(),
  vocabulary: v.string(),
  speakers: v.boolean(),
  /** The number of speakers; absent: detected automatically. */
  speakerCount: v.optional(SpeakerCount),
});

const empty: Details = { title: "", vocabulary: "", speakers: false };
const persisted = () => stored<Details>(`draft:${currentUserId() ?? ""}:upload-config`, Config);

/** The last options besides the languages. Persisted over reloads. */
export const storedDetails = (): Details => persisted().read() ?? empty;

/** Persists the options. A title belongs to one file, but stays until the upload. */
export function rememberDetails({ title, vocabulary, speakers, speakerCount }: Details): void {
  persisted().keep({ title, vocabulary, speakers, speakerCount });
}
