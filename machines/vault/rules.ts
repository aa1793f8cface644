import type { VaultItem } from "#contract/index.ts";
import type { VaultEvent } from "./events.ts";

/** Milliseconds without activity until an open vault is locked. */
export const idleLimit = 15 * 60_000;

/** The items after an event; the same array when the event does not concern them. */
export function itemChanges(items: readonly VaultItem[], event: VaultEvent): readonly VaultItem[] {
  if (event.type === "item.added") return [event.item, ...items.filter(({ id }) => id !== event.item.id)];
  if (event.type === "item.changed") return items.map((item) => (item.id === event.item.id ? event.item : item));
  return event.type === "item.removed" ? items.filter(({ id }) => id !== event.id) : items;
}
