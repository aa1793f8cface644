export type InfoName = "terms" | "privacy" | "about";

/** A part of a page, under a heading that can be linked to. */
export interface Section {
  /** Of the address (`/privacy#cookies`): the same in every language, and it stays. */
  id: string;
  /** Keys of the locale files. Each line of a text is a paragraph; those that begin with a dash are a list. */
  titleKey: string;
  textKey: string;
  /** What is said instead where the use of the page is measured (ANALYTICS_TAG_URL). */
  measuredKey?: string;
  /** What stands below the text. */
  extra?: "engines" | "storage" | "measuring";
  /** What stands below that. */
  moreKey?: string;
}

/** The day on which one of the texts was last changed in what it says. */
export const lastChanged = "2026-11-22";

export const infoSections: Record<InfoName, readonly Section[]> = {
  terms: [
    { id: "subject", titleKey: "info:terms.subject.title", textKey: "info:terms.subject.text" },
    { id: "account", titleKey: "info:terms.account.title", textKey: "info:terms.account.text" },
    { id: "free", titleKey: "info:terms.free.title", textKey: "info:terms.free.text" },
    { id: "premium", titleKey: "info:terms.premium.title", textKey: "info:terms.premium.text" },
    { id: "cancelling", titleKey: "info:terms.cancelling.title", textKey: "info:terms.cancelling.text" },
    { id: "yours", titleKey: "info:terms.yours.title", textKey: "info:terms.yours.text" },
    { id: "consent", titleKey: "info:terms.consent.title", textKey: "info:terms.consent.text" },
    { id: "conduct", titleKey: "info:terms.conduct.title", textKey: "info:terms.conduct.text" },
    { id: "accuracy", titleKey: "info:terms.accuracy.title", textKey: "info:terms.accuracy.text" },
    { id: "encrypted", titleKey: "info:terms.encrypted.title", textKey: "info:terms.encrypted.text" },
    { id: "availability", titleKey: "info:terms.availability.title", textKey: "info:terms.availability.text" },
    { id: "ending", titleKey: "info:terms.ending.title", textKey: "info:terms.ending.text" },
  ],
  privacy: [
    {
      id: "short",
      titleKey: "info:privacy.short.title",
      textKey: "info:privacy.short.text",
      measuredKey: "info:privacy.short.measured",
    },
    { id: "operator", titleKey: "info:privacy.operator.title", textKey: "info:privacy.operator.text" },
    {
      id: "engines",
      titleKey: "info:privacy.engines.title",
      textKey: "info:privacy.engines.text",
      extra: "engines",
      moreKey: "info:privacy.engines.more",
    },
    { id: "stored", titleKey: "info:privacy.stored.title", textKey: "info:privacy.stored.text" },
    { id: "leaves", titleKey: "info:privacy.leaves.title", textKey: "info:privacy.leaves.text" },
    {
      id: "browser",
      titleKey: "info:privacy.browser.title",
      textKey: "info:privacy.browser.text",
      extra: "storage",
    },
    {
      id: "analytics",
      titleKey: "info:privacy.analytics.title",
      textKey: "info:privacy.analytics.text",
      measuredKey: "info:privacy.analytics.measured",
      extra: "measuring",
    },
    { id: "encrypted", titleKey: "info:privacy.encrypted.title", textKey: "info:privacy.encrypted.text" },
    { id: "deleting", titleKey: "info:privacy.deleting.title", textKey: "info:privacy.deleting.text" },
    { id: "rights", titleKey: "info:privacy.rights.title", textKey: "info:privacy.rights.text" },
  ],
  about: [
    { id: "what", titleKey: "info:about.what.title", textKey: "info:about.what.text" },
    { id: "where", titleKey: "info:about.where.title", textKey: "info:about.where.text", extra: "engines" },
    { id: "kept", titleKey: "info:about.kept.title", textKey: "info:about.kept.text" },
    { id: "open", titleKey: "info:about.open.title", textKey: "info:about.open.text" },
    { id: "everyone", titleKey: "info:about.everyone.title", textKey: "info:about.everyone.text" },
    { id: "operator", titleKey: "info:about.operator.title", textKey: "info:about.operator.text" },
  ],
};

/** Where the API is https, what lets somebody in has names that other hosts can't use (server/http/cookies.ts). */
const isSecure = globalThis.location?.protocol === "https:";
const [host, secure] = isSecure ? ["__Host-", "__Secure-"] : ["", ""];

/** What a browser keeps of Parlance, by its names, and the key of what it is for. */
export const browserStorage: readonly { kind: "cookie" | "local" | "tab" | "database"; names: readonly string[]; key: string }[] =
  [
    { kind: "cookie", names: [`${host}parlance_refresh`], key: "info:storage.refresh" },
    { kind: "cookie", names: [`${host}parlance_device`], key: "info:storage.device" },
    { kind: "cookie", names: [`${host}parlance_reader`], key: "info:storage.reader" },
    { kind: "cookie", names: [`${secure}parlance_media`], key: "info:storage.media" },
    { kind: "cookie", names: [`${secure}parlance_export`], key: "info:storage.export" },
    { kind: "cookie", names: [`${host}parlance_attempt_…`], key: "info:storage.attempt" },
    { kind: "cookie", names: ["i18next"], key: "info:storage.languageCookie" },
    { kind: "local", names: ["i18nextLng", "theme"], key: "info:storage.look" },
    { kind: "local", names: ["jwtToken", "jwtTokenClockOffset"], key: "info:storage.token" },
    { kind: "local", names: ["persist:root"], key: "info:storage.profile" },
    { kind: "local", names: ["redirectTo"], key: "info:storage.wanted" },
    {
      kind: "local",
      names: ["speechLanguages", "microphone", "translator", "transcriptPreferences"],
      key: "info:storage.choices",
    },
    { kind: "local", names: ["readerId", "blogReactions"], key: "info:storage.blog" },
    { kind: "local", names: ["analyticsConsent"], key: "info:storage.consent" },
    { kind: "local", names: ["analyticsSession"], key: "info:storage.session" },
    { kind: "tab", names: ["tsr-scroll-restoration-v1_3"], key: "info:storage.scrolled" },
    { kind: "local", names: ["draft:…"], key: "info:storage.drafts" },
    {
      kind: "local",
      names: ["transcriptions", "conversation:…", "conversationChanges", "deletions"],
      key: "info:storage.unsent",
    },
    {
      kind: "database",
      names: ["parlance-recordings", "parlance-turns", "parlance-uploads", "parlance-pictures"],
      key: "info:storage.recordings",
    },
    { kind: "database", names: ["parlance-vault"], key: "info:storage.vault" },
  ];
