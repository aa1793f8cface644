import { useSelector } from "@xstate/react";
import { useSyncExternalStore } from "react";
import type { TranscriptionSummary } from "#contract/index.ts";
import { selectUnreadable } from "#machines/transcriptions/selectors.ts";
import type { UploadRef } from "#machines/uploads/machine.ts";
import { selectFailure, selectFile } from "#machines/uploads/selectors.ts";
import type { Transcriptions } from "#src/features/transcriptions/actor.ts";
import { deletions } from "#src/features/transcriptions/deletions.ts";
import { useShownTitle } from "#src/features/transcriptions/shown-title.ts";
import { type UnreadableFile, UnreadableNotice } from "#src/features/transcriptions/unreadable-notice.tsx";
import { openInHistory, openUploads } from "./actor.ts";

/**
 * Unreadable files of the history, and uploads of which the server has nothing. They are dismissed together: the
 * server's go to the trash.
 */
export function UnreadableFiles({ transcriptions }: { transcriptions: Transcriptions }) {
  const shownTitle = useShownTitle();
  const rows = useSelector(transcriptions, selectUnreadable);
  const uploads = useUnreadableUploads();
  const ofRow = (row: TranscriptionSummary): UnreadableFile => ({
    id: row.id,
    name: shownTitle(row),
    code: row.error?.code ?? "unreadable",
    transcription: row,
  });
  return (
    <UnreadableNotice
      files={[...uploads.map(ofUpload), ...rows.map(ofRow)]}
      onDismiss={() => {
        for (const { id } of uploads) openUploads().send({ type: "dismiss.requested", id });
        deletions.begin(rows);
      }}
    />
  );
}

/** The uploads of which the server has nothing. Needs no subscription to each, because their failures don't change. */
function useUnreadableUploads(): readonly UploadRef[] {
  const shown = openInHistory();
  return useSyncExternalStore(shown.subscribe, shown.get, shown.get).unreadable;
}

function ofUpload(upload: UploadRef): UnreadableFile {
  const snapshot = upload.getSnapshot();
  const { id, name } = selectFile(snapshot);
  return { id, name, code: selectFailure(snapshot) ?? "unreadable", transcription: null };
}
