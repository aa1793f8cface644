import sprite from "./icons.svg";

/** Each is a symbol in icons.svg with this id, on a 24 by 24 grid. */
export type IconName =
  | "microphone"
  | "stop"
  | "upload"
  | "play"
  | "pause"
  | "back"
  | "forward"
  | "undo"
  | "arrowBack"
  | "search"
  | "edit"
  | "trash"
  | "copy"
  | "download"
  | "retry"
  | "close"
  | "check"
  | "warning"
  | "home"
  | "translate"
  | "feedback"
  | "settings"
  | "signOut"
  | "menu"
  | "globe"
  | "shield"
  | "users"
  | "user"
  | "panel"
  | "redo"
  | "up"
  | "down"
  | "keyboard"
  | "swap"
  | "volume"
  | "plus"
  | "minus"
  | "expand"
  | "like"
  | "dislike"
  | "share"
  | "feed"
  | "sparkle"
  | "bold"
  | "italic"
  | "heading"
  | "link"
  | "list"
  | "quote"
  | "code"
  | "image"
  | "eye"
  | "eyeOff"
  | "safe"
  | "lock"
  | "more";

/** An icon beside a text with the same meaning: hidden from screen readers. Its size is 1.25 em. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="1.25em"
      height="1.25em"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <use href={`${sprite}#${name}`} />
    </svg>
  );
}
