/** The sections, in order. Each has its own address, such as /settings/account. */
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

/** The section that contains a card, or that replaces a former card. @param id as in /settings#password */
export const sectionWith = (id: string): SectionName | undefined =>
  sections.find(({ name, ids }) => name === id || ids.some((known) => known === id))?.name;

/** From this width on, the list of sections stands beside the open one (settings.module.css). */
export const hasColumn = "(width >= 780px)";
