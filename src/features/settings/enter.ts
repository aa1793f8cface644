import { pageRouter } from "#src/browser/page-router.ts";
import { enterFeeds, leaveFeeds } from "#src/features/feeds/actor.ts";
import { enterPasskeys, leavePasskeys } from "#src/features/passkeys/actor.ts";
import { enterPersonalTokens, leavePersonalTokens } from "#src/features/personal-tokens/actor.ts";
import { enterSecondFactor, leaveSecondFactor } from "#src/features/second-factor/actor.ts";
import { enterVocabulary, leaveVocabulary } from "#src/features/vocabulary/actor.ts";
import { enterVoiceProfiles, leaveVoiceProfiles } from "#src/features/voice-profiles/actor.ts";
import { enterWebhooks, leaveWebhooks } from "#src/features/webhooks/actor.ts";
import { loadTexts } from "#src/i18n/index.ts";
import { enterSettings as enter, leaveSettings as leave } from "./actor.ts";

// One module for the route, whose loader is in what every page loads.

/** An address with a name in it ("#password") leads to that heading: also for whoever reads with the keyboard or by ear. */
function focusNamed(): void {
  const { pathname, hash } = location;
  if (pathname === "/settings" && hash !== "") document.getElementById(hash.slice(1))?.focus();
}
let stopFocusing: (() => void) | undefined;

/** The state of the page: the same until it is left. */
export async function enterSettings() {
  stopFocusing ??= pageRouter().subscribe("onRendered", focusNamed);
  const texts = ["vocabulary", "voice-profiles", "personal-tokens", "second-factor", "passkeys", "webhooks", "feeds"] as const;
  await Promise.all(texts.map((name) => loadTexts(name)));
  const tokens = enterPersonalTokens();
  const settings = enter(() => tokens.send({ type: "tokens.ended" }));
  return {
    settings,
    secondFactor: enterSecondFactor(settings.credentialChanged),
    passkeys: enterPasskeys(settings.credentialChanged),
    tokens,
    vocabulary: enterVocabulary(),
    voices: enterVoiceProfiles(),
    webhooks: enterWebhooks(),
    feeds: enterFeeds(),
  };
}

export function leaveSettings(): void {
  stopFocusing?.();
  stopFocusing = undefined;
  leave();
  leaveVocabulary();
  leaveVoiceProfiles();
  leavePersonalTokens();
  leaveSecondFactor();
  leavePasskeys();
  leaveWebhooks();
  leaveFeeds();
}
