import { vi } from "vitest";

/** Node has no StorageEvent. */
class FakeStorageEvent extends Event {
  readonly key: string | null;

  constructor(type: string, { key = null }: { key?: string | null } = {}) {
    super(type);
    this.key = key;
  }
}
vi.stubGlobal("StorageEvent", FakeStorageEvent);

class FakeArea implements Storage {
  readonly #origin: FakeOrigin;
  readonly #notify: (key: string | null) => void;

  constructor(origin: FakeOrigin, notify: (key: string | null) => void) {
    this.#origin = origin;
    this.#notify = notify;
  }

  get length(): number {
    return this.#origin.items.size;
  }

  key(index: number): string | null {
    return [...this.#origin.items.keys()][index] ?? null;
  }

  getItem(key: string): string | null {
    return this.#origin.items.get(key) ?? null;
  }

  setItem(key: string, value: string): void {
    if (this.#origin.full) throw new DOMException("full", "QuotaExceededError");
    this.#origin.items.set(key, value);
    this.#notify(key);
  }

  removeItem(key: string): void {
    if (this.#origin.items.delete(key)) this.#notify(key);
  }

  clear(): void {
    this.#origin.items.clear();
    this.#notify(null);
  }
}

/** A window with only the parts that storage.ts uses. */
export class FakeTab extends EventTarget {
  readonly localStorage: Storage;

  constructor(origin: FakeOrigin, notify: (key: string | null) => void) {
    super();
    this.localStorage = new FakeArea(origin, notify);
  }
}

/** One origin's storage in several tabs: each tab gets an event when another tab writes. */
export class FakeOrigin {
  /** If true, every write fails, as on a full disk. */
  full = false;
  readonly items = new Map<string, string>();
  readonly #tabs: FakeTab[] = [];

  openTab(): FakeTab {
    const tab: FakeTab = new FakeTab(this, (key) => {
      for (const other of this.#tabs) if (other !== tab) other.dispatchEvent(new FakeStorageEvent("storage", { key }));
    });
    this.#tabs.push(tab);
    return tab;
  }
}
