/** The sections, in their order. Each has an address of its own: /settings/account. */
export const sections = [
  { name: "account", icon: "users", ids: ["name", "picture", "email", "plan", "profile", "plan-and-vault"] },
  { name: "preferences", icon: "settings", ids: ["language", "theme", "display", "keyboard"] },
  { name: "transcription", icon: "microphone", ids: ["defaults", "feeds", "vocabulary", "voice-profiles"] },
  { name: "notifications", icon: "feedback", ids: ["notices-mail", "notices"] },
  {
    name: "security",
    icon: "shield",
    ids: ["password", "second-factor", "passkeys", "methods", "active-sessions", "recent-sign-ins", "sign-in"],
  },
  { name: "developer", icon: "code", ids: ["personal-tokens", "webhooks"] },
  { name: "data", icon: "lock", ids: ["stored", "retention", "vault", "device-models", "measuring", "export", "deletion"] },
] as const;

export type SectionName = (typeof sections)[number]["name"];

/**
 * The section with a card, or what has become of a part of the page that was one. @param id as in /settings#password
 */
export const sectionWith = (id: string): SectionName | undefined =>
  sections.find(({ name, ids }) => name === id || ids.some((known) => known === id))?.name;

/** From this width on, the sections stand beside the one that is open (settings.module.css). */
export const hasColumn = "(width >= 780px)";
