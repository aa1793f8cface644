import type { ExportContent, VideoPicture } from "#contract/index.ts";

/** Which captions a picture has. */
export type CaptionsChoice = "none" | ExportContent;

export type Picture = VideoPicture;

/** Before the server has said anything. */
export const notLooked: Picture = { state: "none", fraction: 0, problem: null };
