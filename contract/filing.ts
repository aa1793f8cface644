import * as v from "valibot";
import { AcceptedId, acceptedRows } from "./accepted.ts";
import { exportLookEntries } from "./exports.ts";
import { ExportContent, ExportFormat } from "./transcription.ts";
import { Batch } from "./transcriptions.ts";

/** The colors of tags. They are names; each theme has its own values. */
export const tagColours = ["grey", "red", "orange", "yellow", "green", "teal", "blue", "purple", "pink"] as const;
export const TagColour = v.picklist(tagColours);
export type TagColour = v.InferOutput<typeof TagColour>;

/** Most folders and tags of one user, and most tags of one transcription. */
export const filingLimits = { folders: 200, tags: 200, tagsOfOne: 30 } as const;
/** Longest name of a folder or a tag, in characters. */
export const filedNameLength = 60;

const Name = v.pipe(
  v.string(),
  v.trim(),
  v.minLength(1),
  v.maxLength(filedNameLength),
  v.regex(/^\P{Cc}+$/u, "must be one line of text"),
);
const Id = v.pipe(v.string(), v.minLength(1), v.maxLength(80));

/** POST /api/v1/audio-transcriptions/folders, and PUT of …/{id}. A user's folder names are unique, ignoring case. */
export const FolderDraft = v.object({ name: Name });
export type FolderDraft = v.InferOutput<typeof FolderDraft>;
/** POST /api/v1/audio-transcriptions/tags, and PUT of …/{id}. */
export const TagDraft = v.object({ name: Name, colour: TagColour });
export type TagDraft = v.InferOutput<typeof TagDraft>;

export const Folder = v.object({ id: v.string(), name: v.string() });
export type Folder = v.InferOutput<typeof Folder>;
export const Tag = v.object({ id: v.string(), name: v.string(), colour: TagColour });
export type Tag = v.InferOutput<typeof Tag>;

/**
 * GET /api/v1/audio-transcriptions/filing: a user's folders and tags, each sorted by name. The event stream of all
 * transcriptions also sends it (`event: filing`): at its beginning to users who have some, and after each change.
 */
export const FilingAnswer = v.object({ folders: v.array(Folder), tags: v.array(Tag) });
export type FilingAnswer = v.InferOutput<typeof FilingAnswer>;
export const AcceptedFolder = v.object({ id: AcceptedId, name: v.string() });
/** A color unknown to the page becomes grey. */
export const AcceptedTag = v.object({ id: AcceptedId, name: v.string(), colour: v.fallback(TagColour, "grey") });
export const AcceptedFiling = v.object({
  folders: v.optional(acceptedRows(AcceptedFolder), []),
  tags: v.optional(acceptedRows(AcceptedTag), []),
});

/**
 * POST /api/v1/audio-transcriptions/filing: files transcriptions. Absent fields stay unchanged. `folderId: null`
 * removes them from their folder. The response is a `BatchAnswer`.
 */
export const FilingChange = v.pipe(
  v.object({
    ...Batch.entries,
    folderId: v.optional(v.nullable(Id)),
    addTags: v.optional(v.pipe(v.array(Id), v.maxLength(filingLimits.tagsOfOne)), []),
    removeTags: v.optional(v.pipe(v.array(Id), v.maxLength(filingLimits.tags)), []),
    favourite: v.optional(v.boolean()),
  }),
  v.check(
    ({ folderId, addTags, removeTags, favourite }) =>
      folderId !== undefined || favourite !== undefined || addTags.length + removeTags.length > 0,
    "must name at least one change",
  ),
);
export type FilingChange = v.InferInput<typeof FilingChange>;

/** Most transcriptions in one archive. */
export const maxArchived = 1000;
/**
 * POST /api/v1/audio-transcriptions/archive: a ZIP file with each of these transcriptions in each of the formats.
 * Transcriptions in the trash, or of other users, are left out. `lng`: the language of labels such as "Speaker 1".
 */
export const ArchiveRequest = v.object({
  ids: v.pipe(v.array(Id), v.minLength(1), v.maxLength(maxArchived)),
  formats: v.pipe(v.array(ExportFormat), v.minLength(1), v.maxLength(ExportFormat.options.length)),
  content: v.optional(ExportContent, "both"),
  ...exportLookEntries,
  lng: v.optional(v.pipe(v.string(), v.maxLength(40)), "en"),
});
export type ArchiveRequest = v.InferInput<typeof ArchiveRequest>;
