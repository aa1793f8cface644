import { canPerform } from "#src/features/shortcuts/actor.ts";
import { KeysDialog } from "#src/features/shortcuts/keys-dialog.tsx";
import { RewindsChoice } from "#src/features/transcription/rewinds-choice.tsx";

/** The keys of the page, and what is chosen beside them. */
export function Keys({ onClose }: { onClose(): void }) {
  return <KeysDialog onClose={onClose}>{canPerform("playPause") ? <RewindsChoice /> : null}</KeysDialog>;
}
