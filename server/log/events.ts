type Listener<Event> = (event: Event) => void;

/** An event in a feature that metrics count. Without a listener it costs nothing; listeners must not throw. */
class Happening<Event> {
  readonly #listeners = new Set<Listener<Event>>();

  /** @returns ends it */
  listen(listener: Listener<Event>): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  happened(event: Event): void {
    for (const listener of this.#listeners) listener(event);
  }
}

/**
 * A request was answered: its method, the pattern of its route ("/users/:id"; "unmatched"), seconds until the answer
 * began.
 */
export const requestAnswered = new Happening<{ method: string; route: string; status: number; seconds: number }>();
/** A request was refused, with this code of the contract. */
export const requestRefused = new Happening<{ code: string }>();
/** A job was taken by a worker. @property waitedSeconds since it could have been */
export const jobStarted = new Happening<{ task: string; waitedSeconds: number }>();
/** An attempt at a job has ended. */
export const jobEnded = new Happening<{ task: string; outcome: "finished" | "failed" | "released"; seconds: number }>();
/** An engine has recognized a piece of a recording: how long the piece is and how long it took, both in seconds. */
export const pieceRecognized = new Happening<{ engine: string; audioSeconds: number; seconds: number }>();
/** A connection that stays open was opened (1) or closed (-1). */
export const connectionsChanged = new Happening<{ kind: "dictation" | "events" | "tryOut"; by: 1 | -1 }>();
