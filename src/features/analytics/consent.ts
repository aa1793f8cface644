import * as v from "valibot";
import type { AnalyticsSession, ConsentChoice } from "#machines/analytics/rules.ts";
import { type PageStorage, storage } from "#src/browser/storage.ts";

/** Stores "refused", or "agreed" with the recipients at that time. A new recipient needs a new consent. */
const consentKey = "analyticsConsent";
const sessionKey = "analyticsSession";

const Session = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ id: v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/)), startedAt: v.number(), seenAt: v.number() }),
);

/**
 * The consent and the analytics session in this browser's storage.
 * @param recipients the hosts that receive data
 */
export function createConsentStore(recipients: readonly string[], store: PageStorage = storage) {
  const agreed = ["agreed", ...recipients].join(" ");
  return {
    choice: (): ConsentChoice | null => {
      const said = store.read(consentKey);
      if (said === "refused") return "refused";
      return said === agreed ? "agreed" : null;
    },
    persistChoice: (choice: ConsentChoice | null) => {
      if (choice !== "agreed") store.remove(sessionKey);
      if (choice === null) store.remove(consentKey);
      else store.write(consentKey, choice === "agreed" ? agreed : choice);
    },
    session: (): AnalyticsSession | null => {
      const session = v.safeParse(Session, store.read(sessionKey));
      return session.success ? session.output : null;
    },
    persistSession: (session: AnalyticsSession) => {
      store.write(sessionKey, JSON.stringify(session));
    },
    /** Subscribes to changes, including those of other tabs. */
    subscribe: (listener: () => void) => store.subscribe(consentKey, listener),
  };
}

/** Whether the browser sends a tracking opt-out: Global Privacy Control, or the older Do Not Track. */
export function asksNotToBeFollowed(browser: object): boolean {
  const said = (name: string): unknown => Reflect.get(browser, name);
  return said("globalPrivacyControl") === true || said("doNotTrack") === "1" || said("doNotTrack") === "yes";
}
