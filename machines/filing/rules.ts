import type { Filed, FilingAnswer, FilingChange, FolderDraft, TagDraft, TranscriptionSummary } from "#contract/index.ts";

/** An edit of a folder or tag. `id` null: a new one; `draft` null: a deletion. */
export type FilingEdit =
  | { kind: "folder"; id: string | null; draft: FolderDraft | null }
  | { kind: "tag"; id: string | null; draft: TagDraft | null };

/** A change of where rows are filed. Missing fields stay as they are. */
export type Placing = Omit<FilingChange, "ids">;

type Named = FilingAnswer["folders"][number];
const byName = (one: Named, other: Named): number => one.name.toLowerCase().localeCompare(other.name.toLowerCase());

function replaced<Item extends Named>(items: readonly Item[], id: string, item: Item | null): Item[] {
  const others = items.filter((one) => one.id !== id);
  return item === null ? others : [...others, item].sort(byName);
}

/** Folders and tags after an edit. @param id the edited or created folder or tag */
export function withEdit({ folders, tags }: FilingAnswer, edit: FilingEdit, id: string): FilingAnswer {
  if (edit.kind === "folder") return { folders: replaced(folders, id, edit.draft && { id, ...edit.draft }), tags };
  return { folders, tags: replaced(tags, id, edit.draft && { id, ...edit.draft }) };
}

const nowhere: Filed = { folderId: null, tagIds: [], favourite: false };

/** Where a row is filed. */
export const filedOf = ({ filed }: TranscriptionSummary): Filed => filed ?? nowhere;

/** A row after the change. */
export function withPlacing(row: TranscriptionSummary, { folderId, addTags = [], removeTags = [], favourite }: Placing) {
  const before = filedOf(row);
  const kept = before.tagIds.filter((id) => !removeTags.includes(id) && !addTags.includes(id));
  return {
    ...row,
    filed: {
      folderId: folderId === undefined ? before.folderId : folderId,
      tagIds: [...kept, ...addTags],
      favourite: favourite ?? before.favourite,
    },
  } satisfies TranscriptionSummary;
}

/** How many of the given rows are filed where. */
export interface Counted {
  rows: number;
  /** By id; null: without a folder. */
  folders: ReadonlyMap<string | null, number>;
  tags: ReadonlyMap<string, number>;
  favourites: number;
}

export function countFiled(rows: readonly TranscriptionSummary[]): Counted {
  const folders = new Map<string | null, number>();
  const tags = new Map<string, number>();
  let favourites = 0;
  for (const { folderId, tagIds, favourite } of rows.map(filedOf)) {
    folders.set(folderId, (folders.get(folderId) ?? 0) + 1);
    for (const id of tagIds) tags.set(id, (tags.get(id) ?? 0) + 1);
    if (favourite) favourites += 1;
  }
  return { rows: rows.length, folders, tags, favourites };
}
