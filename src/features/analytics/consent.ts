import * as v from "valibot";
import type { AnalyticsSession, ConsentChoice } from "#machines/analytics/rules.ts";
import { type PageStorage, storage } from "#src/browser/storage.ts";

/** "refused", or "agreed" with who it was said to: whoever is named later is asked for anew. */
const consentKey = "analyticsConsent";
const sessionKey = "analyticsSession";

const Session = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ id: v.pipe(v.string(), v.regex(/^[\w-]{1,40}$/)), startedAt: v.number(), seenAt: v.number() }),
);

/** What this browser keeps of a person's choice, and of their session. */
export interface ConsentStore {
  choice(): ConsentChoice | null;
  keepChoice(choice: ConsentChoice | null): void;
  session(): AnalyticsSession | null;
  keepSession(session: AnalyticsSession): void;
  /** Hears of the choice, from other tabs, too. */
  subscribe(listener: () => void): () => void;
}

/** @param recipients the hosts that something is sent to */
export function createConsentStore(recipients: readonly string[], kept: PageStorage = storage): ConsentStore {
  const agreed = ["agreed", ...recipients].join(" ");
  return {
    choice: () => {
      const said = kept.read(consentKey);
      if (said === "refused") return "refused";
      return said === agreed ? "agreed" : null;
    },
    keepChoice: (choice) => {
      if (choice !== "agreed") kept.remove(sessionKey);
      if (choice === null) kept.remove(consentKey);
      else kept.write(consentKey, choice === "agreed" ? agreed : choice);
    },
    session: () => {
      const session = v.safeParse(Session, kept.read(sessionKey));
      return session.success ? session.output : null;
    },
    keepSession: (session) => {
      kept.write(sessionKey, JSON.stringify(session));
    },
    subscribe: (listener) => kept.subscribe(consentKey, listener),
  };
}

/** Whether the browser asks for its person not to be followed: Global Privacy Control, or the older Do Not Track. */
export function asksNotToBeFollowed(browser: object): boolean {
  const said = (name: string): unknown => Reflect.get(browser, name);
  return said("globalPrivacyControl") === true || said("doNotTrack") === "1" || said("doNotTrack") === "yes";
}
