export { isMac, keyShortcut, withOurs } from "#src/features/shortcuts/keys.ts";
