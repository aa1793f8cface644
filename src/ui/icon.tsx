/** Drawn on a 24 by 24 grid with a 1.75 stroke; each path is the whole picture. */
const paths = {
  microphone: "M12 3.5a3 3 0 0 0-3 3v5a3 3 0 0 0 6 0v-5a3 3 0 0 0-3-3zM5.5 11.5a6.5 6.5 0 0 0 13 0M12 18v3",
  stop: "M7.5 7.5h9v9h-9z",
  upload: "M12 15.5V4.5M7.5 8.5 12 4l4.5 4.5M4.5 15.5v3a1.5 1.5 0 0 0 1.5 1.5h12a1.5 1.5 0 0 0 1.5-1.5v-3",
  play: "M8 5.2v13.6a.6.6 0 0 0 .9.5l10.6-6.8a.6.6 0 0 0 0-1L8.9 4.7a.6.6 0 0 0-.9.5z",
  pause: "M8.5 5v14M15.5 5v14",
  back: "M11.5 6.5 6 12l5.5 5.5M18 6.5 12.5 12l5.5 5.5",
  forward: "M12.5 6.5 18 12l-5.5 5.5M6 6.5 11.5 12 6 17.5",
  undo: "M9 4.5 5.5 8 9 11.5M5.5 8h8a5.5 5.5 0 0 1 0 11H9",
  arrowBack: "M11 6l-6 6 6 6M5 12h14",
  search: "M10.5 4.5a6 6 0 1 0 0 12 6 6 0 0 0 0-12zM15 15l5 5",
  edit: "M4.5 19.5h3.2L19 8.2a1.7 1.7 0 0 0 0-2.4l-.8-.8a1.7 1.7 0 0 0-2.4 0L4.5 16.3z",
  trash:
    "M5 7h14M9.5 7V5a1 1 0 0 1 1-1h3a1 1 0 0 1 1 1v2M7 7l.8 11.6a1.5 1.5 0 0 0 1.5 1.4h5.4a1.5 1.5 0 0 0 1.5-1.4L17 7M10.2 11v5M13.8 11v5",
  copy: "M9 9h9.5a1 1 0 0 1 1 1v9.5a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1V10a1 1 0 0 1 1-1zM5.5 15.5a1 1 0 0 1-1-1V5a1 1 0 0 1 1-1H15a1 1 0 0 1 1 1",
  download: "M12 4.5v11M7.5 11 12 15.5 16.5 11M4.5 17.5v1a1.5 1.5 0 0 0 1.5 1.5h12a1.5 1.5 0 0 0 1.5-1.5v-1",
  retry: "M19.5 5v4.5H15M19 9.5A7.5 7.5 0 1 0 19.5 13",
  close: "M6 6l12 12M18 6 6 18",
  check: "M5 12.5 9.8 17.5 19 7",
  warning: "M12 4.5 21 19.5H3zM12 10.5v4M12 17v.2",
  home: "M4.5 11 12 4.5 19.5 11M6.5 9.5V19.5h11V9.5",
  speech: "M4.5 6.5h15v10h-7l-4.5 3.5v-3.5h-3.5zM9 10.5v2M12 9.5v4M15 10.5v2",
  translate: "M4 6h9M8.5 4v2M11 6c-.8 3.8-3.4 6.6-6.5 8M6.5 9c1.2 2.2 3 3.8 5.5 4.8M12.5 20l4-9.5 4 9.5M13.9 17h5.2",
  feedback: "M4.5 5.5h15v11h-6l-1.5 3-1.5-3h-6zM8.5 9.5h7M8.5 12.5h4.5",
  settings: "M5 7.5h8M17 7.5h2M5 16.5h2M11 16.5h8M13 5.5h4v4h-4zM7 14.5h4v4H7z",
  signOut: "M14 4.5H6.5a1 1 0 0 0-1 1v13a1 1 0 0 0 1 1H14M10.5 12h9M16 8l4 4-4 4",
  menu: "M4.5 7h15M4.5 12h15M4.5 17h15",
  globe:
    "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM4.2 12h15.6M12 4c2.2 2.3 3.3 5 3.3 8s-1.1 5.7-3.3 8c-2.2-2.3-3.3-5-3.3-8s1.1-5.7 3.3-8z",
  shield: "M12 4 5 6.5v5.2c0 4 2.9 6.9 7 8.3 4.1-1.4 7-4.3 7-8.3V6.5z",
  users:
    "M9 5.5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM3.5 19c.4-3 2.5-4.7 5.5-4.7s5.1 1.7 5.5 4.7M15.5 6a2.7 2.7 0 0 1 0 5.2M17 14.6c2 .5 3.2 2 3.5 4.4",
} as const;

export type IconName = keyof typeof paths;

/** A picture beside a text that says the same: hidden from screen readers. Its size is 1.25 em. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="1.25em"
      height="1.25em"
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.75"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
