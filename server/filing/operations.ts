import { ArchiveRequest, BatchAnswer, FilingAnswer, FilingChange, Folder, FolderDraft, Tag, TagDraft } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

const reads = { tag: "Folders and tags", scope: "transcriptions:read" } as const;
const writes = { tag: "Folders and tags", scope: "transcriptions:write" } as const;
const stays = "The transcriptions stay.";
const unique = "A name that another one has, whatever its case, is a `conflict`.";

/** What programs do with folders, tags, and what is in them. */
export const filingOperations = {
  list: { ...reads, id: "listFiling", summary: "All folders and tags", answer: { status: 200, json: FilingAnswer } },
  place: {
    ...writes,
    id: "fileTranscriptions",
    summary: "Move transcriptions into a folder, give and take tags, make them favourites",
    description: "What the body does not name stays as it is; `folderId: null` takes them out of their folder.",
    body: FilingChange,
    answer: { status: 200, json: BatchAnswer },
  },
  archive: {
    ...reads,
    id: "archiveTranscriptions",
    summary: "Transcriptions as files in one ZIP file",
    body: ArchiveRequest,
    answer: { status: 200, type: "application/zip" },
  },
  addFolder: {
    ...writes,
    id: "createFolder",
    summary: "A new folder",
    description: unique,
    body: FolderDraft,
    answer: { status: 201, json: Folder },
  },
  changeFolder: {
    ...writes,
    id: "renameFolder",
    summary: "Rename a folder",
    description: unique,
    body: FolderDraft,
    answer: { status: 200, json: Folder },
  },
  removeFolder: { ...writes, id: "deleteFolder", summary: "Delete a folder", description: stays, answer: { status: 204 } },
  addTag: {
    ...writes,
    id: "createTag",
    summary: "A new tag",
    description: unique,
    body: TagDraft,
    answer: { status: 201, json: Tag },
  },
  changeTag: {
    ...writes,
    id: "changeTag",
    summary: "Rename or recolour a tag",
    description: unique,
    body: TagDraft,
    answer: { status: 200, json: Tag },
  },
  removeTag: { ...writes, id: "deleteTag", summary: "Delete a tag", description: stays, answer: { status: 204 } },
} as const satisfies Record<string, Operation>;
