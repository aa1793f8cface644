import type { ExportContent, VideoPicture } from "#contract/index.ts";

/** The captions in the picture. */
export type CaptionsChoice = "none" | ExportContent;

export type Picture = VideoPicture;

/** The state before the server's first answer. */
export const notLooked: Picture = { state: "none", fraction: 0, problem: null };
