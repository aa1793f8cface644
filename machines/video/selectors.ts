import type { SnapshotFrom } from "xstate";
import type { captionedMachine } from "./captioned.ts";
import type { videoMachine } from "./machine.ts";
import type { CaptionsChoice, Picture } from "./rules.ts";

type Snapshot = SnapshotFrom<typeof videoMachine>;
type CaptionedSnapshot = SnapshotFrom<typeof captionedMachine>;

/** What the server has said of it last. */
export const selectPicture = (snapshot: Snapshot): Picture => snapshot.context.picture;
/** There is one that browsers play. */
export const selectIsThere = (snapshot: Snapshot): boolean => snapshot.matches({ picture: "there" });
/** There is none, and none will be. */
export const selectIsAbsent = (snapshot: Snapshot): boolean => snapshot.matches({ picture: "absent" });
/** A copy is being made, or will be. */
export const selectIsBeingMade = ({ context: { picture } }: Snapshot): boolean =>
  picture.state === "waiting" || picture.state === "making";
export const selectCaptions = (snapshot: Snapshot): CaptionsChoice => snapshot.context.captions;
export const selectIsHidden = (snapshot: Snapshot): boolean => snapshot.context.hidden;
/** They were wanted, and could not be fetched. */
export const selectHasNoCaptions = (snapshot: Snapshot): boolean => snapshot.hasTag("captionless");

/** What there is of the video with captions; null: nobody has asked for one. */
export const selectCaptioned = (snapshot: CaptionedSnapshot) => snapshot.context.video;
/** It waits, or is being made. */
export const selectIsMaking = ({ context: { video } }: CaptionedSnapshot): boolean =>
  video?.state === "waiting" || video?.state === "making";
/** A call is under way that was pressed for. */
export const selectIsAsking = (snapshot: CaptionedSnapshot): boolean => snapshot.hasTag("asking");
/** Why what was pressed for was not done: a code of the contract; null otherwise. */
export const selectRefusal = (snapshot: CaptionedSnapshot): string | null => snapshot.context.refusal;
