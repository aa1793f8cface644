import { ArchiveRequest, BatchAnswer, FilingAnswer, FilingChange, Folder, FolderDraft, Tag, TagDraft } from "#contract/index.ts";
import type { Operation } from "#server/http/operations.ts";

const reads = { tag: "folders-and-tags", scope: "transcriptions:read" } as const;
const writes = { tag: "folders-and-tags", scope: "transcriptions:write" } as const;

/** The operations of programs on folders, tags, and their content. */
export const filingOperations = {
  list: { ...reads, id: "listFiling", json: FilingAnswer },
  place: { ...writes, id: "fileTranscriptions", body: FilingChange, json: BatchAnswer },
  archive: { ...reads, id: "archiveTranscriptions", body: ArchiveRequest, type: "application/zip" },
  addFolder: { ...writes, id: "createFolder", body: FolderDraft, status: 201, json: Folder },
  changeFolder: { ...writes, id: "renameFolder", body: FolderDraft, json: Folder },
  removeFolder: { ...writes, id: "deleteFolder" },
  addTag: { ...writes, id: "createTag", body: TagDraft, status: 201, json: Tag },
  changeTag: { ...writes, id: "changeTag", body: TagDraft, json: Tag },
  removeTag: { ...writes, id: "deleteTag" },
} as const satisfies Record<string, Operation>;
