import type { SnapshotFrom } from "xstate";
import type { captionedMachine } from "./captioned.ts";
import type { videoMachine } from "./machine.ts";
import type { CaptionsChoice, Picture } from "./rules.ts";

type Snapshot = SnapshotFrom<typeof videoMachine>;
type CaptionedSnapshot = SnapshotFrom<typeof captionedMachine>;

/** The server's last answer about the picture. */
export const selectPicture = (snapshot: Snapshot): Picture => snapshot.context.picture;
/** Whether there is a picture that browsers can play. */
export const selectIsThere = (snapshot: Snapshot): boolean => snapshot.matches({ picture: "there" });
/** Whether there is no picture and will be none. */
export const selectIsAbsent = (snapshot: Snapshot): boolean => snapshot.matches({ picture: "absent" });
/** Whether a copy for browsers is being made, or will be. */
export const selectIsBeingMade = ({ context: { picture } }: Snapshot): boolean =>
  picture.state === "waiting" || picture.state === "making";
export const selectCaptions = (snapshot: Snapshot): CaptionsChoice => snapshot.context.captions;
export const selectIsHidden = (snapshot: Snapshot): boolean => snapshot.context.hidden;
/** Whether loading the captions failed. */
export const selectHasNoCaptions = (snapshot: Snapshot): boolean => snapshot.hasTag("captionless");

/** The video with captions; null if nobody has asked for one. */
export const selectCaptioned = (snapshot: CaptionedSnapshot) => snapshot.context.video;
/** Whether the video with captions is waiting or being made. */
export const selectIsMaking = ({ context: { video } }: CaptionedSnapshot): boolean =>
  video?.state === "waiting" || video?.state === "making";
/** Whether a request of the person is in flight. */
export const selectIsAsking = (snapshot: CaptionedSnapshot): boolean => snapshot.hasTag("asking");
/** Why the last request was refused: a code of the contract; null if it was not. */
export const selectRefusal = (snapshot: CaptionedSnapshot): string | null => snapshot.context.refusal;
