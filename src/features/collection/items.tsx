import { useSelector } from "@xstate/react";
import type { ReactNode } from "react";
import { type CollectionShown, selectItems, selectReturns } from "#machines/collection/selectors.ts";
import { claimFocus } from "#src/ui/claim-focus.ts";
import entries from "#src/ui/entries.module.css";
import type { ActorWith } from "./actor.ts";

interface ItemsProps<One> {
  actor: ActorWith<CollectionShown<One>, never>;
  /** The heading; `none` when there is no item. */
  texts: Record<"yours" | "none", string>;
  row(item: One): ReactNode;
}

/** The items below their heading. */
export function Items<One>({ actor, texts, row }: ItemsProps<One>) {
  const items = useSelector(actor, selectItems);
  const returns = useSelector(actor, selectReturns);
  return (
    <>
      {/* It takes the focus when what had it is gone: an item that was removed, for example. */}
      <h3 key={returns} ref={returns === 0 ? undefined : claimFocus} tabIndex={-1} className={entries.heading}>
        {items.length === 0 ? texts.none : texts.yours}
      </h3>
      <ul className={entries.entries}>{items.map(row)}</ul>
    </>
  );
}
