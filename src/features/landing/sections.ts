export type InfoName = "terms" | "privacy" | "about";

/** A part of a page, under a heading with an anchor. */
export interface Section {
  /** The anchor (`/privacy#cookies`): the same in every language, and permanent. */
  id: string;
  /** Keys of the locale files. Each line of a text is a paragraph; those that begin with a dash are a list. */
  titleKey: string;
  textKey: string;
  /** Replaces the text where analytics are configured (ANALYTICS_TAG_URL). */
  measuredKey?: string;
  /** Shown below the text. */
  extra?: "engines" | "storage" | "measuring";
  /** Shown below that. */
  moreKey?: string;
}

/** The day of the last change of content in one of the texts. */
export const lastChanged = "2026-11-29";

export const infoSections: Record<InfoName, readonly Section[]> = {
  terms: [
    { id: "subject", titleKey: "landing:terms.subject.title", textKey: "landing:terms.subject.text" },
    { id: "account", titleKey: "landing:terms.account.title", textKey: "landing:terms.account.text" },
    { id: "free", titleKey: "landing:terms.free.title", textKey: "landing:terms.free.text" },
    { id: "premium", titleKey: "landing:terms.premium.title", textKey: "landing:terms.premium.text" },
    { id: "cancelling", titleKey: "landing:terms.cancelling.title", textKey: "landing:terms.cancelling.text" },
    { id: "yours", titleKey: "landing:terms.yours.title", textKey: "landing:terms.yours.text" },
    { id: "consent", titleKey: "landing:terms.consent.title", textKey: "landing:terms.consent.text" },
    { id: "conduct", titleKey: "landing:terms.conduct.title", textKey: "landing:terms.conduct.text" },
    { id: "accuracy", titleKey: "landing:terms.accuracy.title", textKey: "landing:terms.accuracy.text" },
    { id: "encrypted", titleKey: "landing:terms.encrypted.title", textKey: "landing:terms.encrypted.text" },
    { id: "availability", titleKey: "landing:terms.availability.title", textKey: "landing:terms.availability.text" },
    { id: "ending", titleKey: "landing:terms.ending.title", textKey: "landing:terms.ending.text" },
  ],
  privacy: [
    {
      id: "short",
      titleKey: "landing:privacy.short.title",
      textKey: "landing:privacy.short.text",
      measuredKey: "landing:privacy.short.measured",
    },
    { id: "operator", titleKey: "landing:privacy.operator.title", textKey: "landing:privacy.operator.text" },
    {
      id: "engines",
      titleKey: "landing:privacy.engines.title",
      textKey: "landing:privacy.engines.text",
      extra: "engines",
      moreKey: "landing:privacy.engines.more",
    },
    { id: "stored", titleKey: "landing:privacy.stored.title", textKey: "landing:privacy.stored.text" },
    { id: "leaves", titleKey: "landing:privacy.leaves.title", textKey: "landing:privacy.leaves.text" },
    {
      id: "browser",
      titleKey: "landing:privacy.browser.title",
      textKey: "landing:privacy.browser.text",
      extra: "storage",
    },
    {
      id: "analytics",
      titleKey: "landing:privacy.analytics.title",
      textKey: "landing:privacy.analytics.text",
      measuredKey: "landing:privacy.analytics.measured",
      extra: "measuring",
    },
    { id: "encrypted", titleKey: "landing:privacy.encrypted.title", textKey: "landing:privacy.encrypted.text" },
    { id: "deleting", titleKey: "landing:privacy.deleting.title", textKey: "landing:privacy.deleting.text" },
    { id: "rights", titleKey: "landing:privacy.rights.title", textKey: "landing:privacy.rights.text" },
  ],
  about: [
    { id: "what", titleKey: "landing:about.what.title", textKey: "landing:about.what.text" },
    { id: "where", titleKey: "landing:about.where.title", textKey: "landing:about.where.text", extra: "engines" },
    { id: "kept", titleKey: "landing:about.kept.title", textKey: "landing:about.kept.text" },
    { id: "open", titleKey: "landing:about.open.title", textKey: "landing:about.open.text" },
    { id: "everyone", titleKey: "landing:about.everyone.title", textKey: "landing:about.everyone.text" },
    { id: "operator", titleKey: "landing:about.operator.title", textKey: "landing:about.operator.text" },
  ],
};

/** Where the API uses https, session cookies have names that other hosts can't set (server/http/cookies.ts). */
const [host, secure] = ["__Host-", "__Secure-"];

/** What `browserStorage` calls by its name under https, as it is called here. @param protocol "https:" */
export function storedName(name: string, protocol: string): string {
  return protocol === "https:" ? name : name.replace(/^__(Host|Secure)-/, "");
}

/** What a browser stores for Parlance, by name, and the key of its explanation. */
export const browserStorage: readonly {
  kind: "cookie" | "local" | "tab" | "database" | "cache";
  names: readonly string[];
  key: string;
}[] = [
  { kind: "cookie", names: [`${host}parlance_refresh`], key: "landing:storage.refresh" },
  { kind: "cookie", names: [`${host}parlance_device`], key: "landing:storage.device" },
  { kind: "cookie", names: [`${host}parlance_reader`], key: "landing:storage.reader" },
  { kind: "cookie", names: [`${secure}parlance_media`], key: "landing:storage.media" },
  { kind: "cookie", names: [`${secure}parlance_export`], key: "landing:storage.export" },
  { kind: "cookie", names: [`${host}parlance_attempt_…`], key: "landing:storage.attempt" },
  { kind: "cookie", names: [`${host}parlance_sign_in`], key: "landing:storage.secondStep" },
  { kind: "cookie", names: ["i18next"], key: "landing:storage.languageCookie" },
  { kind: "local", names: ["i18nextLng", "theme", "sidebar", "singleKeys"], key: "landing:storage.look" },
  { kind: "local", names: ["jwtToken", "jwtTokenClockOffset"], key: "landing:storage.token" },
  { kind: "local", names: ["persist:root"], key: "landing:storage.profile" },
  { kind: "local", names: ["redirectTo"], key: "landing:storage.wanted" },
  {
    kind: "local",
    names: ["speechLanguages", "microphone", "translator", "transcriptPreferences"],
    key: "landing:storage.choices",
  },
  { kind: "local", names: ["tryOut"], key: "landing:storage.tryOut" },
  { kind: "tab", names: ["tryOut"], key: "landing:storage.tryOutTab" },
  { kind: "local", names: ["readerId", "blogReactions"], key: "landing:storage.blog" },
  { kind: "local", names: ["analyticsConsent"], key: "landing:storage.consent" },
  { kind: "local", names: ["analyticsSession"], key: "landing:storage.session" },
  { kind: "tab", names: ["tsr-scroll-restoration-v1_3"], key: "landing:storage.scrolled" },
  { kind: "tab", names: ["inspect"], key: "landing:storage.watched" },
  { kind: "local", names: ["draft:…"], key: "landing:storage.drafts" },
  {
    kind: "local",
    names: ["transcriptions", "conversation:…", "conversationChanges", "waiting:…"],
    key: "landing:storage.unsent",
  },
  {
    kind: "database",
    names: ["parlance-recordings", "parlance-turns", "parlance-uploads", "parlance-pictures"],
    key: "landing:storage.recordings",
  },
  { kind: "database", names: ["parlance-vault"], key: "landing:storage.vault" },
  { kind: "cache", names: ["parlance-shared"], key: "landing:storage.shared" },
  { kind: "local", names: ["shared:…"], key: "landing:storage.shared" },
  { kind: "local", names: ["lastEngines"], key: "landing:storage.shell" },
  { kind: "cache", names: ["parlance-personal-…"], key: "landing:storage.kept" },
  { kind: "cache", names: ["parlance-shell-…", "parlance-texts"], key: "landing:storage.shell" },
];
