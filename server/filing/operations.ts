import { ArchiveRequest, BatchAnswer, FilingAnswer, FilingChange, Folder, FolderDraft, Tag, TagDraft } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

const reads = { tag: "folders-and-tags", scope: "transcriptions:read" } as const;
const writes = { tag: "folders-and-tags", scope: "transcriptions:write" } as const;

/** What programs do with folders, tags, and what is in them. */
export const filingOperations = {
  list: { ...reads, id: "listFiling", answer: { status: 200, json: FilingAnswer } },
  place: {
    ...writes,
    id: "fileTranscriptions",
    body: FilingChange,
    answer: { status: 200, json: BatchAnswer },
  },
  archive: {
    ...reads,
    id: "archiveTranscriptions",
    body: ArchiveRequest,
    answer: { status: 200, type: "application/zip" },
  },
  addFolder: {
    ...writes,
    id: "createFolder",
    body: FolderDraft,
    answer: { status: 201, json: Folder },
  },
  changeFolder: {
    ...writes,
    id: "renameFolder",
    body: FolderDraft,
    answer: { status: 200, json: Folder },
  },
  removeFolder: { ...writes, id: "deleteFolder", answer: { status: 204 } },
  addTag: {
    ...writes,
    id: "createTag",
    body: TagDraft,
    answer: { status: 201, json: Tag },
  },
  changeTag: {
    ...writes,
    id: "changeTag",
    body: TagDraft,
    answer: { status: 200, json: Tag },
  },
  removeTag: { ...writes, id: "deleteTag", answer: { status: 204 } },
} as const satisfies Record<string, Operation>;
