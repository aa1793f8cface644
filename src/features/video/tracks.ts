import type { Stage } from "./screen.ts";

/** Captions for an element. */
interface Captions {
  /** A WebVTT file. */
  file: Blob;
  /** BCP 47. */
  language: string;
  label: string;
}

/** Shows captions on the element that shows the picture. */
export interface Tracks {
  /** Replaces the previous captions. */
  show(captions: Captions | null): void;
  close(): void;
}

export function createTracks({ screen, toggle }: Pick<Stage, "screen" | "toggle">): Tracks {
  let shown: { url: string; captions: Captions } | null = null;
  let track: HTMLTrackElement | null = null;
  let element: HTMLVideoElement | null = null;
  const attach = () => {
    track?.remove();
    track = null;
    if (element === null || shown === null) return;
    track = document.createElement("track");
    track.kind = "captions";
    track.src = shown.url;
    track.srclang = shown.captions.language;
    track.label = shown.captions.label;
    element.append(track);
    track.track.mode = "showing";
  };
  const follow = () => {
    const next = screen.get();
    element?.removeEventListener("click", toggle);
    element = next === "unplayable" ? null : next;
    element?.addEventListener("click", toggle);
    attach();
  };
  const leave = screen.subscribe(follow);
  follow();
  const show = (captions: Captions | null) => {
    const before = shown;
    shown = captions === null ? null : { captions, url: URL.createObjectURL(captions.file) };
    attach();
    if (before !== null) URL.revokeObjectURL(before.url);
  };
  return {
    show,
    close: () => {
      leave();
      element?.removeEventListener("click", toggle);
      show(null);
    },
  };
}
