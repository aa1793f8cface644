import * as v from "valibot";
import type { CaptionsChoice } from "#machines/video/rules.ts";
import { storage } from "#src/browser/storage.ts";

const key = "videoPreferences";
const Preferences = v.object({
  captions: v.fallback(v.picklist(["none", "original", "translation", "both"]), "original"),
  hidden: v.fallback(v.boolean(), false),
});

interface VideoPreferences {
  captions: CaptionsChoice;
  hidden: boolean;
}

/** What a person has chosen for all videos, in this browser. */
export const videoPreferences = {
  read(): VideoPreferences {
    const persisted = v.safeParse(v.pipe(v.string(), v.parseJson(), Preferences), storage.read(key));
    return persisted.success ? persisted.output : v.parse(Preferences, {});
  },
  write(chosen: VideoPreferences): void {
    storage.write(key, JSON.stringify(chosen));
  },
};
