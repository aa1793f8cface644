export type InfoName = "terms" | "privacy" | "about";

/** A section of a page, with an anchor. Its texts are `<page>.<id>.title` and `<page>.<id>.text`. */
export interface Section {
  /** The anchor (`/privacy#cookies`): the same in every language, and permanent. */
  id: string;
  /** If analytics are configured (ANALYTICS_TAG_URL), `.measured` replaces the text. */
  hasMeasured?: true;
  /** Shown below the text. */
  extra?: "engines" | "storage" | "measuring";
  /** `.more` follows below `extra`. */
  hasMore?: true;
}

/** The date of the last change to the content of these texts. */
export const lastChanged = "2026-11-30";

export const infoSections: Record<InfoName, readonly Section[]> = {
  terms: [
    { id: "subject" },
    { id: "account" },
    { id: "free" },
    { id: "premium" },
    { id: "cancelling" },
    { id: "yours" },
    { id: "consent" },
    { id: "conduct" },
    { id: "accuracy" },
    { id: "encrypted" },
    { id: "availability" },
    { id: "ending" },
  ],
  privacy: [
    { id: "short", hasMeasured: true },
    { id: "operator" },
    { id: "engines", extra: "engines", hasMore: true },
    { id: "stored" },
    { id: "leaves" },
    { id: "browser", extra: "storage" },
    { id: "analytics", hasMeasured: true, extra: "measuring" },
    { id: "encrypted" },
    { id: "deleting" },
    { id: "rights" },
  ],
  about: [
    { id: "what" },
    { id: "where", extra: "engines" },
    { id: "kept" },
    { id: "open" },
    { id: "everyone" },
    { id: "operator" },
  ],
};

/** Under https, session cookies have prefixes that other hosts can't set (server/http/cookies.ts). */
const [host, secure] = ["__Host-", "__Secure-"];

/**
 * The name that an entry of `browserStorage` has under this protocol; the entries use the https names.
 * @param protocol "https:"
 */
export function storedName(name: string, protocol: string): string {
  return protocol === "https:" ? name : name.replace(/^__(Host|Secure)-/, "");
}

/** Everything that a browser stores for Parlance, by name, and which text under `storage` explains it. */
export const browserStorage: readonly {
  kind: "cookie" | "local" | "tab" | "database" | "cache";
  names: readonly string[];
  key: string;
}[] = [
  { kind: "cookie", names: [`${host}parlance_refresh`], key: "refresh" },
  { kind: "cookie", names: [`${host}parlance_device`], key: "device" },
  { kind: "cookie", names: [`${host}parlance_reader`], key: "reader" },
  { kind: "cookie", names: [`${secure}parlance_media`], key: "media" },
  { kind: "cookie", names: [`${secure}parlance_export`], key: "export" },
  { kind: "cookie", names: [`${host}parlance_attempt_…`], key: "attempt" },
  { kind: "cookie", names: [`${host}parlance_sign_in`], key: "secondStep" },
  { kind: "cookie", names: ["i18next"], key: "languageCookie" },
  { kind: "local", names: ["i18nextLng", "theme", "sidebar", "singleKeys"], key: "look" },
  { kind: "local", names: ["jwtToken", "jwtTokenClockOffset"], key: "token" },
  { kind: "local", names: ["persist:root"], key: "profile" },
  { kind: "local", names: ["redirectTo"], key: "wanted" },
  {
    kind: "local",
    names: ["speechLanguages", "microphone", "translator", "transcriptPreferences", "vaultTranscribes", "dictationListens"],
    key: "choices",
  },
  { kind: "local", names: ["tryOut"], key: "tryOut" },
  { kind: "tab", names: ["tryOut"], key: "tryOutTab" },
  { kind: "local", names: ["readerId", "blogReactions"], key: "blog" },
  { kind: "local", names: ["analyticsConsent"], key: "consent" },
  { kind: "local", names: ["analyticsSession"], key: "session" },
  { kind: "tab", names: ["tsr-scroll-restoration-v1_3"], key: "scrolled" },
  { kind: "tab", names: ["inspect"], key: "watched" },
  { kind: "local", names: ["draft:…"], key: "drafts" },
  { kind: "local", names: ["transcriptions", "conversation:…", "conversationChanges", "waiting:…"], key: "unsent" },
  {
    kind: "database",
    names: ["parlance-recordings", "parlance-turns", "parlance-uploads", "parlance-pictures"],
    key: "recordings",
  },
  { kind: "database", names: ["parlance-vault"], key: "vault" },
  { kind: "cache", names: ["device-models"], key: "model" },
  { kind: "cache", names: ["parlance-shared"], key: "shared" },
  { kind: "local", names: ["shared:…"], key: "shared" },
  { kind: "local", names: ["lastEngines"], key: "shell" },
  { kind: "cache", names: ["parlance-personal-…"], key: "kept" },
  { kind: "cache", names: ["parlance-shell-…", "parlance-texts"], key: "shell" },
];
