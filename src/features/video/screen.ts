import { createStore, type ReadableStore, type Store } from "#src/browser/store.ts";

/** The element that shows a recording's picture; "unplayable": this browser can't, and the sound is played instead; null: there is none. */
export type Screen = Store<HTMLVideoElement | "unplayable" | null>;

export const createScreen = (): Screen => createStore<HTMLVideoElement | "unplayable" | null>(null);

/** The player's page, as those see it who show the picture of what is played. */
export interface Stage {
  screen: Screen;
  /** From now on the recording is played with its picture. */
  showPicture(): void;
  /** Which of several sound tracks is played. */
  track: ReadableStore<number | undefined>;
  /** Plays, or pauses. */
  toggle(): void;
  /** Calls what it is given whenever the server has another version of the text. @returns ends it */
  onTextSaved(saved: () => void): () => void;
  /** In which languages the captions are. */
  languages(): { spoken: string; translated: string | null };
  /** What a file of it is called, without its ending; undefined: as it is titled. */
  fileTitle(): string | undefined;
}
