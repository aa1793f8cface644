import { canPerform } from "#src/features/shortcuts/actor.ts";
import { KeysDialog } from "#src/features/shortcuts/keys-dialog.tsx";
import { RewindsChoice } from "#src/features/transcription/rewinds-choice.tsx";

/** The list of the page's keys, with the related setting. */
export function Keys({ onClose }: { onClose(): void }) {
  return <KeysDialog onClose={onClose}>{canPerform("playPause") ? <RewindsChoice /> : null}</KeysDialog>;
}
