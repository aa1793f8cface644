import { createStore, type ReadableStore, type Store } from "#src/browser/store.ts";

/**
 * The element that shows a recording's picture; "unplayable": this browser can't show it, and plays the audio instead;
 * null: no picture.
 */
export type Screen = Store<HTMLVideoElement | "unplayable" | null>;

export const createScreen = (): Screen => createStore<HTMLVideoElement | "unplayable" | null>(null);

/** The player's page, for components that show the picture. */
export interface Stage {
  screen: Screen;
  /** Switches to playback with the picture. */
  showPicture(): void;
  /** The number of the playing sound track, if there are several. */
  track: ReadableStore<number | undefined>;
  /** Plays or pauses. */
  toggle(): void;
  /** Calls `saved` whenever the server has a new version of the text. @returns a function that ends it */
  onTextSaved(saved: () => void): () => void;
  /** The languages of the captions. */
  languages(): { spoken: string; translated: string | null };
  /** The title of a file made from it, without its extension; undefined: the server's title. */
  fileTitle(): string | undefined;
}
