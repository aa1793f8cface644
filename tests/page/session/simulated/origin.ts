import "#tests/page/analytics/fake-window.ts";
import type { Locks } from "#src/browser/lock.ts";
import type { Dice, SimulatedTime } from "./time.ts";

/** Longest time in ms for a write to reach Chromium's browser process (up), and from there another tab (down). */
const slowest = { up: 20, down: 50 };

interface Write {
  tab: StorageTab;
  key: string;
  value: string | null;
}

/**
 * One origin's local storage as Chromium implements it: each tab reads its own copy, and the browser process orders the
 * writes. A tab ignores news of a key while its own write to that key is on the way.
 */
export class SimulatedOrigin {
  readonly #time: SimulatedTime;
  readonly #dice: Dice;
  readonly #items = new Map<string, string>();
  readonly #tabs = new Set<StorageTab>();

  constructor(time: SimulatedTime, dice: Dice) {
    [this.#time, this.#dice] = [time, dice];
  }

  openTab(): StorageTab {
    const tab: StorageTab = new StorageTab(new Map(this.#items), (key, value) => {
      tab.upAt = this.#later(tab.upAt, slowest.up, () => this.#accept({ tab, key, value }));
    });
    this.#tabs.add(tab);
    return tab;
  }

  closeTab(tab: StorageTab): void {
    this.#tabs.delete(tab);
  }

  #accept(write: Write): void {
    const { key, value } = write;
    if (value === null) this.#items.delete(key);
    else this.#items.set(key, value);
    for (const tab of this.#tabs) tab.downAt = this.#later(tab.downAt, slowest.down, () => tab.hear(write));
  }

  /** Keeps the order of writes in the same direction. @returns the time of arrival */
  #later(notBefore: number, longest: number, run: () => void): number {
    const at = Math.max(notBefore, this.#time.elapsed + this.#dice.between(0, longest));
    this.#time.setTimeout(run, at - this.#time.elapsed);
    return at;
  }
}

/** A window with only the parts that storage.ts uses. */
export class StorageTab extends EventTarget {
  upAt = 0;
  downAt = 0;
  readonly localStorage: Storage;
  readonly #items: Map<string, string>;
  readonly #pending = new Map<string, number>();

  constructor(items: Map<string, string>, send: (key: string, value: string | null) => void) {
    super();
    this.#items = items;
    const write = (key: string, value: string | null) => {
      if ((items.get(key) ?? null) === value) return;
      if (value === null) items.delete(key);
      else items.set(key, value);
      this.#pending.set(key, (this.#pending.get(key) ?? 0) + 1);
      send(key, value);
    };
    this.localStorage = {
      get length() {
        return items.size;
      },
      key: (index) => [...items.keys()][index] ?? null,
      getItem: (key) => items.get(key) ?? null,
      setItem: (key, value) => write(key, value),
      removeItem: (key) => write(key, null),
      clear: () => {
        for (const key of [...items.keys()]) write(key, null);
      },
    };
  }

  hear({ tab, key, value }: Write): void {
    const pending = this.#pending.get(key) ?? 0;
    if (tab === this) {
      this.#pending.set(key, pending - 1);
      return;
    }
    if (pending === 0) {
      if (value === null) this.#items.delete(key);
      else this.#items.set(key, value);
    }
    this.dispatchEvent(new StorageEvent("storage", { key }));
  }
}

interface Waiting {
  tab: number;
  begin(): void;
}

/** Web Locks with one lock: granted in order, released when its tab closes. */
export class SimulatedLocks {
  #holder: { tab: number } | undefined;
  #queue: Waiting[] = [];

  /** The locks as one tab sees them. */
  of(tab: number): Locks {
    return {
      request: (_name, { signal }, work) =>
        new Promise((resolve, reject) => {
          const waiting: Waiting = {
            tab,
            begin: () => {
              signal.removeEventListener("abort", giveUp);
              const holder = { tab };
              this.#holder = holder;
              work()
                .then(resolve, reject)
                .finally(() => this.#free(holder));
            },
          };
          const giveUp = () => {
            this.#queue = this.#queue.filter((other) => other !== waiting);
            reject(signal.reason);
          };
          if (signal.aborted) return reject(signal.reason);
          signal.addEventListener("abort", giveUp, { once: true });
          this.#queue.push(waiting);
          this.#grant();
        }),
    };
  }

  closeTab(tab: number): void {
    this.#queue = this.#queue.filter((waiting) => waiting.tab !== tab);
    if (this.#holder?.tab === tab) this.#free(this.#holder);
  }

  #free(holder: { tab: number }): void {
    if (this.#holder !== holder) return;
    this.#holder = undefined;
    this.#grant();
  }

  #grant(): void {
    if (this.#holder === undefined) this.#queue.shift()?.begin();
  }
}
