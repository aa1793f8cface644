import * as v from "valibot";
import type { CaptionsChoice } from "#machines/video/rules.ts";
import { stored } from "#src/browser/stored.ts";

const Preferences = v.object({
  captions: v.fallback(v.picklist(["none", "original", "translation", "both"]), "original"),
  hidden: v.fallback(v.boolean(), false),
});

interface VideoPreferences {
  captions: CaptionsChoice;
  hidden: boolean;
}

const kept = stored<VideoPreferences>("videoPreferences", Preferences);

/** The user's choices for all videos, stored in this browser. */
export const videoPreferences = { read: () => kept.read() ?? v.parse(Preferences, {}), write: kept.keep };
